// A cube: what an access costs on its way, what links and vaults can carry, and that nothing gets lost.
#include "sim/model/memory/hmc/hmc_cube.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sim/model/memory/hmc/hmc_host.hpp"

namespace tessera::test {

namespace {

using sim::Access;
using sim::HmcPacket;
using sim::MemoryRun;
using sim::TimedRequest;
using Side = sim::HmcCube::Side;

constexpr auto no_refresh = "policy.refresh=none";
/// Of eight gigabytes: 64-byte blocks over vaults, then banks.
constexpr auto small_blocks =
    "address_map=[{byte: 5}, {column: 1}, {channel: 5}, {bank: 4}, {column: 2}, {row: 16}]";

/// Consecutive blocks.
std::vector<TimedRequest> sequential(std::size_t count, std::int64_t bytes, Access access) {
  std::vector<TimedRequest> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].request = {i, i * static_cast<std::uint64_t>(bytes), access,
                      static_cast<std::uint16_t>(bytes / 32)};
  }
  return all;
}

MemoryRun drive(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests,
                std::size_t outstanding, Side side, std::size_t cubes = 1) {
  return run_host(spec, requests, {side, outstanding, cubes});
}

TEST(HmcPacket, SpendsOneFlitOnHeaderAndTail) {
  HmcPacket packet;
  packet.bytes = 64;
  EXPECT_EQ(packet.flits(), 1);  // read request
  packet.kind = HmcPacket::Kind::response;
  EXPECT_EQ(packet.flits(), 5);
  packet.access = Access::write;
  EXPECT_EQ(packet.flits(), 1);
  packet.kind = HmcPacket::Kind::request;
  EXPECT_EQ(packet.flits(), 5);
}

TEST(HmcCube, LocalReadTakesTheTimeOfItsVault) {
  auto const spec = arch::load_dram("hmc-2.1", {no_refresh});
  auto const run = drive(spec, sequential(1, 64, Access::read), 1, Side::local);
  // Activate, tRCD, first burst, tCCD, second burst: 17 + 4 + tCL 17 + tBL 4, the controller's 10; it
  // enters its vault at the clock edge 0.
  EXPECT_EQ(run.read_latency.front(), Time{800} * (17 + 4 + 17 + 4 + 10));
}

TEST(HmcCube, RemoteReadTakesLinkAndCrossbarBothWays) {
  auto const spec = arch::load_dram("hmc-2.1", {no_refresh});
  auto const local = drive(spec, sequential(1, 64, Access::read), 1, Side::local);
  auto const remote = drive(spec, sequential(1, 64, Access::read), 1, Side::upstream);
  // One FLIT there and five back at 16 lanes of 30 Gb/s, link and crossbar latency twice, crossbar of
  // six FLITs per nanosecond; and up to one clock to the vault's next edge.
  Time const wire = Bytes{16} / Bandwidth{480'000'000'000} + Bytes{80} / Bandwidth{480'000'000'000};
  Time const way = wire + Time{2 * 11'000} + Time{2 * 3'000} + Time{1'000} + Time{1'000};
  EXPECT_GE(remote.read_latency.front(), local.read_latency.front() + way);
  EXPECT_LT(remote.read_latency.front(), local.read_latency.front() + way + spec.clock_period);
}

TEST(HmcCube, IdleReadsOfDramsim3sCubesTakeWhatTheyTakeThere) {
  // Its clocks (commit 2981759) for HMC_2GB_4Lx16, HMC_4GB_4Lx16 and HMC2_8GB_4Lx16, which differ in the rate of their links alone.
  struct Cube {
    char const* lane_rate;
    std::int64_t clocks;
  };
  for (auto const& [lane_rate, clocks] :
       {Cube{"hmc.lane_rate=10 Gb/s", 51}, Cube{"hmc.lane_rate=15 Gb/s", 47},
        Cube{"hmc.lane_rate=25 Gb/s", 46}}) {
    auto const spec = arch::load_dram("peers/dramsim3-hmc-4gb", {lane_rate});
    std::vector<TimedRequest> read(1);
    auto const run = drive(spec, read, 1, Side::upstream);
    // Its logic layer has a clock of its own, whose edges packets wait for.
    EXPECT_GE(run.read_latency.front(), spec.clock_period * (clocks - 1)) << lane_rate;
    EXPECT_LE(run.read_latency.front(), spec.clock_period * (clocks + 1)) << lane_rate;
  }
}

TEST(HmcCube, EachHopOfAChainCostsLinkAndCrossbar) {
  auto const spec = arch::load_dram("hmc-2.1", {no_refresh});
  auto const near = drive(spec, sequential(1, 64, Access::read), 1, Side::upstream, 1);
  auto const far = drive(spec, sequential(1, 64, Access::read), 1, Side::upstream, 4);
  EXPECT_GT(far.read_latency.front(), near.read_latency.front() + Time{3 * 2 * (11'000 + 3'000)});
  EXPECT_EQ(far.link_flits, 4 * near.link_flits);
}

TEST(HmcCube, LocalStreamsOf64BytesReachThePeak) {
  auto const spec = arch::load_dram("hmc-2.1", {no_refresh, small_blocks});
  std::size_t const count = 20'000;
  auto const run = drive(spec, sequential(count, 64, Access::read), 2048, Side::local);
  EXPECT_GT(run.gigabytes_per_second(), 0.97 * 320);
  EXPECT_LE(run.gigabytes_per_second(), 320);
}

/// Bandwidth of 64-byte reads over four links. A response has five FLITs, four of them data.
double bandwidth_of_reads(std::string const& crossbar) {
  auto const spec =
      arch::load_dram("hmc-2.1", {no_refresh, small_blocks, "hmc.lane_rate=15 Gb/s", crossbar});
  std::size_t const count = 20'000;
  auto const run = drive(spec, sequential(count, 64, Access::read), 1024, Side::upstream);
  return run.gigabytes_per_second();
}

TEST(HmcCube, ReadsOverLinksAreLimitedByTheirResponses) {
  double const limit = 4 * 30 * 4.0 / 5;  // four links of 30 GB/s
  EXPECT_LE(bandwidth_of_reads("hmc.crossbar_flits=5"), limit);
  EXPECT_GT(bandwidth_of_reads("hmc.crossbar_flits=5"), 0.98 * limit);
}

TEST(HmcCube, ReadsOverLinksOfEveryPresetReachWhatTheirLanesAllow) {
  // (They were half of it on HMC 2.1, whose crossbar was as wide as that of links of 10 Gb/s.)
  for (auto const* const name : {"hmc-1.0", "hmc-2.0", "hmc-2.1"}) {
    auto const spec = arch::load_dram(name, {no_refresh});
    auto const& hmc = *spec.hmc;
    auto const run = drive(spec, sequential(20'000, 256, Access::read), 1024, Side::upstream);
    auto const lanes = static_cast<double>(hmc.lane_rate.value() * hmc.lanes * hmc.links) / 8e9;
    double const limit = lanes * 16 / 17;  // a response has 17 FLITs, 16 of them data
    EXPECT_LE(run.gigabytes_per_second(), limit) << name;
    EXPECT_GT(run.gigabytes_per_second(), 0.97 * limit) << name;
  }
}

TEST(HmcCube, ReadsOverLinksAreLimitedByTheCrossbarWhereThatIsNarrower) {
  double const limit = 4 * 64 / 3.0;  // two FLITs per nanosecond and port: three for a response
  EXPECT_LE(bandwidth_of_reads("hmc.crossbar_flits=2"), limit);
  EXPECT_GT(bandwidth_of_reads("hmc.crossbar_flits=2"), 0.98 * limit);
}

TEST(HmcCube, FewTokensThrottleWrites) {
  auto const throughput = [](char const* tokens) {
    auto const spec = arch::load_dram("hmc-2.0", {no_refresh, tokens});
    auto const run = drive(spec, sequential(5'000, 128, Access::write), 1024, Side::upstream);
    return run.gigabytes_per_second();
  };
  EXPECT_LT(throughput("hmc.tokens=17"), 0.5 * throughput("hmc.tokens=256"));
}

TEST(HmcCube, AnswersEveryRequestOnceAndMovesEveryByte) {
  std::mt19937_64 generator{7};
  std::vector<TimedRequest> requests(4'000);
  std::int64_t bursts = 0;
  std::int64_t flits = 0;
  for (auto& [it, cycle] : requests) {
    it.bursts = static_cast<std::uint16_t>(1 << generator() % 4);
    it.address = (generator() % (std::uint64_t{8} << 30U)) & ~std::uint64_t{255};
    it.access = generator() % 2 == 0 ? Access::read : Access::write;
    bursts += it.bursts;
    flits += 2 + 2 * it.bursts;  // request and response: the data travel once
  }
  for (std::size_t const cubes : {1U, 3U}) {
    auto const run = drive(arch::load_dram("hmc-2.1"), requests, 200, Side::upstream, cubes);
    EXPECT_EQ(run.read_latency.size() + run.write_latency.size(), requests.size());
    EXPECT_EQ(run.dram.reads + run.dram.writes, bursts);
    EXPECT_EQ(run.link_flits, flits * static_cast<std::int64_t>(cubes));
  }
}

}  // namespace

}  // namespace tessera::test

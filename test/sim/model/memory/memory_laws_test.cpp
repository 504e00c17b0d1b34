// Physics that any DRAM model must show.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/memory/closed_loop.hpp"

namespace tessera::test {

namespace {

using sim::closed_loop;
using sim::make_requests;
using sim::MemoryTraffic;

double bandwidth(arch::DramSpec const& spec, MemoryTraffic const& traffic) {
  return closed_loop(spec, make_requests(traffic, spec), {64, SIZE_MAX, {}}).gigabytes_per_second();
}

MemoryTraffic stream(arch::DramSpec const& spec, std::uint64_t bytes) {
  MemoryTraffic traffic;
  traffic.requests = 60'000;
  traffic.bytes = traffic.stride = bytes;
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  return traffic;
}

MemoryTraffic random(arch::DramSpec const& spec, std::uint64_t bytes) {
  auto traffic = stream(spec, bytes);
  traffic.pattern = MemoryTraffic::Pattern::random;
  return traffic;
}

/// HMC with blocks of 32 << `column_bits` bytes: over vaults, then banks, then along the row.
arch::DramSpec hmc(char const* name, int column_bits, std::vector<std::string> overrides = {}) {
  auto const rest = 3 - column_bits;
  auto const spec = arch::load_dram(name);
  auto const& o = spec.organization;
  std::string map = "address_map=[{byte: 5}";
  if (column_bits > 0) map += ", {column: " + std::to_string(column_bits) + "}";
  map += std::string{", {channel: "} + (o.channels == 32 ? "5" : "4") +
         "}, {bank: " + (o.banks == 16 ? "4" : "3") + "}";
  if (rest > 0) map += ", {column: " + std::to_string(rest) + "}";
  overrides.push_back(map + ", {row: 16}]");
  return arch::load_dram(name, overrides);
}

class Hmc : public testing::TestWithParam<char const*> {};

TEST_P(Hmc, ReachesItsPeakWithBlocksOf64BytesAndMore) {
  for (int const column_bits : {1, 2, 3}) {
    auto const spec = hmc(GetParam(), column_bits, {"policy.refresh=none"});
    auto const peak = static_cast<double>(spec.peak_bandwidth().value()) / 8e9;
    auto const reached = bandwidth(spec, stream(spec, std::uint64_t{32} << column_bits));
    EXPECT_GT(reached, 0.98 * peak) << (32 << column_bits) << " bytes";
    EXPECT_LE(reached, peak);
  }
}

INSTANTIATE_TEST_SUITE_P(Cubes, Hmc, testing::Values("hmc-1.0", "hmc-2.0", "hmc-2.1"));

TEST(Hmc, VaultOfEightBanksStreams32ByteBlocksAtTheRateOfTheRowCycle) {
  auto const spec = hmc("hmc-2.0", 0, {"policy.refresh=none"});
  // Each block opens a row, and a bank can do so once in tRC: 8 * 32 B / 40.8 ns = 6.27 GB/s per vault.
  EXPECT_NEAR(bandwidth(spec, stream(spec, 32)), 32 * 8 * 32 / 40.8, 0.01 * 32 * 6.27);
}

TEST(Hmc, VaultOfSixteenBanksIsNotLimitedByTheRowCycle) {
  auto const spec = hmc("hmc-2.1", 0, {"policy.refresh=none"});
  // But by four activates in tFAW = 17 clocks, 4 * 32 B / 13.6 ns = 9.41 GB/s per vault, and a little
  // by activates that find the command bus taken by a read.
  EXPECT_LE(bandwidth(spec, stream(spec, 32)), 32 * 4 * 32 / 13.6);
  EXPECT_GT(bandwidth(spec, stream(spec, 32)), 0.9 * 32 * 4 * 32 / 13.6);
}

/// One of its channels alone: the others do the same.
arch::DramSpec channel_of(char const* name, std::vector<std::string> const& overrides = {}) {
  auto spec = arch::load_dram(name, overrides);
  auto& map = spec.address_map;
  auto const is_channel = [](auto const& it) {
    return it.kind == arch::AddressField::Kind::channel;
  };
  map.erase(std::remove_if(map.begin(), map.end(), is_channel), map.end());
  spec.organization.channels = 1;
  return spec;
}

class Memory : public testing::TestWithParam<char const*> {};

TEST_P(Memory, RefreshCostsItsShare) {
  auto const with = channel_of(GetParam());
  auto const without = channel_of(GetParam(), {"policy.refresh=none"});
  auto const bytes = static_cast<std::uint64_t>(with.block().value());
  auto const traffic = stream(with, bytes);
  auto const ratio = bandwidth(with, traffic) / bandwidth(without, traffic);
  auto const& t = with.timing;
  double const least = static_cast<double>(t.tRFC) / static_cast<double>(t.tREFI);
  // Besides tRFC: the rows that are closed before it and opened again after it.
  double const most =
      static_cast<double>(t.tRFC + 2 * t.tRC + t.tWR + t.tCWL + 60) / static_cast<double>(t.tREFI);
  EXPECT_LT(ratio, 1 - 0.9 * least);
  EXPECT_GT(ratio, 1 - most);
}

class OpenPage : public testing::TestWithParam<char const*> {};

TEST_P(OpenPage, RefreshCostsFromTheLastReadBeforeItToTheFirstBehindIt) {
  // More than tRFC / tREFI (HBM2: 10.05 % and not 9.11): the last read must be over for tRTP before all rows are precharged for tRP, and
  // after the refresh a row is activated before it is read.
  auto const with = channel_of(GetParam());
  auto const without = channel_of(GetParam(), {"policy.refresh=none"});
  auto const traffic = stream(with, static_cast<std::uint64_t>(with.block().value()));
  auto const ratio = bandwidth(with, traffic) / bandwidth(without, traffic);
  auto const& t = with.timing;
  auto const pause = t.tRTP + t.tRP + t.tRFC + (t.tACT - 1) + t.tRCD;
  auto const lost = (1 - ratio) * static_cast<double>(t.tREFI);
  EXPECT_NEAR(lost, static_cast<double>(pause), 6);  // clocks
}

INSTANTIATE_TEST_SUITE_P(Presets, OpenPage, testing::Values("hbm1", "hbm2", "hbm2e"));

TEST_P(Memory, RandomNeverBeatsSequential) {
  for (auto const* const scheduler : {"fcfs", "frfcfs"}) {
    auto const spec = channel_of(
        GetParam(), {std::string{"policy.scheduler="} + scheduler, "policy.starvation_cap=2000"});
    auto const bytes = static_cast<std::uint64_t>(spec.block().value());
    EXPECT_LE(bandwidth(spec, random(spec, bytes)), bandwidth(spec, stream(spec, bytes)));
  }
}

TEST_P(Memory, StreamsReachMostOfTheirPeakAndNeverMore) {
  auto const spec = channel_of(GetParam());
  auto const peak = static_cast<double>(spec.peak_bandwidth().value()) / 8e9;
  auto const reached =
      bandwidth(spec, stream(spec, static_cast<std::uint64_t>(spec.block().value())));
  EXPECT_LE(reached, peak);
  EXPECT_GT(reached, 0.85 * peak);
}

INSTANTIATE_TEST_SUITE_P(Presets, Memory,
                         testing::Values("hmc-1.0", "hmc-2.0", "hmc-2.1", "hbm1", "hbm2", "hbm2e",
                                         "tpu-v2", "tpu-v3"));

TEST(Memory, WritesWrittenBackCloseNoRowThatWasOpenedForARead) {
  // Random requests hit no row but by chance, so each needs one activate, and another one where a refresh closed its row before it was
  // served: no more than the banks that a refresh finds open. (They were 5.5 % more.)
  for (auto const* const name : {"peers/ramulator2-hbm2-8gb", "peers/dramsim3-hbm2-8gb"}) {
    auto const spec = arch::load_dram(name);
    auto traffic = random(spec, static_cast<std::uint64_t>(spec.organization.burst().value()));
    traffic.read_fraction = 0.5;
    auto const run = closed_loop(spec, make_requests(traffic, spec), {8, SIZE_MAX, {}});
    auto const closed_by_refreshes = run.dram.refreshes * spec.organization.banks_per_rank();
    auto const requests = static_cast<std::int64_t>(traffic.requests);
    EXPECT_LE(run.dram.activates, requests + closed_by_refreshes) << name;
    EXPECT_LE(run.dram.activates, requests + requests / 100) << name;
  }
}

TEST(Memory, FirstReadReturnsAfterActivateReadAndBurst) {
  for (auto const* const name : {"hmc-2.1", "hbm2", "hbm1"}) {
    auto const spec = arch::load_dram(name);
    auto traffic = stream(spec, static_cast<std::uint64_t>(spec.organization.burst().value()));
    traffic.requests = 1;
    auto const& t = spec.timing;
    EXPECT_EQ(closed_loop(spec, make_requests(traffic, spec), {}).read_latency.front(),
              spec.clock_period * (t.tACT - 1 + t.tRCD + t.tCL + t.tBL + spec.policy.latency));
  }
}

}  // namespace

}  // namespace tessera::test

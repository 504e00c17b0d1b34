// One channel that stands for all, against all of them.
#include "sim/model/memory/dram_memory.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "arch/base/config_error.hpp"
#include "arch/memory/dram_stripe.hpp"
#include "sim/model/memory/dram/address_map.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// Every block of every channel on a channel of its own.
class AllChannels final {
 public:
  explicit AllChannels(arch::DramSpec const& spec)
      : spec_{spec},
        map_{spec},
        channels_(static_cast<std::size_t>(spec.organization.channels), DramStream{spec}) {}

  Time transfer(Time at, Memory::Transfer const& transfer) {
    auto const stripe = DramMemory::stripe(spec_);
    auto const first = transfer.address.value() / stripe.value() * stripe.value();
    auto const blocks = ceil_ratio(transfer.size, stripe) * spec_.organization.channels;
    auto const cycle = (at.value() + spec_.clock_period.value() - 1) / spec_.clock_period.value();
    auto const bursts = spec_.block().value() / spec_.organization.burst().value();
    std::int64_t done = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      auto const place = map_(static_cast<std::uint64_t>(first + block * spec_.block().value()));
      auto& channel = channels_.at(place.channel);
      done = std::max(done, channel
                                .serve(cycle, {0, transfer.access, place.bank,
                                               static_cast<std::uint16_t>(bursts), place.row})
                                .done);
    }
    return spec_.clock_period * done;
  }

  [[nodiscard]] DramStatistics statistics(Time end) {
    DramStatistics sum;
    for (auto& channel : channels_) {
      channel.finish(end.value() / spec_.clock_period.value());
      sum += channel.statistics();
    }
    return sum;
  }

 private:
  arch::DramSpec spec_;
  AddressMap map_;
  std::vector<DramStream> channels_;
};

std::int64_t counter(Core const& core, std::string const& name) {
  for (auto const& statistic : core.statistics()) {
    if (statistic.name == name) return statistic.value;
  }
  ADD_FAILURE() << name;
  return -1;
}

class WholeMemory : public testing::TestWithParam<std::string> {};

TEST_P(WholeMemory, DoesWhatAllItsChannelsDo) {
  auto const spec = arch::load_dram(GetParam());
  TaskGraph const graph{1};
  BusyHistogram histogram;
  DramLibrary drams;
  DramMemory memory{spec, {ghz, graph, histogram, drams}};
  AllChannels all{spec};
  std::mt19937_64 random{7};
  Time now{0};
  Time end{0};
  for (int trial = 0; trial < 120; ++trial) {
    now += Time{
        static_cast<std::int64_t>(random() % 3 == 0 ? random() % 20'000'000 : random() % 40'000)};
    Memory::Transfer const transfer{random() % 2 == 0 ? Access::read : Access::write,
                                    Bytes{static_cast<std::int64_t>(random() % (1ULL << 34))},
                                    Bytes{static_cast<std::int64_t>(1 + random() % 100'000)}};
    auto const done = memory.transfer(now, transfer);
    ASSERT_EQ(done, all.transfer(now, transfer)) << trial;
    end = std::max(end, done);
  }
  memory.close(end);
  auto const expected = all.statistics(end);
  EXPECT_EQ(counter(memory, "activates"), expected.activates);
  EXPECT_EQ(counter(memory, "bursts_read"), expected.reads);
  EXPECT_EQ(counter(memory, "bursts_written"), expected.writes);
  EXPECT_EQ(counter(memory, "refreshes"), expected.refreshes);
  EXPECT_EQ(histogram.total().value(), counter(memory, "busy"));
}

INSTANTIATE_TEST_SUITE_P(DramMemory, WholeMemory,
                         testing::Values("hmc-1.0", "hmc-2.0", "hmc-2.1", "hbm1", "hbm2", "hbm2e",
                                         "tpu-v2", "tpu-v3"));

TEST(DramMemory, ReachesThePeakOfACubeWithLongStreams) {
  auto const spec = arch::load_dram("hmc-2.1", {"policy.refresh=none"});
  TaskGraph const graph{1};
  BusyHistogram histogram;
  DramLibrary drams;
  DramMemory memory{spec, {ghz, graph, histogram, drams}};
  Bytes const size{64 << 20};
  auto const time = memory.transfer(Time{0}, {Access::read, Bytes{0}, size});
  auto const ideal = size / spec.peak_bandwidth();
  EXPECT_GE(time, ideal);
  EXPECT_LT(seconds(time), 1.001 * seconds(ideal));
}

TEST(DramMemory, ServesLoadAndStoreTasksOneBehindTheOther) {
  auto const spec = arch::load_dram("hmc-2.1");
  TaskGraph graph{1};
  Task load;
  load.kind = TaskKind::load;
  load.bytes = Bytes{100'000};
  graph.add(load, {});
  BusyHistogram histogram;
  DramLibrary drams;
  DramMemory memory{spec, {ghz, graph, histogram, drams}};
  auto const sent = advance(memory, ns(3), {{DramMemory::from_dispatcher, issue(TaskId{0}, load)}});
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].message.kind, Message::Kind::done);
  EXPECT_GT(sent[0].at, ns(3) + load.bytes / spec.peak_bandwidth());
  EXPECT_EQ(counter(memory, "bytes_read"), 100'000);
  EXPECT_EQ(counter(memory, "stripes"), 13);  // of 8 KiB
}

/// Passes calls on, and counts the blocks.
class CountingChannel final : public MemoryChannel {
 public:
  explicit CountingChannel(MemoryChannel& channel) : channel_{channel} {}
  [[nodiscard]] std::int64_t serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                   std::uint64_t count) override {
    blocks += count;
    return channel_.serve(cycle, walk, first, count);
  }
  std::uint64_t blocks = 0;

 private:
  MemoryChannel& channel_;
};

TEST(DramMemory, CallsEveryVaultThatIsSimulatedThroughWhatWasPutInFrontOfIt) {
  auto const spec = arch::load_dram("hmc-2.1");
  TaskGraph const graph{1};
  BusyHistogram histogram;
  DramLibrary drams;
  MemoryParts parts{ghz, graph, histogram, drams};
  parts.fast_forward = false;
  DramMemory memory{spec, parts};
  auto const inside = memory.inside();
  EXPECT_STREQ(inside.kind, "vault");
  EXPECT_EQ(inside.channels, 32U);
  EXPECT_EQ(inside.unused.size(), 5U);  // crossbar and four links
  std::deque<CountingChannel> callers;
  for (std::size_t vault = 0; vault < inside.simulated.size(); ++vault) {
    memory.call_through(vault, callers.emplace_back(*inside.simulated[vault]));
  }
  DramMemory alone{spec, parts};
  Memory::Transfer const transfer{Access::read, Bytes{0}, DramMemory::stripe(spec) * 10};
  EXPECT_EQ(memory.transfer(ns(5), transfer), alone.transfer(ns(5), transfer));
  ASSERT_EQ(callers.size(), 32U);
  for (auto const& caller : callers) EXPECT_EQ(caller.blocks, 10U);
}

TEST(DramMemory, TensorsBeginWhereWalksComeToOtherBanksAndLargeOnesWhereToTheSame) {
  for (auto const* const name : {"hmc-1.0", "hmc-2.1", "hbm2", "tpu-v2", "tpu-v3"}) {
    auto const spec = arch::load_dram(name);
    auto const bursts = static_cast<std::uint16_t>(spec.block() / spec.organization.burst());
    DramWalk const walk{spec, Access::read, bursts};
    EXPECT_EQ(arch::tensor_alignment(spec),
              DramMemory::stripe(spec) * static_cast<std::int64_t>(walk.turn()))
        << name;
    EXPECT_EQ(arch::bank_period(spec),
              DramMemory::stripe(spec) * static_cast<std::int64_t>(walk.period()))
        << name;
  }
}

class OvertakingMemory : public testing::TestWithParam<std::string> {};

TEST_P(OvertakingMemory, OneChannelStandsForAllWhereRequestsOvertakeEachOther) {
  auto const spec =
      arch::load_dram(GetParam(), {"policy.scheduler=frfcfs", "policy.starvation_cap=1000"});
  TaskGraph const graph{1};
  BusyHistogram of_one, of_all;
  DramLibrary drams;
  DramMemory one{spec, {ghz, graph, of_one, drams}};
  MemoryParts parts{ghz, graph, of_all, drams};
  parts.fast_forward = false;
  DramMemory all{spec, parts};
  std::mt19937_64 random{7};
  Time now{0}, end{0};
  for (int trial = 0; trial < 60; ++trial) {
    now += Time{static_cast<std::int64_t>(random() % 4'000'000)};
    Memory::Transfer const transfer{random() % 2 == 0 ? Access::read : Access::write,
                                    Bytes{static_cast<std::int64_t>(random() % (1ULL << 30))},
                                    Bytes{static_cast<std::int64_t>(1 + random() % 300'000)}};
    auto const done = one.transfer(now, transfer);
    ASSERT_EQ(done, all.transfer(now, transfer)) << trial;
    end = std::max(end, done);
  }
  one.close(end);
  all.close(end);
  auto const bursts = spec.block() / spec.organization.burst() * spec.organization.channels;
  EXPECT_EQ(counter(one, "bursts_read") + counter(one, "bursts_written"),
            counter(one, "stripes") * bursts);
  for (auto const* const name :
       {"busy", "stripes", "activates", "bursts_read", "bursts_written", "refreshes"}) {
    EXPECT_EQ(counter(one, name), counter(all, name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(DramMemory, OvertakingMemory,
                         testing::Values("hmc-2.1", "hbm2", "peers/dramsim3-hbm2-8gb",
                                         "peers/ramulator2-hbm2-8gb"));

}  // namespace
}  // namespace tessera::sim

// Transfers of several rounds take as long as a task for each of their rounds.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "sim/engine/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/sim/shell/round_by_round.hpp"

namespace tessera::sim {
namespace {

using arch::FabricSpec;

/// When tasks started and ended.
IdVector<TaskId, std::pair<Time, Time>> times_of(arch::ArraySpec const& array,
                                                 TaskGraph const& tasks,
                                                 RunOptions const& options = {}) {
  MemorySink sink;
  auto const summary = engine::run(array, tasks, sink, options).summary;
  EXPECT_TRUE(summary.complete);
  EXPECT_FALSE(summary.reasons->what_if.empty());
  // Events have numbers by accelerator, in the order of ids.
  Schedule const schedule{tasks};
  std::vector<std::pair<Time, Time>> by_number(tasks.size());
  for (auto const& event : sink.events) {
    by_number.at(static_cast<std::size_t>(event.task)) = {event.start, event.end};
  }
  IdVector<TaskId, std::pair<Time, Time>> times{tasks.size()};
  std::size_t number = 0;
  for (std::size_t index = 0; index < tasks.accelerators(); ++index) {
    for (auto const id : schedule.tasks_of(AcceleratorId{index})) times[id] = by_number[number++];
  }
  return times;
}

void expect_same_times(arch::ArraySpec const& array, TaskGraph const& tasks) {
  auto const apart = round_by_round(tasks);
  auto const whole = times_of(array, tasks);
  auto const times = times_of(array, apart.graph);
  RunOptions by_itself;
  by_itself.fast_forward = PhaseMemo::Use::off;
  auto const cores_apart = times_of(array, tasks, by_itself);
  for (auto const id : tasks.tasks().ids()) {
    auto const& rounds = apart.rounds[id];
    EXPECT_EQ(whole[id].first, times[rounds.front()].first) << id;
    EXPECT_EQ(whole[id].second, times[rounds.back()].second) << id;
    EXPECT_EQ(whole[id], cores_apart[id]) << id;
  }
}

/// Computations, and rings of some accelerators that wait for them and for each other.
TaskGraph random_rings(unsigned seed, std::size_t accelerators) {
  std::mt19937 random{seed};
  TaskBuilder build{accelerators};
  KnownTasks known{accelerators, random};
  for (int i = 0; i < 40; ++i) {
    auto const here = random() % accelerators;
    known.add(here, build.compute(here, 1 + random() % 2'000, known.pick(here)));
    if (i % 4 != 0) continue;
    std::vector<std::size_t> members(accelerators);
    std::iota(members.begin(), members.end(), std::size_t{0});
    std::shuffle(members.begin(), members.end(), random);
    members.resize(2 + random() % (accelerators - 1));
    build.reduces = random() % 2 == 0;
    std::vector<std::vector<TaskId>> after;
    for (auto const member : members) after.push_back(known.pick(member));
    auto const sent = build.ring(members, static_cast<std::uint32_t>(1 + random() % 7),
                                 static_cast<std::int64_t>(1 + random() % 500), after);
    known.add_ring(members, sent);
  }
  return build.graph;
}

class RandomRings : public testing::TestWithParam<unsigned> {};

TEST_P(RandomRings, TakeAsLongAsATaskForEachRound) {
  auto slow_sums = small_array(8, FabricSpec::Topology::torus);
  slow_sums.groups.front().accelerator.reduce_bandwidth = Bandwidth{5'000'000'000};
  auto through_memory = small_array(8, FabricSpec::Topology::torus);
  through_memory.groups.front().accelerator.memory =
      arch::BandwidthMemorySpec{Bandwidth{30'000'000'000}, Time{12'345}};
  through_memory.groups.front().accelerator.transfer_block = Bytes{128};
  std::vector<arch::ArraySpec> const arrays = {
      small_array(8), small_array(8, FabricSpec::Topology::torus), slow_sums, through_memory,
      small_network("dragonfly:2x2x2")};
  expect_same_times(arrays[GetParam() % arrays.size()], random_rings(GetParam(), 8));
}

Time time_on(arch::ArraySpec const& array, TaskGraph const& tasks) {
  traces::NullSink sink;
  return engine::run(array, tasks, sink).summary.time;
}

TEST_P(RandomRings, AreNoFasterThanTheBoundsOfFasterResources) {
  auto const tasks = random_rings(GetParam(), 8);
  auto array = small_array(8, FabricSpec::Topology::torus);
  traces::NullSink sink;
  auto const run = engine::run(array, tasks, sink).summary;
  for (auto const& entry : run.reasons->what_if) {
    EXPECT_LE(entry.bound, run.time) << entry.resource;
    EXPECT_LE(entry.bound, entry.estimate_infinite) << entry.resource;
    EXPECT_LE(entry.estimate_infinite, entry.estimate_2x) << entry.resource;
    EXPECT_LE(entry.estimate_2x, run.time) << entry.resource;
    auto faster = array;
    if (entry.resource == "links") faster.fabric.link_bandwidth = unlimited_bandwidth;
    if (entry.resource == "compute") {
      faster.groups.front().accelerator.processing_unit = arch::MacRateUnitSpec{1'000'000'000};
    }
    EXPECT_LE(entry.bound, time_on(faster, tasks)) << entry.resource;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRings, testing::Range(0U, 40U));

/// 100 bytes take 100 ns; hop and messages between dispatcher and interface besides.
TEST(Rounds, FollowEachOtherAtTheRateOfTheLinkOnceTheirSenderIsThere) {
  auto const array = small_array(4, FabricSpec::Topology::torus);
  auto const end_of = [&](std::int64_t late) {
    TaskBuilder build{4};
    auto const computed = build.compute(0, late);
    build.ring({0, 1}, 3, 100, {{computed}, {}});
    auto const times = times_of(array, build.graph);
    return std::pair{times[TaskId{1}].second, times[TaskId{2}].second};
  };
  auto const [own, other] = end_of(1'000);
  auto const [later, other_later] = end_of(1'500);
  EXPECT_EQ(later - own, Time{500'000});
  EXPECT_EQ(other_later - other, Time{500'000});
}

TEST(Rounds, AreCountedAsMessages) {
  TaskBuilder build{4};
  build.ring({0, 1, 2, 3}, 3, 100, {{}, {}, {}, {}});
  MemorySink sink;
  auto const summary =
      engine::run(small_array(4, FabricSpec::Topology::torus), build.graph, sink).summary;
  ASSERT_EQ(summary.traffic.size(), 4U);
  for (auto const& entry : summary.traffic) {
    EXPECT_EQ(entry.messages, 3);
    EXPECT_EQ(entry.bytes, Bytes{300});
  }
}

}  // namespace
}  // namespace tessera::sim

// A run that is timed once more as it was takes as long as it did, also where much happens within an instant: else nothing would be known
// of faster resources (what_if.cpp). Here are the runs that make it hard.
#include "sim/outcome/what_if.hpp"

#include <gtest/gtest.h>

#include "sim/engine/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim {
namespace {

/// Dispatchers, units and synchronizers hear of each other at once.
arch::ArraySpec array_without_latencies(std::int64_t accelerators) {
  auto array = small_array(accelerators);
  array.fabric.hop_latency = Cycles{0};
  array.groups.front().accelerator.dispatch_latency = Cycles{0};
  return array;
}

traces::RunSummary summary_of(arch::ArraySpec const& array, TaskGraph const& tasks) {
  traces::NullSink sink;
  return engine::run(array, tasks, sink).summary;
}

Time infinitely_fast(traces::RunSummary const& summary, std::string const& resource) {
  for (auto const& entry : summary.reasons.value().what_if) {
    if (entry.resource == resource) return entry.estimate_infinite;
  }
  ADD_FAILURE() << "no " << resource;
  return Time{0};
}

/// The load comes before the barrier's last member in the graph, and takes no time behind it.
TEST(WhatIf, NothingGoesOnBehindABarrierBeforeItsLastMember) {
  TaskBuilder build{2};
  auto const barrier = build.graph.add_barrier();
  auto const early = build.reach(barrier, 0);
  auto const load = build.load(0, 0, {early});
  auto const late = build.compute(1, 10);
  build.reach(barrier, 1, {late});
  build.load(0, 1'000'000, {load});
  auto array = array_without_latencies(2);
  array.groups.front().accelerator.memory = arch::BandwidthMemorySpec{Bandwidth{1'000'000'000}};
  auto const summary = summary_of(array, build.graph);
  auto const computing = summary.time - Time{8'000'000'000};  // 1 MB at 1 Gb/s is 8 ms
  ASSERT_GT(computing, Time{0});
  EXPECT_EQ(infinitely_fast(summary, "memory"), computing);
}

TEST(WhatIf, IsKnownOfRandomTasksWithinInstants) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const most = seed % 4 < 2 ? 2U : 1000U;  // work, so that much of it takes no time
    auto const tasks = random_tasks(seed, 4, 200, most);
    auto const summary = summary_of(array_without_latencies(4), tasks);
    EXPECT_FALSE(summary.reasons.value().what_if.empty());
  }
}

}  // namespace
}  // namespace tessera::sim

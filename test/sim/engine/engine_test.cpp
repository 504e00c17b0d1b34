// The engine wakes the same cores as SystemC does: the same report, whatever the order within an instant, and run after run.
#include "sim/engine/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/shell/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/support/forked.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;

/// What a host says of a run: the fingerprint, every task, and why it took so long.
template <typename Run>
std::string outcome(Run run_on_host, arch::ArraySpec const& array, TaskGraph const& tasks,
                    RunOptions const& options = {}) {
  MemorySink sink;
  Report const report = run_on_host(array, tasks, sink, options);
  std::string text = traces::to_hex(report.summary.fingerprint);
  text += report.summary.complete ? " complete" : " stuck";
  text += " at " + std::to_string(report.summary.time.value());
  for (auto const& line : report.stuck) text += '\n' + line;
  for (auto const& event : sink.events) {
    text += '\n' + std::to_string(event.task) + ' ' + std::to_string(event.start.value()) + ' ' +
            std::to_string(event.end.value()) + ' ' + std::to_string(event.waited_for) + ' ' +
            std::to_string(event.cause) + ' ' + std::to_string(event.slack.value());
  }
  auto const reasons = report.summary.reasons.value_or(traces::Reasons{});
  for (auto const& piece : reasons.critical_path) {
    text += '\n' + std::to_string(piece.begin.value()) + ' ' + std::to_string(piece.task) + ' ' +
            std::to_string(piece.cause) + ' ' + std::to_string(piece.link);
  }
  return text;
}

std::string on_systemc(arch::ArraySpec const& array, TaskGraph const& tasks) {
  return test::forked([&] { return outcome(run, array, tasks); });
}

std::string by_engine(arch::ArraySpec const& array, TaskGraph const& tasks,
                      RunOptions const& options = {}) {
  return outcome(engine::run, array, tasks, options);
}

class RandomRun : public testing::TestWithParam<unsigned> {
 protected:
  RandomRun() {
    std::vector<arch::ArraySpec> const arrays = {small_array(8),
                                                 small_array(8, arch::FabricSpec::Topology::torus),
                                                 small_network("dragonfly:2x2x2"),
                                                 small_packets("torus:4x2"),
                                                 small_wormhole("torus:4x2"),
                                                 small_wormhole("tree:2x4")};
    array_ = arrays[GetParam() % arrays.size()];
    auto& accelerator = array_.groups.front().accelerator;
    accelerator.clock = Frequency{700'000'000};
    accelerator.memory = arch::BandwidthMemorySpec{Bandwidth{3'000'000'000}, Time{12'345}};
    if (GetParam() % 2 == 0) accelerator.dispatch_latency = Cycles{0};
    tasks_ = random_tasks(GetParam(), 8, 200);
  }

  arch::ArraySpec array_;
  TaskGraph tasks_{8};
};

TEST_P(RandomRun, IsWhatSystemCSays) {
  auto const text = on_systemc(array_, tasks_);
  EXPECT_THAT(text, HasSubstr("complete"));
  EXPECT_EQ(by_engine(array_, tasks_), text);
}

TEST_P(RandomRun, IsTheSameInAnyOrderAndAgain) {
  auto const text = by_engine(array_, tasks_);
  RunOptions reverse;
  reverse.module_order = RunOptions::ModuleOrder::reverse;
  EXPECT_EQ(by_engine(array_, tasks_, reverse), text);
  RunOptions shuffled;
  shuffled.shuffle_seed = GetParam();
  EXPECT_EQ(by_engine(array_, tasks_, shuffled), text);
  EXPECT_EQ(by_engine(array_, tasks_), text);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, testing::Range(1U, 13U));

/// Counts what it is told, and says that it keeps no tasks.
class CountingSink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const& /*run*/) override {}
  void record(traces::TaskEvent const& /*event*/) override { ++records; }
  [[nodiscard]] bool keeps_tasks() const override { return false; }
  void end(traces::RunSummary const& /*summary*/) override {}

  int records = 0;
};

TEST(Engine, TellsNoTasksToWhoKeepsNone) {
  auto const array = small_array(8);
  auto const tasks = random_tasks(1, 8, 200);
  CountingSink nobody;
  auto const report = engine::run(array, tasks, nobody);
  EXPECT_EQ(nobody.records, 0);
  MemorySink sink;
  EXPECT_EQ(engine::run(array, tasks, sink).summary.fingerprint, report.summary.fingerprint);
  EXPECT_EQ(sink.events.size(), tasks.size());
}

/// Accelerator 1 never reaches the barrier.
TaskGraph one_is_missing() {
  TaskBuilder build{2};
  BarrierId const barrier = build.graph.add_barrier();
  build.compute(0, 10);
  build.compute(0, 10, {build.reach(barrier, 0)});
  return build.graph;
}

TEST(Engine, SaysWhoWaitsForWhom) {
  auto const text = by_engine(small_array(2), one_is_missing());
  EXPECT_THAT(text, HasSubstr("stuck"));
  EXPECT_THAT(text, HasSubstr("waits for accelerator-1"));
  EXPECT_EQ(text, on_systemc(small_array(2), one_is_missing()));
}

TEST(Engine, EndsARunThatGoesNowhere) {
  TaskBuilder build{2};
  build.transfer(0, 1, 1'000'000);
  RunOptions options;
  options.fast_forward = PhaseMemo::Use::off;
  options.stall_limit = 19;
  EXPECT_THAT(by_engine(small_array(2), build.graph, options),
              HasSubstr("no task completed in 19 activations"));
}

TEST(Engine, BrokenContractComesOutAsItself) {
  TaskBuilder huge{1};
  for (int task = 0; task < 3; ++task) huge.compute(0, std::int64_t{1} << 52);
  EXPECT_THROW(static_cast<void>(by_engine(small_array(1), huge.graph)), ContractError);
}

}  // namespace
}  // namespace tessera::sim

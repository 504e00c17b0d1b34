// The order in which the kernel builds and runs modules must not matter: random graphs, each run in a process of its own.
#include <gtest/gtest.h>

#include "arch/base/clock.hpp"
#include "sim/shell/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/sim/shell/task_numbers.hpp"
#include "test/support/forked.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim {
namespace {

/// Everything that a run says, in one text.
std::string outcome(arch::ArraySpec const& array, TaskGraph const& tasks,
                    RunOptions const& options) {
  return test::forked([&] {
    MemorySink sink;
    Report const report = run(array, tasks, sink, options);
    std::string text = traces::to_hex(report.summary.fingerprint);
    text += report.summary.complete ? " complete" : " stuck";
    for (auto const& event : sink.events) {
      text += '\n' + std::to_string(event.task) + ' ' + std::to_string(event.start.value()) + ' ' +
              std::to_string(event.end.value());
    }
    for (auto const& counter : report.summary.counters) {
      text += '\n' + counter.resource + ' ' + counter.name + ' ' + std::to_string(counter.value);
    }
    return text;
  });
}

class RandomRun : public testing::TestWithParam<unsigned> {
 protected:
  RandomRun() {
    // One clock is no multiple of the other, links are slow, memory takes time.
    std::vector<arch::ArraySpec> const arrays = {small_array(8),
                                                 small_array(8, arch::FabricSpec::Topology::torus),
                                                 small_network("dragonfly:2x2x2"),
                                                 small_packets("torus:4x2"),
                                                 small_packets("fat-tree:2x3"),
                                                 small_wormhole("torus:4x2"),
                                                 small_wormhole("tree:2x4")};
    array_ = arrays[GetParam() % arrays.size()];
    array_.groups.front().accelerator.clock = Frequency{700'000'000};
    array_.groups.front().accelerator.memory =
        arch::BandwidthMemorySpec{Bandwidth{3'000'000'000}, Time{12'345}};
    tasks_ = random_tasks(GetParam(), 8, 300);
  }

  arch::ArraySpec array_;
  TaskGraph tasks_{8};
};

TEST_P(RandomRun, IsTheSameInReverseAndShuffledOrder) {
  std::string const forward = outcome(array_, tasks_, {});
  EXPECT_NE(forward.find("complete"), std::string::npos);
  RunOptions reverse;
  reverse.module_order = RunOptions::ModuleOrder::reverse;
  EXPECT_EQ(outcome(array_, tasks_, reverse), forward);
  RunOptions shuffled;
  shuffled.shuffle_seed = GetParam();
  EXPECT_EQ(outcome(array_, tasks_, shuffled), forward);
  shuffled.module_order = RunOptions::ModuleOrder::reverse;
  shuffled.shuffle_seed = 1000 + GetParam();
  EXPECT_EQ(outcome(array_, tasks_, shuffled), forward);
}

TEST_P(RandomRun, HasAnotherFingerprintWhenOneTaskIsLonger) {
  TaskGraph longer = tasks_;
  Task extra;
  extra.macs = Macs{1};
  longer.add(extra, {});
  EXPECT_NE(outcome(array_, longer, {}).substr(0, 16), outcome(array_, tasks_, {}).substr(0, 16));
}

TEST_P(RandomRun, StartsNoTaskBeforeWhatItWaitsForIsDone) {
  MemorySink sink;
  static_cast<void>(run(array_, tasks_, sink));
  IdVector<TaskId, Time> ends{tasks_.size()};
  auto const numbers = tasks_by_number(tasks_);
  for (auto const& event : sink.events)
    ends[numbers.at(static_cast<std::size_t>(event.task))] = event.end;
  for (auto const& event : sink.events) {
    for (TaskId const before : tasks_.after(numbers.at(static_cast<std::size_t>(event.task)))) {
      bool const is_own_transfer = tasks_.at(before).kind == TaskKind::transfer &&
                                   tasks_.at(before).accelerator.index() == event.accelerator;
      if (is_own_transfer) continue;  // its sender waits only until it has left
      EXPECT_GE(event.start, ends[before]);
    }
  }
}

TEST_P(RandomRun, GivesEveryTaskAtLeastTheTimeOfItsWork) {
  MemorySink sink;
  static_cast<void>(run(array_, tasks_, sink));
  Clock const clock{array_.groups.front().accelerator.clock};
  auto const numbers = tasks_by_number(tasks_);
  for (auto const& event : sink.events) {
    Task const& task = tasks_.at(numbers.at(static_cast<std::size_t>(event.task)));
    Time work{0};
    if (task.kind == TaskKind::compute) {
      work = clock.edge(Cycles{task.macs.value()}) - Time{1};  // both ends are rounded
    } else if (task.kind == TaskKind::transfer) {
      work = Bytes{task.bytes.value() / 2} / array_.lane_bandwidth(1);  // two ways at best
    } else if (task.kind == TaskKind::load) {
      work = task.bytes / Bandwidth{3'000'000'000} + Time{12'345};
    }
    EXPECT_GE(event.end - event.start, work) << event.task;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, testing::Range(1U, 22U));

}  // namespace
}  // namespace tessera::sim

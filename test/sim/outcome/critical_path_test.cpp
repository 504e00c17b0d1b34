// What tasks waited for, and the path that explains a run, on runs that can be worked out by hand: a clock is 1 ns, and a message to a
// unit or back takes one.
#include "sim/outcome/critical_path.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim::outcome {
namespace {

using testing::ElementsAre;

/// A run, explained: "compute 0 1-11" is task 0, computing from 1 to 11 ns.
class Explained {
 public:
  Explained(arch::ArraySpec const& array, TaskGraph const& tasks)
      : report{engine::run(array, tasks, sink)} {}

  [[nodiscard]] std::vector<std::string> path() const {
    std::vector<std::string> texts;
    for (auto const& piece : report.summary.reasons->critical_path) {
      texts.push_back(path_cause_names().at(piece.cause) + ' ' + std::to_string(piece.task) + ' ' +
                      ns(piece.begin) + '-' + ns(piece.end));
    }
    return texts;
  }
  /// "unit 0": for its unit, which was at work for task 0.
  [[nodiscard]] std::string wait_of(std::uint32_t task) const {
    auto const& event = event_of(task);
    return wait_cause_names().at(event.cause) + ' ' + std::to_string(event.waited_for);
  }
  [[nodiscard]] std::string slack_of(std::uint32_t task) const { return ns(event_of(task).slack); }

 private:
  [[nodiscard]] traces::TaskEvent const& event_of(std::uint32_t task) const {
    return *std::find_if(sink.events.begin(), sink.events.end(),
                         [task](auto const& event) { return event.task == task; });
  }
  static std::string ns(Time time) {
    EXPECT_EQ(time.value() % 1'000, 0) << time;
    return std::to_string(time.value() / 1'000);
  }

  MemorySink sink;
  Report report;
};

TEST(CriticalPath, OfAChainIsItsTasksAndTheMessagesBetweenThem) {
  TaskBuilder build{1};
  auto const first = build.compute(0, 10);
  build.compute(0, 20, {first});
  Explained const run{small_array(1), build.graph};
  EXPECT_THAT(run.path(), ElementsAre("dispatch 0 0-1", "compute 0 1-11", "dispatch 1 11-13",
                                      "compute 1 13-33", "dispatch 1 33-34"));
  EXPECT_EQ(run.wait_of(0), "none -1");
  EXPECT_EQ(run.wait_of(1), "data 0");
}

TEST(CriticalPath, GoesThroughTheTaskThatTheUnitWasAtWorkFor) {
  TaskBuilder build{1};
  build.compute(0, 10);
  build.compute(0, 20);
  Explained const run{small_array(1), build.graph};
  EXPECT_THAT(run.path(), ElementsAre("dispatch 0 0-1", "compute 0 1-11", "compute 1 11-31",
                                      "dispatch 1 31-32"));
  EXPECT_EQ(run.wait_of(1), "unit 0");
}

/// The unit is at work until 21, and the second task gets there at 20 or 21.
TEST(CriticalPath, WaitsForTheUnitOnlyIfItIsAtWork) {
  for (std::int64_t const bytes : {5, 6}) {
    TaskBuilder build{2};
    build.compute(0, 20);
    auto const sent = build.transfer(1, 0, bytes);  // told at 2 + 11 + bytes + 1
    build.compute(0, 5, {sent});
    Explained const run{small_array(2), build.graph};
    EXPECT_EQ(run.wait_of(1), bytes == 5 ? "unit 0" : "data 2") << bytes;
  }
}

TEST(CriticalPath, OfTransfersOfOneAcceleratorGoesThroughTheOneThatItsLinkCarriedBefore) {
  TaskBuilder build{2};
  build.transfer(0, 1, 100);
  build.transfer(0, 1, 50);
  Explained const run{small_array(2), build.graph};
  EXPECT_EQ(run.wait_of(1), "link 0");
  EXPECT_EQ(run.wait_of(0), "none -1");
}

/// Accelerators 2 and 3 send to 0, whose own link carries one message after the other.
TEST(CriticalPath, SaysHowMuchLongerATransferTookThanAlone) {
  TaskBuilder build{4};
  build.transfer(1, 0, 100);
  auto const alone = Explained{small_array(4), build.graph}.path();
  EXPECT_THAT(alone, testing::Not(testing::Contains(testing::StartsWith("wait"))));
  build.transfer(1, 0, 100);
  build.transfer(2, 3, 100);
  EXPECT_THAT(Explained(small_array(4), build.graph).path(),
              testing::Not(testing::Contains(testing::StartsWith("wait"))));
  TaskBuilder crowded{4};
  crowded.transfer(2, 0, 100);
  crowded.transfer(3, 0, 100);
  EXPECT_THAT(Explained(small_array(4), crowded.graph).path(),
              ElementsAre("dispatch 1 0-2", "wait 1 2-102", testing::StartsWith("communication 1"),
                          testing::StartsWith("dispatch 1")));
}

TEST(CriticalPath, CrossesABarrierToTheMemberThatReachedItLast) {
  TaskBuilder build{2};
  auto const barrier = build.graph.add_barrier();
  auto const shorter = build.compute(0, 10);
  auto const longer = build.compute(1, 30);
  auto const early = build.reach(barrier, 0, {shorter});
  build.reach(barrier, 1, {longer});
  build.compute(0, 5, {early});
  Explained const run{small_array(2), build.graph};  // accelerator 0 has tasks 0 to 2
  EXPECT_THAT(run.path(),
              ElementsAre("dispatch 3 0-1", "compute 3 1-31", "dispatch 4 31-33", "barrier 4 33-34",
                          "dispatch 2 34-35", "compute 2 35-40", "dispatch 2 40-41"));
  EXPECT_EQ(run.wait_of(1), "barrier 4");
  EXPECT_EQ(run.wait_of(4), "data 3");
  EXPECT_EQ(run.wait_of(2), "barrier 1");
}

TaskId compute_in_stage(TaskGraph& graph, std::size_t stage, std::int64_t macs,
                        std::vector<TaskId> const& after) {
  Passage passage;
  passage.stage = stage;
  Task task;
  task.accelerator = task.destination = AcceleratorId{stage};
  task.macs = Macs{macs};
  task.passage = graph.add_passage(passage);
  return graph.add(task, after);
}

/// Forward through stage 0, forward and backward in stage 1, which takes longest, and back.
TEST(CriticalPath, CountsWhatFillsAndDrainsTheLongestStageAsBubbles) {
  TaskBuilder build{2};
  auto const first = compute_in_stage(build.graph, 0, 10, {});
  auto const features = build.transfer(0, 1, 8, {first});
  auto const longest = compute_in_stage(build.graph, 1, 200, {features});
  auto const errors = build.transfer(1, 0, 8, {longest});
  compute_in_stage(build.graph, 0, 20, {errors});
  auto const path = Explained{small_array(2), build.graph}.path();
  using testing::StartsWith;
  EXPECT_THAT(path, testing::Contains("compute 3 35-235"));
  EXPECT_THAT(path, testing::Contains(StartsWith("bubble")).Times(testing::Ge(2)));
  EXPECT_THAT(path.front(), StartsWith("bubble 0 0-"));
  EXPECT_THAT(path.back(), StartsWith("bubble 2 "));
}

TEST(Slack, IsNothingOnThePathAndElsewhereWhatBarriersLeave) {
  TaskBuilder build{2};
  auto const barrier = build.graph.add_barrier();
  auto const shorter = build.compute(0, 10);
  auto const longer = build.compute(1, 30);
  auto const early = build.reach(barrier, 0, {shorter});
  build.reach(barrier, 1, {longer});
  build.compute(0, 5, {early});
  Explained const run{small_array(2), build.graph};
  for (std::uint32_t const task : {1U, 2U, 3U, 4U}) EXPECT_EQ(run.slack_of(task), "0") << task;
  EXPECT_EQ(run.slack_of(0), "20");
}

struct Delayed {
  Time end{0};
  Time slack{0};  ///< of the first task
};

/// With `delay` more MACs of the first task of accelerator 0.
Delayed delayed_by(std::int64_t delay) {
  TaskBuilder build{2};
  auto const first = build.compute(0, 10 + delay);
  build.compute(0, 7);  // behind it
  auto const sent = build.transfer(0, 1, 20, {first});
  build.compute(1, 90);
  build.compute(1, 5, {sent});
  MemorySink sink;
  auto const report = engine::run(small_array(2), build.graph, sink);
  EXPECT_EQ(sink.events.front().task, 0U);
  return {report.summary.time, sink.events.front().slack};
}

TEST(Slack, IsHowMuchLaterATaskMayEnd) {
  auto const on_time = delayed_by(0);
  EXPECT_EQ(on_time.slack, Time{44'000});
  EXPECT_EQ(delayed_by(44).end, on_time.end);
  EXPECT_EQ(delayed_by(45).end, on_time.end + Time{1'000});
}

/// Four in a ring, in three rounds of 20 bytes, each after a computation. Those of accelerators 1
/// to 3 are short. Tasks 0 and 1 are of accelerator 0, 2 and 3 of 1...
TaskGraph ring_after(std::int64_t macs, std::int64_t of_second = 10) {
  TaskBuilder build{4};
  std::vector<std::vector<TaskId>> after;
  for (std::size_t member = 0; member < 4; ++member) {
    after.push_back({build.compute(member, member == 0 ? macs : member == 1 ? of_second : 10)});
  }
  build.ring({0, 1, 2, 3}, 3, 20, after);
  return build.graph;
}

arch::ArraySpec ring_of_4() { return small_array(4, arch::FabricSpec::Topology::torus); }

/// What 2 sends to 3 last, 0 has sent first.
TEST(CriticalPath, OfATransferOfSeveralRoundsGoesThroughWhoeverKeptThemBack) {
  Explained const run{ring_of_4(), ring_after(1'000)};
  auto const path = run.path();
  ASSERT_EQ(path.size(), 5U);
  EXPECT_EQ(path[0], "dispatch 0 0-1");
  EXPECT_EQ(path[1], "compute 0 1-1001");
  EXPECT_THAT(path[2], testing::StartsWith("dispatch 1 1001-"));
  EXPECT_THAT(path[3], testing::StartsWith("communication 5 "));
  EXPECT_THAT(path[4], testing::StartsWith("dispatch 5 "));
}

TEST(Slack, OfRoundsIsHowMuchLaterTheirFirstMayBegin) {
  auto const end_of = [](TaskGraph const& tasks) {
    MemorySink sink;
    return engine::run(ring_of_4(), tasks, sink).summary.time;
  };
  EXPECT_EQ(Explained(ring_of_4(), ring_after(1'000)).slack_of(0), "0");
  // Accelerator 1 may begin nearly as late as 0, whose rounds it passes on.
  auto const slack = std::stoll(Explained(ring_of_4(), ring_after(1'000)).slack_of(2));
  EXPECT_GT(slack, 900);
  auto const end = end_of(ring_after(1'000));
  EXPECT_EQ(end_of(ring_after(1'000, 10 + slack)), end);
  EXPECT_EQ(end_of(ring_after(1'000, 11 + slack)), end + Time{1'000});
}

/// What keeps rounds back begins after others of the ring have, whom somebody waits for in turn.
TEST(Slack, OfWhatKeepsRoundsBackIsThatOfWhoWaitsForThem) {
  TaskBuilder build{4};
  auto const early = build.compute(0, 500);
  auto const late = build.compute(0, 500, {early});  // task 1 of accelerator 0
  std::vector<std::vector<TaskId>> after{{late}};
  for (std::size_t member = 1; member < 4; ++member) after.push_back({build.compute(member, 10)});
  auto const sent = build.ring({0, 1, 2, 3}, 3, 20, after);
  build.compute(3, 2'000, {sent[2]});
  EXPECT_EQ(Explained(ring_of_4(), build.graph).slack_of(1), "0");
}

/// What the run says of computations that take no time, and how long such a run takes.
std::pair<Time, Time> without_computing(arch::ArraySpec array, TaskGraph const& tasks) {
  MemorySink sink;
  auto const run = engine::run(array, tasks, sink).summary;
  array.groups.front().accelerator.processing_unit = arch::MacRateUnitSpec{1'000'000};
  auto const faster = engine::run(array, tasks, sink).summary;
  auto const& entry = run.reasons->what_if.front();
  EXPECT_EQ(entry.resource, "compute");
  return {entry.estimate_infinite, faster.time};
}

/// Rounds that came before their sender was ready follow each other on the link; if all are ready
/// at once, none do.
TEST(WhatIf, OfRoundsIsTheRunWithoutWhatKeptThemBack) {
  auto const [estimate, run] = without_computing(ring_of_4(), ring_after(1'000));
  EXPECT_EQ(estimate + Time{1'000}, run) << "a computation takes a clock at least";
}

/// As long as a run over links that carry everything at once.
TEST(WhatIf, OfRoundsOverFasterLinksIsTheRunOverThem) {
  auto array = ring_of_4();
  auto const tasks = ring_after(1'000);
  MemorySink sink;
  auto const run = engine::run(array, tasks, sink).summary;
  auto const& entry = run.reasons.value().what_if.back();
  EXPECT_EQ(entry.resource, "links");
  array.fabric.link_bandwidth = Bandwidth{std::int64_t{1} << 50U};
  auto const faster = engine::run(array, tasks, sink).summary.time;
  EXPECT_LT(faster, run.time - Time{50'000});
  EXPECT_EQ(entry.estimate_infinite + Time{3'000}, faster)
      << "each of three rounds takes a picosecond, and is heard of a clock later";
}

/// Two rings, one after the other, that would be at once; and a transfer behind both.
TEST(WhatIf, OfRoundsLetsThemTakeTurnsOnALink) {
  TaskBuilder build{4};
  std::vector<std::vector<TaskId>> first;
  std::vector<std::vector<TaskId>> second;
  for (std::size_t member = 0; member < 4; ++member) {
    first.push_back({build.compute(member, 10)});
    second.push_back({build.compute(member, 500, first.back())});
  }
  auto const one = build.ring({0, 1, 2, 3}, 3, 40, first);
  auto const other = build.ring({0, 1, 2, 3}, 3, 40, second);
  build.transfer(0, 1, 300, {one[3], other[3]});
  auto const [estimate, run] = without_computing(ring_of_4(), build.graph);
  EXPECT_NEAR(seconds(estimate), seconds(run), 0.03 * seconds(run));
}

TEST(CriticalPath, IsLeftOutOnRequest) {
  TaskBuilder build{1};
  build.compute(0, 10);
  MemorySink sink;
  RunOptions options;
  options.explain = false;
  EXPECT_FALSE(engine::run(small_array(1), build.graph, sink, options).summary.reasons);
  EXPECT_EQ(sink.events.front().waited_for, -1);
}

}  // namespace
}  // namespace tessera::sim::outcome

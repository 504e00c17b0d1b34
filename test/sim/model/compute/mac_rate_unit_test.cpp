// Whole cycles from a clock edge on, in order of arrival.
#include "sim/model/compute/mac_rate_unit.hpp"

#include <gtest/gtest.h>

#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// Ten MACs per cycle; tasks of the given sizes, numbered from 0.
class Unit {
 public:
  explicit Unit(std::vector<std::int64_t> const& macs, Clock clock = ghz)
      : graph_{graph_of(macs)}, core{{10}, clock, graph_, utilisation} {}

  [[nodiscard]] Arrival start(std::size_t task) const {
    return {MacRateUnit::from_dispatcher, issue(TaskId{task}, graph_.at(TaskId{task}))};
  }

 private:
  static TaskGraph graph_of(std::vector<std::int64_t> const& macs) {
    TaskGraph graph{1};
    for (std::int64_t const count : macs) {
      Task task;
      task.macs = Macs{count};
      task.buffer_accesses = Elements{3 * count};
      graph.add(task, {});
    }
    return graph;
  }

  TaskGraph graph_;

 public:
  BusyHistogram utilisation;
  MacRateUnit core;
};

/// When the dispatcher hears of one task that arrives alone at `now`.
Time done_at(std::int64_t macs, Time now, Clock clock = ghz) {
  Unit unit{{macs}, clock};
  auto const sent = advance(unit.core, now, {unit.start(0)});
  EXPECT_EQ(sent.at(0).message.kind, Message::Kind::done);
  return sent.at(0).at;
}

TEST(MacRateUnit, TakesMacsOverItsRateRoundedUpToCycles) {
  // Cycles of work, plus one clock to tell the dispatcher.
  EXPECT_EQ(done_at(1, ns(1)), ns(1 + 1 + 1));
  EXPECT_EQ(done_at(10, ns(1)), ns(1 + 1 + 1));
  EXPECT_EQ(done_at(11, ns(1)), ns(1 + 2 + 1));
  EXPECT_EQ(done_at(1000, ns(1)), ns(1 + 100 + 1));
}

TEST(MacRateUnit, TakesOneCycleForNoMacs) { EXPECT_EQ(done_at(0, ns(1)), ns(1 + 1 + 1)); }

TEST(MacRateUnit, StartsAtAClockEdge) {
  EXPECT_EQ(done_at(10, Time{1'000}), ns(1 + 1 + 1));
  EXPECT_EQ(done_at(10, Time{1'001}), ns(2 + 1 + 1));
  EXPECT_EQ(done_at(10, Time{2'000}), ns(2 + 1 + 1));
}

TEST(MacRateUnit, DoesOneTaskAfterAnotherInOrderOfIssue) {
  Unit unit{{20, 30}};
  auto const sent = advance(unit.core, ns(1), {unit.start(1), unit.start(0)});
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].message.task, TaskId{0});
  EXPECT_EQ(sent[0].at, ns(1 + 2 + 1));
  EXPECT_EQ(sent[1].message.task, TaskId{1});
  EXPECT_EQ(sent[1].at, ns(1 + 2 + 3 + 1));  // back to back
}

TEST(MacRateUnit, StartsALateTaskWhenItArrives) {
  Unit unit{{20, 20}};
  advance(unit.core, ns(1), {unit.start(0)});
  auto const sent = advance(unit.core, ns(7), {unit.start(1)});
  EXPECT_EQ(sent.at(0).at, ns(7 + 2 + 1));
}

TEST(MacRateUnit, DoesNotDriftWithAClockOfNoWholePeriod) {
  Clock const clock{Frequency{700'000'000}};  // 1428.57... ps
  Unit unit{std::vector<std::int64_t>(7'000, 10), clock};
  std::vector<Arrival> all;
  for (std::size_t task = 0; task < 7'000; ++task) all.push_back(unit.start(task));
  auto const sent = advance(unit.core, Time{0}, all);
  // 7000 cycles of 1/700 MHz are 10 us; the message takes the 7001st.
  EXPECT_EQ(sent.back().at, clock.edge(Cycles{7'001}));
  EXPECT_EQ(statistic(unit.core, "busy"), 10'000'000);
}

TEST(MacRateUnit, CountsWhatItDoes) {
  Unit unit{{20, 30}};
  advance(unit.core, ns(1), {unit.start(0), unit.start(1)});
  EXPECT_EQ(statistic(unit.core, "busy"), ns(2 + 3).value());
  EXPECT_EQ(statistic(unit.core, "macs"), 50);
  EXPECT_EQ(statistic(unit.core, "tasks"), 2);
  EXPECT_EQ(statistic(unit.core, "buffer_accesses"), 3 * 50);
  EXPECT_EQ(unit.utilisation.total(), ns(2 + 3));
}

TEST(MacRateUnit, RefusesWhatIsNotComputing) {
  TaskGraph graph{1};
  Task load;
  load.kind = TaskKind::load;
  graph.add(load, {});
  BusyHistogram utilisation;
  MacRateUnit unit{{1}, ghz, graph, utilisation};
  EXPECT_THROW(advance(unit, ns(1), {{MacRateUnit::from_dispatcher, issue(TaskId{0}, load)}}),
               ContractError);
}

}  // namespace
}  // namespace tessera::sim

// What a dispatcher issues, when, and what it says when it is stuck.
#include "sim/model/control/dispatcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/sim/model/protocol/core_harness.hpp"
#include "test/support/named_operators.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Task task_of(TaskKind kind, std::size_t accelerator = 0, std::size_t destination = 0) {
  Task task;
  task.kind = kind;
  task.accelerator = AcceleratorId{accelerator};
  task.destination = AcceleratorId{destination};
  return task;
}

/// The dispatcher of accelerator 0 of a graph.
class Fixture {
 public:
  explicit Fixture(TaskGraph the_graph) : graph{std::move(the_graph)} {}

  /// Reports a task as done, through the port of the network interface if it is a transfer.
  [[nodiscard]] Arrival report(Message::Kind kind, std::size_t task) const {
    Message message = issue(TaskId{task}, graph.at(TaskId{task}));
    message.kind = kind;
    bool const transfers = graph.at(TaskId{task}).kind == TaskKind::transfer;
    return {transfers ? Dispatcher::from_network_interface : Dispatcher::from_processing_unit,
            message};
  }

  [[nodiscard]] std::vector<std::size_t> issued(Time now, std::vector<Arrival> arrivals = {}) {
    std::vector<std::size_t> tasks;
    for (auto const& entry : advance(core, now, std::move(arrivals))) {
      tasks.push_back(entry.message.task.index());
    }
    return tasks;
  }

  TaskGraph graph;
  Schedule schedule{graph};
  Records records{graph};
  Dispatcher core{AcceleratorId{0}, ghz, schedule, records};
};

TEST(Dispatcher, IssuesWhatWaitsForNothingAtOnceAndInOrder) {
  TaskGraph graph{1};
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::load), {});
  graph.add(task_of(TaskKind::compute), {TaskId{0}});
  graph.add(task_of(TaskKind::compute), {});
  Fixture fixture{graph};
  EXPECT_THAT(fixture.issued(ns(0)), ElementsAre(0, 1, 3));
}

TEST(Dispatcher, SendsEachKindToItsUnitOneClockLater) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::load), {});
  graph.add(task_of(TaskKind::store), {});
  graph.add(task_of(TaskKind::transfer, 0, 1), {});
  Task barrier = task_of(TaskKind::barrier);
  barrier.barrier = graph.add_barrier();
  graph.add(barrier, {});
  Fixture fixture{graph};
  auto const sent = advance(fixture.core, ns(5));
  ASSERT_EQ(sent.size(), 5U);
  EXPECT_EQ(sent[0].port, Dispatcher::to_processing_unit);
  EXPECT_EQ(sent[1].port, Dispatcher::to_memory);
  EXPECT_EQ(sent[2].port, Dispatcher::to_memory);
  EXPECT_EQ(sent[3].port, Dispatcher::to_network_interface);
  EXPECT_EQ(sent[4].port, Dispatcher::to_synchronizer);
  EXPECT_EQ(sent[4].message.kind, Message::Kind::arrive);
  for (auto const& entry : sent) EXPECT_EQ(entry.at, ns(6));
}

TEST(Dispatcher, SendsAtTheClockAfterTheEdgeAtWhichItSees) {
  TaskGraph graph{1};
  graph.add(task_of(TaskKind::compute), {});
  Fixture fixture{graph};
  EXPECT_EQ(advance(fixture.core, Time{5'001}).at(0).at, ns(7));
}

TEST(Dispatcher, IssuesATaskWhenTheLastPredecessorIsDone) {
  TaskGraph graph{1};
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::compute), {TaskId{0}, TaskId{1}});
  Fixture fixture{graph};
  EXPECT_THAT(fixture.issued(ns(0)), ElementsAre(0, 1));
  EXPECT_THAT(fixture.issued(ns(5), {fixture.report(Message::Kind::done, 1)}), IsEmpty());
  EXPECT_THAT(fixture.issued(ns(6), {fixture.report(Message::Kind::done, 0)}), ElementsAre(2));
}

TEST(Dispatcher, IssuesTasksOfOneInstantByIdWhoeverMadeThemReady) {
  TaskGraph graph{1};
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::compute), {TaskId{1}});
  graph.add(task_of(TaskKind::compute), {TaskId{0}});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  EXPECT_THAT(fixture.issued(ns(5), {fixture.report(Message::Kind::done, 0),
                                     fixture.report(Message::Kind::done, 1)}),
              ElementsAre(2, 3));
}

TEST(Dispatcher, WaitsForIncomingTransfersOnlyWhereTheyArrive) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::transfer, 1, 0), {});
  graph.add(task_of(TaskKind::compute, 0), {TaskId{0}});
  graph.add(task_of(TaskKind::compute, 1), {TaskId{0}});  // of the sender: not ours to start
  Fixture fixture{graph};
  EXPECT_THAT(fixture.issued(ns(0)), IsEmpty());
  fixture.records.journal.start(TaskId{0}, ns(1));
  EXPECT_THAT(fixture.issued(ns(9), {fixture.report(Message::Kind::done, 0)}), ElementsAre(1));
}

TEST(Dispatcher, OfTheSenderGoesOnWhenTheTransferHasLeft) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::transfer, 0, 1), {});
  graph.add(task_of(TaskKind::compute, 0), {TaskId{0}});
  Fixture fixture{graph};
  EXPECT_THAT(fixture.issued(ns(0)), ElementsAre(0));
  EXPECT_THAT(fixture.issued(ns(9), {fixture.report(Message::Kind::sent, 0)}), ElementsAre(1));
  EXPECT_FALSE(fixture.records.journal.completed(TaskId{0})) << "it completes at the receiver";
}

TEST(Dispatcher, WritesStartAndEndIntoTheJournal) {
  TaskGraph graph{1};
  graph.add(task_of(TaskKind::compute), {});
  Fixture fixture{graph};
  advance(fixture.core, ns(3));
  advance(fixture.core, ns(9), {fixture.report(Message::Kind::done, 0)});
  EXPECT_EQ(fixture.records.journal.started(TaskId{0}), ns(3));
  EXPECT_EQ(fixture.records.journal.completed(TaskId{0}), ns(9));
  EXPECT_EQ(statistic(fixture.core, "tasks_issued"), 1);
  EXPECT_EQ(statistic(fixture.core, "tasks_completed"), 1);
}

TEST(Dispatcher, CountsAnAwaitedTransferAsCommunicationOnceNothingElseIsMissing) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::transfer, 1, 0), {});
  graph.add(task_of(TaskKind::compute), {TaskId{0}, TaskId{1}});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  advance(fixture.core, ns(10), {fixture.report(Message::Kind::done, 0)});
  fixture.records.journal.start(TaskId{1}, ns(0));
  advance(fixture.core, ns(25), {fixture.report(Message::Kind::done, 1)});
  advance(fixture.core, ns(30), {fixture.report(Message::Kind::done, 2)});
  fixture.core.close(ns(32));
  auto const rows = fixture.records.breakdown.rows();
  ASSERT_EQ(rows.size(), 1U);  // one operator, one phase
  EXPECT_THAT(rows[0].times, ElementsAre(ns(10 + 5), ns(0), ns(15), ns(2)));
}

TEST(Dispatcher, CountsAnOwnTransferAsCommunicationUntilItHasLeft) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::transfer, 0, 1), {});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  advance(fixture.core, ns(8), {fixture.report(Message::Kind::sent, 0)});
  fixture.core.close(ns(10));
  EXPECT_THAT(fixture.records.breakdown.rows().at(0).times,
              ElementsAre(ns(0), ns(0), ns(8), ns(2)));
}

TEST(Dispatcher, NamesWhatIsUnderWayAndTheFirstTaskThatWaits) {
  TaskGraph graph{2};
  graph.set_operators(operators_named({"conv1"}), Bytes{4});
  graph.add(task_of(TaskKind::compute), {});
  graph.add(task_of(TaskKind::transfer, 1, 0), {});
  graph.add(task_of(TaskKind::compute), {TaskId{1}});
  graph.add(task_of(TaskKind::compute), {TaskId{2}});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  EXPECT_THAT(fixture.core.waits_for(),
              ElementsAre("accelerator-0: compute conv1.forward (task 0) is under way",
                          "accelerator-0: compute conv1.forward (task 2) waits for task 1 "
                          "(transfer from accelerator-1, never sent)"));
  fixture.records.journal.start(TaskId{1}, ns(1));
  EXPECT_THAT(fixture.core.waits_for(), testing::Contains(testing::HasSubstr("under way)")));
}

TEST(Dispatcher, DoesNotWaitForAnOwnTransferThatHasLeft) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::transfer, 0, 1), {});
  graph.add(task_of(TaskKind::transfer, 1, 0), {});
  graph.add(task_of(TaskKind::compute), {TaskId{0}, TaskId{1}});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  EXPECT_EQ(fixture.core.waits_for().size(), 2U);
  advance(fixture.core, ns(5), {fixture.report(Message::Kind::sent, 0)});
  EXPECT_THAT(fixture.core.waits_for(), ElementsAre(testing::HasSubstr("waits for task 1")));
}

TEST(Dispatcher, NamesTheBarrierThatItWaitsAt) {
  TaskGraph graph{1};
  Task barrier = task_of(TaskKind::barrier);
  barrier.barrier = graph.add_barrier();
  graph.add(barrier, {});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  EXPECT_THAT(fixture.core.waits_for(),
              ElementsAre("accelerator-0: barrier operator-0.forward (task 0) waits at barrier 0"));
  advance(fixture.core, ns(5), {fixture.report(Message::Kind::release, 0)});
  EXPECT_THAT(fixture.core.waits_for(), IsEmpty());
}

TEST(Dispatcher, RefusesMessagesThatAreNotForIt) {
  TaskGraph graph{2};
  graph.add(task_of(TaskKind::compute, 0), {});
  graph.add(task_of(TaskKind::compute, 1), {});
  Fixture fixture{graph};
  advance(fixture.core, ns(0));
  EXPECT_THROW(advance(fixture.core, ns(1), {fixture.report(Message::Kind::packet, 0)}),
               ContractError);
  Fixture other{graph};
  advance(other.core, ns(0));
  EXPECT_THROW(advance(other.core, ns(1), {other.report(Message::Kind::done, 1)}), ContractError);
}

}  // namespace
}  // namespace tessera::sim

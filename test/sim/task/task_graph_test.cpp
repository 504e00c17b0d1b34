// The rules of a task graph are checked when a task is added.
#include "sim/task/task_graph.hpp"
#include "test/support/named_operators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Task task_of(TaskKind kind, std::size_t accelerator) {
  Task task;
  task.kind = kind;
  task.accelerator = AcceleratorId{accelerator};
  return task;
}

Task transfer(std::size_t from, std::size_t to, std::int64_t bytes) {
  Task task = task_of(TaskKind::transfer, from);
  task.destination = AcceleratorId{to};
  task.bytes = Bytes{bytes};
  task.level = 1;
  return task;
}

TEST(TaskGraph, NumbersTasksInTheOrderOfAdding) {
  TaskGraph graph{1};
  EXPECT_EQ(graph.add(task_of(TaskKind::compute, 0), {}), TaskId{0});
  EXPECT_EQ(graph.add(task_of(TaskKind::compute, 0), {TaskId{0}}), TaskId{1});
  EXPECT_EQ(graph.size(), 2U);
}

TEST(TaskGraph, KeepsPredecessorsSortedAndOnce) {
  TaskGraph graph{1};
  TaskId const first = graph.add(task_of(TaskKind::load, 0), {});
  TaskId const second = graph.add(task_of(TaskKind::load, 0), {});
  TaskId const third = graph.add(task_of(TaskKind::compute, 0), {second, first, second});
  EXPECT_THAT(graph.after(third), ElementsAre(first, second));
  EXPECT_THAT(graph.after(first), IsEmpty());
}

TEST(TaskGraph, SumsMacsAndTransferredBytes) {
  TaskGraph graph{2};
  Task compute = task_of(TaskKind::compute, 0);
  compute.macs = Macs{7};
  graph.add(compute, {});
  graph.add(compute, {});
  graph.add(transfer(0, 1, 100), {});
  graph.add(transfer(1, 0, 20), {});
  Task load = task_of(TaskKind::load, 0);
  load.bytes = Bytes{1000};  // not transferred
  graph.add(load, {});
  EXPECT_EQ(macs_of(graph), Macs{14});
  EXPECT_EQ(transferred_in(graph), Bytes{120});
}

TEST(TaskGraph, LetsTheReceiverAndTheSenderWaitForATransfer) {
  TaskGraph graph{3};
  TaskId const sent = graph.add(transfer(0, 1, 4), {});
  EXPECT_NO_THROW(graph.add(task_of(TaskKind::compute, 0), {sent}));
  EXPECT_NO_THROW(graph.add(task_of(TaskKind::compute, 1), {sent}));
  EXPECT_THROW(graph.add(task_of(TaskKind::compute, 2), {sent}), ContractError);
}

TEST(TaskGraph, RejectsWaitingForAnotherAcceleratorsTask) {
  TaskGraph graph{2};
  TaskId const there = graph.add(task_of(TaskKind::compute, 1), {});
  EXPECT_THROW(graph.add(task_of(TaskKind::compute, 0), {there}), ContractError);
}

TEST(TaskGraph, RejectsAPredecessorThatDoesNotExistYet) {
  TaskGraph graph{1};
  EXPECT_THROW(graph.add(task_of(TaskKind::compute, 0), {TaskId{0}}), ContractError);
}

TEST(TaskGraph, RejectsAcceleratorsThatDoNotExist) {
  TaskGraph graph{2};
  EXPECT_THROW(graph.add(task_of(TaskKind::compute, 2), {}), ContractError);
  EXPECT_THROW(graph.add(transfer(0, 2, 4), {}), ContractError);
}

TEST(TaskGraph, RejectsATransferToItself) {
  TaskGraph graph{2};
  EXPECT_THROW(graph.add(transfer(1, 1, 4), {}), ContractError);
}

TEST(TaskGraph, AcceptsATransferOfNothingButNotOfLess) {
  TaskGraph graph{2};
  EXPECT_NO_THROW(graph.add(transfer(0, 1, 0), {}));
  EXPECT_THROW(graph.add(transfer(0, 1, -1), {}), ContractError);
}

TEST(TaskGraph, RejectsFieldsThatTheKindDoesNotHave) {
  TaskGraph graph{2};
  Task load = task_of(TaskKind::load, 0);
  load.macs = Macs{1};
  EXPECT_THROW(graph.add(load, {}), ContractError);
  Task compute = task_of(TaskKind::compute, 0);
  compute.bytes = Bytes{1};
  EXPECT_THROW(graph.add(compute, {}), ContractError);
  Task store = task_of(TaskKind::store, 0);
  store.reduces = true;
  EXPECT_THROW(graph.add(store, {}), ContractError);
}

TEST(TaskGraph, GivesEachAcceleratorAtMostOneTaskOfABarrier) {
  TaskGraph graph{2};
  Task barrier = task_of(TaskKind::barrier, 0);
  barrier.barrier = graph.add_barrier();
  EXPECT_NO_THROW(graph.add(barrier, {}));
  EXPECT_THROW(graph.add(barrier, {}), ContractError);
  barrier.accelerator = AcceleratorId{1};
  EXPECT_NO_THROW(graph.add(barrier, {}));
  EXPECT_EQ(graph.barrier_members().size(), 1U);
}

TEST(TaskGraph, RejectsABarrierThatWasNotAdded) {
  TaskGraph graph{1};
  EXPECT_THROW(graph.add(task_of(TaskKind::barrier, 0), {}), ContractError);
}

TEST(TaskGraph, DescribesATaskByKindOperatorAndPhase) {
  TaskGraph graph{2};
  Task task = transfer(0, 1, 4);
  task.op = workloads::OperatorId{1};
  task.phase = workloads::Phase::backward_weight;
  TaskId const id = graph.add(task, {});
  std::string const phase = workloads::name(workloads::Phase::backward_weight);
  EXPECT_EQ(graph.describe(id), "transfer operator-1." + phase + " (task 0)");
  graph.set_operators(operators_named({"conv1", "fc1"}), Bytes{4});
  EXPECT_EQ(graph.describe(id), "transfer fc1." + phase + " (task 0)");
}

TEST(TaskGraph, NamesTheMicroBatchOfATaskWhereThereAreSeveral) {
  TaskGraph graph{1};
  Task task = task_of(TaskKind::compute, 0);
  task.passage = graph.add_passage({2, 0, 0, 0, 0});
  TaskId const first = graph.add(task, {});
  EXPECT_EQ(graph.describe(first), "compute operator-0.forward (task 0)");
  task.passage = graph.add_passage({2, 1, 3, 1, 0});
  TaskId const fourth = graph.add(task, {});
  EXPECT_EQ(graph.describe(first), "compute operator-0.forward, micro-batch 0 (task 0)");
  EXPECT_EQ(graph.describe(fourth), "compute operator-0.forward, micro-batch 3 (task 1)");
}

TEST(TaskGraph, KeepsAPassageOnce) {
  TaskGraph graph{1};
  auto const passage = graph.add_passage({2, 1, 3, 1, 4});
  EXPECT_EQ(graph.add_passage({2, 1, 3, 1, 4}), passage);
  EXPECT_NE(graph.add_passage({2, 1, 3, 1, 5}), passage);
  EXPECT_EQ(graph.passages()[passage].micro_batch, 3);
}

TEST(CompletesAt, IsTheDestinationOfATransferAndElseTheOwner) {
  EXPECT_EQ(completes_at(transfer(0, 1, 4)), AcceleratorId{1});
  EXPECT_EQ(completes_at(task_of(TaskKind::barrier, 1)), AcceleratorId{1});
}

}  // namespace
}  // namespace tessera::sim

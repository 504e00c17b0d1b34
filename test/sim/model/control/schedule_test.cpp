// A schedule lists what a graph says, the other way round.
#include "sim/model/control/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tessera::sim {
namespace {

std::vector<TaskId> list(TaskRange range) { return {range.begin(), range.end()}; }

class RandomGraph : public testing::TestWithParam<unsigned> {};

TEST_P(RandomGraph, HasEveryTaskAndEveryEdgeOnceInItsSchedule) {
  std::mt19937 random{GetParam()};
  constexpr std::size_t accelerators = 4;
  TaskGraph graph{accelerators};
  std::vector<std::vector<TaskId>> own(accelerators);
  std::size_t edges = 0;
  for (int count = 0; count < 60; ++count) {
    Task task;
    task.accelerator = AcceleratorId{random() % accelerators};
    auto& before = own[task.accelerator.index()];
    std::vector<TaskId> after;
    if (!before.empty()) after = {before[random() % before.size()], before.back()};
    before.push_back(graph.add(task, after));
    edges += graph.after(before.back()).size();
  }

  Schedule const schedule{graph};
  std::size_t successors = 0;
  for (TaskId const id : graph.tasks().ids()) {
    auto const tasks = schedule.tasks_of(graph.at(id).accelerator);
    EXPECT_EQ(tasks[schedule.place(id)], id);
    for (TaskId const after : schedule.successors(id)) {
      EXPECT_THAT(graph.after(after), testing::Contains(id));
    }
    successors += schedule.successors(id).size();
  }
  EXPECT_EQ(successors, edges);
  for (std::size_t index = 0; index < accelerators; ++index) {
    EXPECT_EQ(list(schedule.tasks_of(AcceleratorId{index})), own[index]);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraph, testing::Range(1U, 11U));

TEST(Schedule, OfAnIdleAcceleratorIsEmpty) {
  TaskGraph const graph{2};
  EXPECT_TRUE(Schedule{graph}.tasks_of(AcceleratorId{1}).empty());
}

}  // namespace
}  // namespace tessera::sim

// How many steps there is room for.
#include "sim/study/step_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/error_message.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

Experiment steps_of_lenet(std::int64_t steps) {
  Experiment experiment;
  experiment.network = workloads::load("hypar/lenet-c");
  experiment.array = arch::load("hypar-paper");
  experiment.planner = "dp";
  experiment.steps = steps;
  return experiment;
}

TaskGraph graph_of(std::size_t tasks) {
  TaskGraph graph{1};
  for (std::size_t i = 0; i < tasks; ++i) graph.add({}, {});
  return graph;
}

// 300 B for each task: 3000 B have room for 10, which are 3 steps of 3.
TEST(StepLimit, IsTheMemoryThatTheirTasksNeed) {
  auto const graph = graph_of(3);
  EXPECT_NO_THROW(check_steps(steps_of_lenet(3), graph, 3000));
  EXPECT_EQ(
      test::error_message([&] { check_steps(steps_of_lenet(4), graph, 3000); }),
      "--steps: 4 steps of hypar/lenet-c on hypar-paper with dp are 12 tasks, which need about "
      "3.600 kB of the 3.000 kB of memory that this machine has (and have 32-bit numbers); use "
      "at most 3");
}

TEST(StepLimit, IsTheNumberOfTasksWhereThereIsMemoryForAll) {
  auto const graph = graph_of(2);
  EXPECT_NO_THROW(check_steps(steps_of_lenet(INT32_MAX), graph, INT64_MAX));
  EXPECT_THROW(check_steps(steps_of_lenet(INT32_MAX), graph_of(3), INT64_MAX), ConfigError);
}

}  // namespace
}  // namespace tessera::sim

// One point from plan to numbers. Every test is a process of its own, so each may simulate once.
#include "sim/study/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "sim/terminal/failure.hpp"
#include "test/support/temporary_directory.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Experiment lenet() {
  Experiment experiment;
  experiment.network = workloads::load("hypar/lenet-c");
  experiment.array = arch::load("hypar-paper", {"accelerators=4"});
  experiment.planner = "hypar";
  return experiment;
}

TEST(Experiment, SimulatesWhatItsCostModelPredicts) {
  auto const point = simulate(lenet());
  EXPECT_EQ(point.result.workload, "hypar/lenet-c");
  EXPECT_EQ(point.result.planner, "hypar");
  EXPECT_EQ(point.result.simulated.communication_bytes, point.result.predicted.communication_bytes);
  // Without overlap only link latencies and clock edges are missing from the prediction.
  EXPECT_NEAR(point.result.simulated.time_s / point.result.predicted.time_s, 1, 0.001);
  EXPECT_EQ(point.details.levels.size(), 2U);
}

TEST(Experiment, APlanTakesThePlaceOfThePlanner) {
  auto experiment = lenet();
  experiment.plan = solve(experiment).plan;
  experiment.planner = "no such planner";
  EXPECT_EQ(title(experiment), "hypar/lenet-c on hypar-paper with hypar");
  EXPECT_EQ(simulate(experiment).result.planner, "hypar");
}

TEST(Experiment, OneThatIsStuckSaysWhoWaitsAndKeepsItsTrace) {
  test::TemporaryDirectory const directory;
  auto experiment = lenet();
  experiment.output = directory.path("run.h5");
  experiment.run.stall_limit = 1;  // as good as stuck: no task completes with every activation
  try {
    static_cast<void>(simulate(experiment));
    FAIL() << "not stuck";
  } catch (FailureError const& error) {
    EXPECT_EQ(error.failure().code, ExitCode::no_progress);
    EXPECT_THAT(error.failure().text,
                HasSubstr("hypar/lenet-c on hypar-paper with hypar cannot make progress after"));
    EXPECT_THAT(error.failure().text, HasSubstr("\n  "));
  }
  EXPECT_THAT(directory.names(), ElementsAre("run.h5"));
}

TEST(Experiment, APlannerThatDoesNotExistIsTheUsersFault) {
  auto experiment = lenet();
  experiment.planner = "hyper";
  EXPECT_THROW(static_cast<void>(solve(experiment)), ConfigError);
}

}  // namespace
}  // namespace tessera::sim

// Ratios against the first planner, and their means.
#include "sim/study/comparison.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

Entry point(std::string const& workload, std::string const& planner, double time, double energy) {
  Entry made;
  made.result.workload = workload;
  made.result.planner = planner;
  made.result.simulated.time_s = time;
  made.result.simulated.energy_j = energy;
  return made;
}

TEST(Compare, IsAgainstTheFirstPlannerOfTheSameWorkload) {
  auto const comparison = compare({point("a", "dp", 4, 9), point("a", "hypar", 2, 3),
                                   point("b", "dp", 8, 1), point("b", "hypar", 1, 1)},
                                  2);
  EXPECT_EQ(comparison.entries[0].result.speedup, 1);
  EXPECT_EQ(comparison.entries[1].result.speedup, 2);            // 4 / 2
  EXPECT_EQ(comparison.entries[1].result.energy_efficiency, 3);  // 9 / 3
  EXPECT_EQ(comparison.entries[3].result.speedup, 8);            // 8 / 1
  ASSERT_EQ(comparison.geomean.size(), 2U);
  EXPECT_EQ(comparison.geomean[0].speedup, 1);
  EXPECT_NEAR(comparison.geomean[1].speedup, 4, 1e-12);  // sqrt(2 * 8)
}

TEST(Compare, SeveralStepsAreComparedInTheirSteadyState) {
  auto first = point("a", "dp", 40, 9);
  auto second = point("a", "pipedream", 30, 3);
  first.result.steps = Steps{10, 4, Steady{4, 64, 0, 1, 0, 0}};
  second.result.steps = Steps{10, 8, Steady{2, 128, 0, 1, 0, 0}};
  EXPECT_EQ(compare({first, second}, 2).entries[1].result.speedup, 2);  // 4 / 2, not 40 / 30
  second.result.steps->steady.reset();
  EXPECT_EQ(compare({first, second}, 2).entries[1].result.speedup, 40.0 / 30);
}

Entry failed(std::string const& workload, std::string const& planner) {
  auto made = point(workload, planner, 0, 0);
  made.failure = Failure{ExitCode::users_fault, "no such plan"};
  return made;
}

TEST(Compare, APlannerThatFailedOnceHasNoMeanAndTheOthersHaveTheirs) {
  auto const comparison =
      compare({point("a", "dp", 4, 9), failed("a", "mp"), point("a", "hypar", 2, 3),
               point("b", "dp", 8, 1), point("b", "mp", 8, 1), point("b", "hypar", 1, 1)},
              3);
  EXPECT_FALSE(comparison.entries[1].result.speedup.has_value());
  EXPECT_EQ(comparison.entries[4].result.speedup, 1);
  ASSERT_EQ(comparison.geomean.size(), 2U);
  EXPECT_EQ(comparison.geomean[0].planner, "dp");
  EXPECT_EQ(comparison.geomean[1].planner, "hypar");
  EXPECT_NEAR(comparison.geomean[1].speedup, 4, 1e-12);  // sqrt(2 * 8)
  EXPECT_EQ(comparison.workloads, 2U);
}

TEST(Compare, NothingIsComparedWithAPlannerThatFailed) {
  auto const comparison = compare({failed("a", "dp"), point("a", "hypar", 2, 3),
                                   point("b", "dp", 8, 1), point("b", "hypar", 1, 1)},
                                  2);
  EXPECT_FALSE(comparison.entries[1].result.speedup.has_value());
  EXPECT_FALSE(comparison.entries[1].result.energy_efficiency.has_value());
  ASSERT_EQ(comparison.geomean.size(), 2U);
  EXPECT_NEAR(comparison.geomean[1].speedup, 8, 1e-12);  // of workload b alone
  EXPECT_EQ(comparison.workloads, 1U);
}

TEST(Compare, NothingAgainstNothingIsEqual) {
  EXPECT_EQ(ratio(0, 0), 1);
  EXPECT_EQ(ratio(3, 2), 1.5);
}

}  // namespace
}  // namespace tessera::sim

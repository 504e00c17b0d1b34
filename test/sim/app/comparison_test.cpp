// Ratios against the first planner, and their means.
#include "sim/app/comparison.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

Point point(std::string const& workload, std::string const& planner, double time, double energy) {
  Point made;
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
  EXPECT_EQ(comparison.results[0].speedup, 1);
  EXPECT_EQ(comparison.results[1].speedup, 2);            // 4 / 2
  EXPECT_EQ(comparison.results[1].energy_efficiency, 3);  // 9 / 3
  EXPECT_EQ(comparison.results[3].speedup, 8);            // 8 / 1
  ASSERT_EQ(comparison.geomean.size(), 2U);
  EXPECT_EQ(comparison.geomean[0].speedup, 1);
  EXPECT_NEAR(comparison.geomean[1].speedup, 4, 1e-12);  // sqrt(2 * 8)
}

TEST(Compare, NothingAgainstNothingIsEqual) {
  EXPECT_EQ(ratio(0, 0), 1);
  EXPECT_EQ(ratio(3, 2), 1.5);
}

}  // namespace
}  // namespace tessera::sim

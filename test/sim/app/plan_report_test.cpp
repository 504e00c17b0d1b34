// What a plan's report says of how good it is.
#include "sim/app/plan_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arch/array/load.hpp"
#include "sim/study/result.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

Experiment lenet_on_four() {
  Experiment experiment;
  experiment.network = workloads::load("hypar/lenet-c");
  experiment.array = arch::load("hypar-paper", {"accelerators=4"});
  experiment.planner = "hypar";
  return experiment;
}

/// HyPar's plan for it as it would be had the search ended with that gap.
Solved with_gap(double gap) {
  auto solved = solve(lenet_on_four());
  EXPECT_EQ(solved.plan.optimality_gap, 0);  // a chain: proven
  solved.plan.optimality_gap = gap;
  return solved;
}

[[nodiscard]] Json json_with_gap(double gap) {
  return Json::parse(plan_json(lenet_on_four(), with_gap(gap)));
}

TEST(PlanReport, OfAPlanThatIsProvenOptimalHasNoGap) {
  auto const text = plan_report(lenet_on_four(), with_gap(0));
  EXPECT_THAT(text, HasSubstr("\nplanned in "));
  EXPECT_THAT(text, Not(HasSubstr("optim")));
  EXPECT_FALSE(json_with_gap(0).contains("optimality_gap"));
}

// A bound of 0.8 of the cost: the cost is at most 1.25 times the optimum's.
TEST(PlanReport, OfAPlanThatIsNotProvenOptimalSaysHowFarFromItItIsAtMost) {
  EXPECT_THAT(plan_report(lenet_on_four(), with_gap(0.2)),
              HasSubstr("\nwithin 25.00 % of the optimum of what hypar minimises\nplanned in "));
  EXPECT_EQ(json_with_gap(0.2)["optimality_gap"], 0.2);
}

TEST(PlanReport, OfAPlanWhoseBoundIsNoHelpSaysOnlyThatItIsNotProven) {
  for (double const gap : {0.5, 1.0}) {
    EXPECT_THAT(plan_report(lenet_on_four(), with_gap(gap)),
                HasSubstr("\nnot proven optimal\nplanned in "));
    EXPECT_EQ(json_with_gap(gap)["optimality_gap"], gap);
  }
}

}  // namespace
}  // namespace tessera::sim

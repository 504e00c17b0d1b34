// Without a simulator `auto` searches by the timeline: its laws do not depend on which price it has.
#include "partition/planners/auto_planner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planning_context.hpp"
#include "partition/price/footprint.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::Contains;
using testing::HasSubstr;

Plan planned(Problem const& problem,
             std::vector<std::pair<std::string, std::string>> options = {}) {
  auto node = ConfigNode::map();
  for (auto& [key, value] : options) node.add(key, std::move(value));
  return make_planner("auto", node)->solve(problem);
}

Time timeline_of(Problem const& problem, Plan const& plan) {
  return timeline_price(problem, plan).value().step;
}

TEST(AutoPlanner, IsNeverSlowerThanAnyOtherPlanner) {
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  for (auto const* const name : {"hypar/lenet-c", "hypar/sfc"}) {
    auto const network = workloads::load(name);
    Problem const problem{network, array};
    auto const plan = planned(problem, {{"parts", "false"}, {"budget", "20"}});
    ASSERT_FALSE(plan.pipeline);
    auto const time = timeline_of(problem, plan);
    for (auto const* const planner : {"dp", "mp", "owt", "hypar", "accpar", "optcnn", "soybean"}) {
      EXPECT_LE(time, timeline_of(problem, make_planner(planner)->solve(problem)))
          << name << ' ' << planner;
    }
  }
}

TEST(AutoPlanner, NeedsNoMoreThanASeedAndABudgetToFindTheSamePlanAgain) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = workloads::load("hypar/lenet-c");
  auto const once = planned({network, array}, {{"budget", "10"}, {"seed", "3"}});
  auto const again = planned({network, array}, {{"budget", "10"}, {"seed", "3"}});
  EXPECT_EQ(write_config(to_config(once, network)), write_config(to_config(again, network)));
  EXPECT_EQ(once.history, again.history);
  EXPECT_EQ(once.evaluations, again.evaluations);
}

TEST(AutoPlanner, SaysWhereItsPlanIsFrom) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = workloads::load("hypar/lenet-c");
  auto const plan = planned({network, array}, {{"budget", "1"}});
  EXPECT_THAT(plan.history, Contains(HasSubstr("seed: ")));
  EXPECT_THAT(plan.history, Contains(HasSubstr("out of budget")));
}

TEST(AutoPlanner, OfOneOperatorOnOneAcceleratorIsAPlan) {
  auto const network = workloads::network_from(read_config_text(
      "schema: tessera.network/1\nname: one\ndescription: one\nbatch: 4\nelement: fp32\n"
      "input: {name: x, features: 8}\n"
      "operators: [{name: fc, kind: linear, input: x, outputs: 8}]\n",
      "one"));
  for (auto const* const count : {"accelerators=1", "accelerators=2", "accelerators=4"}) {
    auto const array = arch::load("hypar-paper", {count});
    auto const plan = planned({network, array});
    EXPECT_NO_THROW(validate(plan, network, array)) << count;
    EXPECT_FALSE(plan.history.empty());
  }
}

TEST(AutoPlanner, InterruptedIsTheBestPlanSoFar) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = workloads::load("hypar/lenet-c");
  for (int asked_before : {0, 3, 10, 40}) {
    PlanningContext context;
    context.is_interrupted = [left = asked_before]() mutable { return left-- <= 0; };
    auto const plan = planned({network, array, &context});
    EXPECT_NO_THROW(validate(plan, network, array)) << asked_before;
    EXPECT_THAT(plan.history, Contains(HasSubstr("interrupted"))) << asked_before;
  }
}

TEST(AutoPlanner, ABudgetInSecondsEndsTheSearchAndSaysThatItDependsOnTheMachine) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = workloads::load("hypar/lenet-c");
  PlanningContext context;
  context.seconds = [now = 0.0]() mutable { return now += 0.01; };
  auto const plan = planned({network, array, &context}, {{"budget", "1 s"}});
  EXPECT_THAT(plan.history, Contains(HasSubstr("another machine")));
}

/// Where one of the others finds a plan that fits, `auto` has one, and never returns another.
TEST(AutoPlanner, PlansFitTheMemories) {
  auto const network = workloads::load("hypar/sfc");
  auto const roomy = arch::load("hypar-paper", {"accelerators=4"});
  auto const free = planned({network, roomy}, {{"budget", "10"}});
  auto const needed = fullest({network, roomy}, free).footprint.total().value();
  auto search = ConfigNode::map();
  search.add("fit", "search");
  int found = 0;
  for (auto const percent : {99, 95, 90, 60}) {
    auto const capacity = std::to_string(needed * percent / 100) + " B";
    auto const tight =
        arch::load("hypar-paper", {"accelerators=4", "accelerator.memory.capacity=" + capacity});
    Problem const problem{network, tight};
    auto const by_hypar = make_planner("hypar", search)->solve(problem);
    if (!fullest(problem, by_hypar).fits()) continue;
    ++found;
    auto const plan = planned(problem, {{"budget", "10"}, {"fit", "search"}});
    EXPECT_TRUE(fullest(problem, plan).fits()) << percent;
  }
  EXPECT_GT(found, 0);
}

/// Four accelerators with 64 times slower ones beside them are better off alone.
TEST(AutoPlanner, LeavesAHalfOutThatOnlySlowsTheOtherDown) {
  auto const array = test::two_speeds(8, 4, 64);
  auto const network = workloads::load("hypar/lenet-c");
  PlanningContext context;
  context.simulated = [](Problem const& problem) { return evaluate_by_sum(problem); };
  auto const plan = planned({network, array, &context});
  ASSERT_TRUE(plan.pipeline);
  EXPECT_THAT(plan.pipeline->stages.begin()->mesh.devices, testing::Each(testing::Ge(4U)));
  EXPECT_THAT(plan.history, Contains(HasSubstr("accelerators 4-7")));
}

}  // namespace
}  // namespace tessera::partition

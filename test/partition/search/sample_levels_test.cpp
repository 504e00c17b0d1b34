#include "partition/search/sample_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "arch/array/load.hpp"
#include "partition/planners/accpar.hpp"
#include "partition/planners/planner.hpp"
#include "partition/search/planning.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

/// Decided level by level, where the levels of `whole` (a bit each) may not split samples.
Plan planned_with(Problem const& problem, LevelProblems const& levels, unsigned whole) {
  auto plan = empty_plan("test", problem);
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    auto of_level = levels(level);
    for (auto& choices : of_level.choices) {
      if ((whole >> level & 1U) == 0) continue;
      choices.erase(std::remove_if(choices.begin(), choices.end(),
                                   [](Split split) { return is_over(split, Dim::n); }),
                    choices.end());
    }
    choose_cheapest(problem.network, of_level, plan);
  }
  return plan;
}

/// The least cost of valid plans over all sets of levels.
double least_of_all_sets(Problem const& problem, LevelProblems const& levels,
                         PlanCost const& cost) {
  auto least = std::numeric_limits<double>::infinity();
  for (unsigned whole = 0; whole < 1U << problem.array.levels(); ++whole) {
    try {
      least = std::min(least, cost(finished(planned_with(problem, levels, whole), problem)));
    } catch (ConfigError const&) {  // the batch does not divide
    }
  }
  return least;
}

TEST(SampleLevels, HyParMovesLeastOfAllSetsOfLevelsThatMaySplitSamples) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const workload : {"hypar/lenet-c", "hypar/sconv", "accpar/resnet-18"}) {
    for (auto const* const batch : {"batch=3", "batch=6", "batch=100"}) {
      auto const network = workloads::load(workload, {batch});
      Problem const problem{network, array};
      auto const plan = make_planner("hypar")->solve(problem);
      auto const cost = elements_moved(problem);
      EXPECT_EQ(cost(plan),
                least_of_all_sets(problem, hypar_levels(problem, InterLayer::as_evaluated), cost))
          << workload << ", " << batch;
    }
  }
}

TEST(SampleLevels, AccParIsAsFastAsTheFastestOfAllSetsOfLevels) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const batch : {"batch=3", "batch=100"}) {
    auto const network = workloads::load("hypar/lenet-c", {batch});
    Problem const problem{network, array};
    auto const plan = make_planner("accpar")->solve(problem);
    auto const cost = time_in_elements(problem);
    EXPECT_LE(cost(plan), least_of_all_sets(problem, accpar_levels(problem, {}), cost)) << batch;
  }
}

// 3 samples on 16: none of the planners that choose samples may.
TEST(SampleLevels, EveryPlannerThatChoosesFindsAPlanForAnyBatch) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const workload : {"hypar/lenet-c", "accpar/resnet-18"}) {
    auto const network = workloads::load(workload, {"batch=3"});
    for (auto const* const planner : {"hypar", "accpar", "soybean", "tofu", "optcnn"}) {
      auto const plan = make_planner(planner)->solve({network, array});
      for (std::size_t level = 0; level < 4; ++level) {
        EXPECT_FALSE(splits_samples(plan, level)) << planner << ", " << workload;
      }
    }
  }
}

TEST(SampleLevels, BackwardPassesCountToo) {
  auto const array = arch::load("hypar-paper");
  auto const network = workloads::load("hypar/lenet-c", {"batch=6"});
  for (auto const* const forms : {"fused_backward", "split_backward"}) {
    auto const options = ConfigNode::map().add("forms", forms);
    EXPECT_TRUE(divides_samples(make_planner("soybean", options)->solve({network, array})));
  }
}

}  // namespace
}  // namespace tessera::partition

#include "partition/planners/evaluator.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

TEST(Evaluator, BySumIsThePrediction) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const evaluator = evaluate_by_sum({network, array});
  for (auto const* const planner : {"dp", "mp", "hypar", "gpipe"}) {
    auto const plan = make_planner(planner)->solve({network, array});
    EXPECT_NEAR(seconds(evaluator->evaluate(plan).value()), plan.predicted->time_s, 1e-12);
  }
  EXPECT_EQ(evaluator->evaluations(), 4);
}

TEST(Evaluator, ByTimelineIsTheTimeline) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("hypar")->solve({network, array});
  EXPECT_EQ(evaluate_by_timeline({network, array})->evaluate(plan),
            timeline_price({network, array}, plan)->step);
}

TEST(Evaluator, AnswersUpToALimit) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("hypar")->solve({network, array});
  auto const evaluator = evaluate_by_sum({network, array});
  auto const time = evaluator->evaluate(plan).value();
  EXPECT_EQ(evaluator->evaluate(plan, time), time);
  EXPECT_EQ(evaluator->evaluate(plan, time - Time{1}), std::nullopt);
  EXPECT_EQ(evaluator->evaluations(), 3);
}

}  // namespace
}  // namespace tessera::partition

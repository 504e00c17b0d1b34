// Copies of shared weights: how many there are, what they cost, and what cannot be planned with them.
#include "partition/step/weight_copies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "partition/step/step.hpp"
#include "test/support/tied_words.hpp"

namespace tessera::partition {
namespace {

using workloads::Network;
using workloads::OperatorId;

Bytes weights_held(Network const& network, Plan const& plan) {
  Bytes sum{0};
  for (auto const& held : footprints(network, plan, 0)) sum += held.weights;
  return sum;
}

TEST(WeightCopies, OperatorsThatReadThemAlikeHaveOneCopyAndOneSum) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const tied = test::words(test::Output::tied);
  auto const plan = test::whole_array_plan(tied, array, workloads::Dim::n, workloads::Dim::n);
  auto const table = tied.bytes(tied.at(OperatorId{0}).weight->tensor);
  auto const all = tied.element_size() * tied.weights().value();
  EXPECT_EQ(weights_held(tied, plan), all);
  EXPECT_EQ(weights_held(test::words(test::Output::own), plan), all + table);
  // Data parallelism on 2 x 2: a sum over a level sends half a gradient and gathers it again, and
  // at the outer one half of that, each by four accelerators.
  auto const received = Bytes{all.value() / 2} + Bytes{all.value() / 4};
  EXPECT_EQ(cost({tied, array}, plan).communication, received * (2 * 4));
}

TEST(WeightCopies, OperatorsThatReadThemOtherwiseHaveCopiesAndExchangeTheirSums) {
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const tied = test::words(test::Output::tied);
  auto const untied = test::words(test::Output::own);
  // The table lies by features, the output's weights by words: a quarter of each sum is where the
  // other one is not.
  auto const plan = test::whole_array_plan(tied, array, workloads::Dim::k, workloads::Dim::k);
  auto const table = tied.bytes(tied.at(OperatorId{0}).weight->tensor);
  EXPECT_EQ(weights_held(tied, plan), weights_held(untied, plan));
  EXPECT_EQ(cost({tied, array}, plan).communication - cost({untied, array}, plan).communication,
            Bytes{table.value() / 4} * (2 * 2));
}

TEST(WeightCopies, OverTwoStagesEachSendsTheOtherItsSumOncePerUpdate) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const tied = test::words(test::Output::tied);
  auto const untied = test::words(test::Output::own);
  auto const table = tied.bytes(tied.at(OperatorId{0}).weight->tensor);
  for (auto const* const schedule : {"layerwise", "gpipe", "1f1b", "zb-h1", "zb-h2", "2bw"}) {
    SCOPED_TRACE(schedule);
    EXPECT_EQ(cost({tied, array}, test::straight_plan(tied, array, schedule)).communication -
                  cost({untied, array}, test::straight_plan(untied, array, schedule)).communication,
              2 * table);
  }
}

TEST(WeightCopies, TheFirstOfAStageThatReadsThemAlikeStandsForACopy) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = test::words(test::Output::tied);
  OperatorId const table{0};
  OperatorId const output{3};
  auto const holder = [&](Plan const& plan) {
    return step_of(network, plan).weight_holders[output];
  };
  using workloads::Dim;
  EXPECT_EQ(holder(test::whole_array_plan(network, array, Dim::n, Dim::n)), table);
  EXPECT_EQ(holder(test::whole_array_plan(network, array, Dim::k, Dim::c)), table);
  EXPECT_EQ(holder(test::whole_array_plan(network, array, Dim::k, Dim::k)), output);
  EXPECT_EQ(holder(test::straight_plan(network, array, "1f1b")), output);
}

/// The price is the step's, which has one copy or exchanges; planners that search with a fast
/// objective do not see all of it.
TEST(WeightCopies, EveryPlannersPredictionIsThePriceOfItsStep) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = test::words(test::Output::tied);
  for (auto const* const name : {"dp", "mp", "owt", "hypar", "accpar", "soybean", "tofu", "optcnn",
                                 "gpipe", "pipedream-2bw", "tp", "exhaustive"}) {
    SCOPED_TRACE(name);
    auto const plan = make_planner(name)->solve({network, array});
    auto const priced = cost({network, array}, plan);
    EXPECT_EQ(plan.predicted->communication, priced.communication);
    EXPECT_EQ(plan.predicted->time_s, priced.time_s());
  }
}

std::string refusal(Plan const& plan, Network const& network, arch::ArraySpec const& array) {
  try {
    validate(plan, network, array);
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(WeightCopies, StagesThatUpdateAfterOtherMicroBatchesCannotShareThem) {
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  auto const plan_for = [&](Network const& network, std::string const& schedule) {
    auto plan = test::straight_plan(network, array, schedule);
    auto& last = plan.pipeline->stages[StageId{3}];
    last.mesh = {{3, 4}, {2}};
    last.replicas = 2;
    plan.splits[OperatorId{3}].resize(1);
    return plan;
  };
  auto const tied = test::words(test::Output::tied);
  auto const own = test::words(test::Output::own);
  EXPECT_THAT(
      refusal(plan_for(tied, "pipedream"), tied, array),
      testing::AllOf(testing::HasSubstr("schedule: weights are tied over stage 0 and stage 3"),
                     testing::HasSubstr("gpipe, 1f1b or 2bw")));
  EXPECT_EQ(refusal(plan_for(tied, "1f1b"), tied, array), "");
  EXPECT_EQ(refusal(plan_for(own, "pipedream"), own, array), "");
}

/// Each replica has gradients of its own micro-batches, whatever else is done with them.
TEST(WeightCopies, ReplicasAreSummedWhereGradientsAreSplitOtherwiseThanWeightsToo) {
  auto const network = test::words(test::Output::own);
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto plan = test::straight_plan(network, array, "1f1b");
  auto& pipeline = *plan.pipeline;
  pipeline.stages = {};
  pipeline.stages.push_back({{{0, 1, 2, 3}, {2, 2}}, 2, {network.operators().ids().list()}});
  for (auto const op : network.operators().ids()) {
    plan.splits[op] = {std::nullopt, workloads::Dim::k};
    plan.phase_splits[{op, workloads::Phase::backward_weight}] = {std::nullopt, workloads::Dim::n};
  }
  validate(plan, network, array);
  int sums = 0;
  for (auto const& action : step_of(network, plan).actions) {
    if (action.pass != Pass::update || !action.conversion) continue;
    if (action.conversion->kind != Conversion::Kind::gradient_sum) continue;
    EXPECT_EQ(action.conversion->from.front(), Holding::partial());
    ++sums;
  }
  EXPECT_EQ(sums, 4);
}

}  // namespace
}  // namespace tessera::partition

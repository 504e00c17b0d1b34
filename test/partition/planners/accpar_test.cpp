#include <gtest/gtest.h>

#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/accpar.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/work.hpp"
#include "partition/search/planning.hpp"
#include "test/support/random_network.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

Plan plan_of(std::string const& planner, Problem const& problem,
             ConfigNode const& options = ConfigNode::map()) {
  return make_planner(planner, options)->solve(problem);
}

workloads::Network random_dag(std::mt19937_64& random, int operators) {
  test::RandomNetworkOptions options;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  options.operators = operators;
  return test::random_network(random, options);
}

double cost_of(Objective const& objective, Plan const& plan) {
  double cost = 0;
  for (auto const op : plan.splits.ids()) cost += objective.operator_cost(op, plan.splits[op]);
  for (auto const& edge : objective.edges()) {
    cost += objective.edge_cost(edge, plan.splits[edge.producer], plan.splits[edge.consumer]);
  }
  return cost;
}

/// Decides level by level, and holds the search against enumeration at every one of them.
void expect_optimal_levels(Problem const& problem, LevelProblems const& levels) {
  auto plan = empty_plan("test", problem);
  for (std::size_t index = 0; index < static_cast<std::size_t>(plan.levels()); ++index) {
    auto const level = levels(index);
    auto oracle = plan;
    choose_cheapest(problem.network, level, plan);
    choose_by_enumeration(problem.network, level, oracle);
    auto const best = cost_of(*level.objective, oracle);
    EXPECT_NEAR(cost_of(*level.objective, plan), best, 1e-12 * best) << "level " << index + 1;
  }
}

TEST(AccPar, ChoosesTheOptimumOfEveryLevelOfRandomDags) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random, 2 + static_cast<int>(seed % 4));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto const array =
        seed % 2 == 0 ? arch::load("hypar-paper", {"accelerators=8"}) : test::two_speeds(8, 4, 3);
    AccParLevelOptions options;
    options.inter_layer = seed % 3 == 0 ? InterLayer::printed : InterLayer::as_evaluated;
    Problem const problem{network, array};
    expect_optimal_levels(problem, accpar_levels(problem, options));
    expect_optimal_levels(problem, hypar_levels(problem, options.inter_layer));
  }
}

TEST(AccPar, MoreFreedomNeverCostsMore) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random, 3 + static_cast<int>(seed % 6));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto const array = seed % 2 == 0 ? arch::load("hypar-paper") : test::two_speeds(16, 8, 3);
    Problem const problem{network, array};
    auto const equal = ConfigNode::map().add("ratio", "equal");
    auto const time = [&](std::string const& planner,
                          ConfigNode const& options = ConfigNode::map()) {
      return plan_of(planner, problem, options).predicted->time_s;
    };
    double const rounding = 1 + 1e-12;
    EXPECT_LE(time("hypar"), time("dp") * rounding);
    EXPECT_LE(time("accpar", equal), time("hypar") * rounding);
    EXPECT_LE(time("accpar"), time("accpar", equal) * rounding);
  }
}

TEST(AccPar, ReportsTheCostOfItsPlan) {
  auto const network = workloads::load("accpar/resnet-18");
  for (auto const* const name : {"tpu-v3-128", "tpu-v2v3-256"}) {
    auto const array = arch::load(name);
    auto const plan = plan_of("accpar", {network, array});
    EXPECT_EQ(plan.predicted->time_s, predict({network, array}, plan).time_s);
  }
}

TEST(AccPar, GivesTheFasterHalfMoreWhereComputationDominates) {
  auto const network = workloads::load("accpar/vgg-11");
  auto const array = arch::load("tpu-v2v3-256");
  auto const plan = plan_of("accpar", {network, array});
  // A chip's peak: TPU-v2 has one matrix unit per core at 700 MHz, TPU-v3 two at 940 MHz.
  double const share = 700.0 / (700.0 + 2 * 940.0);
  for (auto const& splits : plan.splits) {
    EXPECT_NEAR(splits.front()->first, share, 1e-9);
    for (std::size_t level = 1; level < splits.size(); ++level) {
      EXPECT_TRUE(splits[level]->is_even());
    }
  }
}

TEST(AccPar, WithEqualRatiosHasEqualHalves) {
  auto const network = workloads::load("accpar/vgg-11");
  auto const array = arch::load("tpu-v2v3-256");
  auto const options = ConfigNode::map().add("ratio", "equal");
  EXPECT_FALSE(unevenly_split(plan_of("accpar", {network, array}, options)));
}

/// Every choice, with more shares.
Choices with_more(Choices const& choices, std::vector<double> const& shares) {
  Choices more;
  for (auto const& of_operator : choices) {
    auto splits = of_operator;
    for (auto const& split : of_operator) {
      if (split.is_even()) continue;  // its dimension comes once with each share
      for (auto const share : shares) splits.emplace_back(split.dim, share);
    }
    more.push_back(std::move(splits));
  }
  return more;
}

TEST(AccPar, NeedsNoRatiosBetweenTheBalanceOneHalfAndTheEnds) {
  int even = 0;
  int uneven = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random, 2 + static_cast<int>(seed % 2));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto array = test::two_speeds(4, 2, 3);
    // From links that hardly matter to links that matter most.
    auto& bandwidth = array.fabric.link_bandwidth;
    bandwidth = Bandwidth{bandwidth.value() * 16 >> (seed % 12)};
    Problem const problem{network, array};
    auto const cheapest = [&](std::vector<double> const& shares) {
      auto level = accpar_levels(problem, {})(0);
      level.choices = with_more(level.choices, shares);
      auto plan = empty_plan("test", problem);
      choose_cheapest(network, level, plan);
      for (auto const& splits : plan.splits) ++(splits.front()->is_even() ? even : uneven);
      return cost_of(*level.objective, plan);
    };
    auto const few = cheapest({0.1, 0.9});
    auto const many = cheapest({0.1, 0.2, 0.3, 0.4, 0.45, 0.55, 0.6, 0.7, 0.8, 0.9});
    EXPECT_NEAR(few, many, 1e-9 * many);
  }
  EXPECT_GT(even, 0);  // both kinds occur
  EXPECT_GT(uneven, 0);
}

TEST(Exhaustive, IsAnOracleOfAccParToo) {
  auto const network = workloads::load("hypar/sfc");
  auto const array = arch::load("hypar-paper");
  auto const options = ConfigNode::map().add("oracle_of", "accpar");
  auto const oracle = plan_of("exhaustive", {network, array}, options);
  auto const plan = plan_of("accpar", {network, array});
  EXPECT_EQ(plan.predicted->communication, oracle.predicted->communication);
}

}  // namespace
}  // namespace tessera::partition

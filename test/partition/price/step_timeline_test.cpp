#include "partition/price/step_timeline.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/search/config_space.hpp"
#include "partition/search/strategy_timeline.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using test::random_network;
using test::RandomNetworkOptions;

arch::ArraySpec overlapping(std::string const& accelerators, std::string const& collectives) {
  return arch::load("hypar-paper",
                    {"accelerators=" + accelerators, "execution.overlap=communication",
                     "execution.collectives=" + collectives});
}

workloads::Network any_network(std::mt19937_64& random) {
  RandomNetworkOptions options;
  options.graph = RandomNetworkOptions::Graph::dag;
  options.extents = random() % 2 == 0 ? RandomNetworkOptions::Extents::divisible
                                      : RandomNetworkOptions::Extents::arbitrary;
  options.weights =
      random() % 2 == 0 ? RandomNetworkOptions::Weights::own : RandomNetworkOptions::Weights::tied;
  return random_network(random, options);
}

/// Every task starts and ends as in a timeline that was worked out for this plan only.
void expect_as_from_the_beginning(Problem const& problem, StepTimeline const& timeline) {
  StepTimeline const anew{problem, timeline.plan()};
  ASSERT_EQ(timeline.timeline().size(), anew.timeline().size());
  ASSERT_EQ(timeline.starts_and_ends(), anew.starts_and_ends());
}

std::vector<OperatorMove> any_move(ConfigSpace const& space, Problem const& problem,
                                   std::mt19937_64& random) {
  workloads::OperatorId const op{random() % problem.network.operators().size()};
  return {{op, space.random_config(op, random)}};
}

class Strategies : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Strategies, ChangedOneByOneAreAsFromTheBeginning) {
  std::mt19937_64 random{GetParam()};
  auto const network = any_network(random);
  auto const array = overlapping("6", random() % 2 == 0 ? "hierarchical" : "auto");
  Problem const problem{network, array};
  ConfigSpace const space{problem, ConfigSpace::Devices::any};
  StepTimeline timeline{problem, plan_of("", problem, space.random_strategy(random))};
  auto strategy = strategy_of(timeline.plan());
  for (int change = 0; change < 10; ++change) {
    for (auto const& move : any_move(space, problem, random)) strategy[move.op] = move.config;
    timeline.follow(plan_of("", problem, strategy));
    expect_as_from_the_beginning(problem, timeline);
    if (HasFatalFailure()) FAIL() << "change " << change << " of\n" << network.source_text();
  }
}

TEST_P(Strategies, AreWhatTheyWereWhenAProposalIsRejected) {
  std::mt19937_64 random{GetParam()};
  auto const network = any_network(random);
  auto const array = overlapping("4", "hierarchical");
  Problem const problem{network, array};
  ConfigSpace const space{problem, ConfigSpace::Devices::runs};
  StrategyTimeline timeline{problem, data_parallel_strategy(problem)};
  for (int change = 0; change < 20; ++change) {
    auto const before = timeline.length();
    auto const strategy = timeline.strategy();
    auto const moves = any_move(space, problem, random);
    auto const proposed = timeline.propose(moves);
    timeline.reject();
    ASSERT_EQ(timeline.length(), before) << network.source_text();
    ASSERT_EQ(timeline.strategy()[moves.front().op], strategy[moves.front().op]);
    ASSERT_EQ(timeline.propose(moves), proposed) << network.source_text();
    timeline.accept();
  }
}

/// Levels of the whole array, where one tiling is of all operators.
TEST_P(Strategies, PlansOfTheWholeArrayAreAsFromTheBeginning) {
  std::mt19937_64 random{GetParam()};
  auto const network = any_network(random);
  auto const array = overlapping("8", "hierarchical");
  Problem const problem{network, array};
  auto const dims = {workloads::Dim::c, workloads::Dim::k};
  auto plan = test::random_plan(network, array, random, dims);
  StepTimeline timeline{problem, plan};
  for (int change = 0; change < 10; ++change) {
    workloads::OperatorId const op{random() % network.operators().size()};
    plan.splits[op] = test::random_plan(network, array, random, dims).splits[op];
    timeline.follow(plan);
    expect_as_from_the_beginning(problem, timeline);
    if (HasFatalFailure()) FAIL() << "change " << change << " of\n" << network.source_text();
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Strategies, testing::Range<std::uint64_t>(1, 31));

// Without overlap everything is made anew, and is the same.
TEST(StepTimeline, FollowsWhereActionsTakeTurns) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  Problem const problem{network, array};
  ConfigSpace const space{problem, ConfigSpace::Devices::runs};
  std::mt19937_64 random{1};
  StepTimeline timeline{problem, plan_of("", problem, data_parallel_strategy(problem))};
  timeline.follow(plan_of("", problem, space.random_strategy(random)));
  expect_as_from_the_beginning(problem, timeline);
}

// Two operators that do not read each other, on two accelerators: they run side by side.
TEST(StepTimeline, BranchesOnDifferentAcceleratorsOverlap) {
  auto const network = test::network_of(R"(
schema: tessera.network/1
name: branches
batch: 4
element: fp32
input: {name: x, features: 64}
operators:
  - {name: left, kind: linear, input: x, outputs: 64}
  - {name: right, kind: linear, input: x, outputs: 64}
)");
  auto const array = overlapping("2", "hierarchical");
  Problem const problem{network, array};
  OperatorConfig const here{{{0}, {}}, {}};
  OperatorConfig const there{{{1}, {}}, {}};
  auto const of = [&](OperatorConfig const& right) {
    Strategy strategy;
    strategy.push_back(here);
    strategy.push_back(right);
    return StepTimeline{problem, plan_of("", problem, strategy)}.length();
  };
  EXPECT_EQ(of(here), of(there) + of(there));
}

}  // namespace
}  // namespace tessera::partition

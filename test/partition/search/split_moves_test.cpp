#include "partition/search/split_moves.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

TEST(SplitMoves, MakeValidPlansOnly) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const array =
        seed % 2 == 0 ? test::two_speeds(4, 2, 3) : arch::load("hypar-paper", {"accelerators=8"});
    auto const network = test::random_network(random);
    auto const plan = test::random_plan(network, array, random);
    int possible = 0;
    for (auto const& move : split_moves({network, array})) {
      auto const next = moved(plan, move, network);
      if (!next) continue;
      ++possible;
      EXPECT_NO_THROW(validate(*next, network, array)) << describe(move, network);
      for (auto const op : move.operators) {
        EXPECT_EQ(next->splits[op][move.levels.front().level], move.levels.front().split)
            << describe(move, network);
      }
    }
    EXPECT_GT(possible, 0) << network.source_text();
  }
}

/// Any plan of even shares can be had from any other, one operator and level at a time.
TEST(SplitMoves, ReachEveryPlanOfOneOperator) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const network = workloads::load("hypar/sfc", {"batch=4"});
  auto const moves = split_moves({network, array});
  auto plan = make_planner("dp")->solve({network, array});
  std::set<std::string> seen;
  std::vector<Plan> open{plan};
  workloads::OperatorId const first{0};
  while (!open.empty()) {
    auto const from = open.back();
    open.pop_back();
    std::string key;
    for (auto const& split : from.splits[first]) key += type_name(split) + ' ';
    if (!seen.insert(key).second) continue;
    for (auto const& move : moves) {
      if (move.operators.size() > 1 || move.operators.front() != first) continue;
      if (auto next = moved(from, move, network)) open.push_back(*std::move(next));
    }
  }
  EXPECT_EQ(seen.size(), 16U);  // n, k, c or none at each of two levels
}

TEST(SplitMoves, ChangeOperatorsThatAreAlikeTogether) {
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const network = workloads::load("accpar/resnet-18");
  auto const moves = split_moves({network, array});
  std::size_t most = 0;
  for (auto const& move : moves) most = std::max(most, move.operators.size());
  EXPECT_GE(most, 4U);
}

TEST(SplitMoves, SayWhatTheyChange) {
  auto const network = workloads::load("hypar/lenet-c");
  workloads::OperatorId const first{0};
  auto const name = network.at(first).name;
  EXPECT_EQ(describe({{first}, {{2, Split{workloads::Dim::k}}}}, network), name + " k at level 3");
  EXPECT_EQ(describe({{first},
                      {{0, Split{workloads::Dim::n}}, {1, std::nullopt}},
                      workloads::Phase::backward_weight},
                     network),
            name + " backward_weight n -");
}

TEST(SplitMoves, OfABackwardPhaseLeaveTheOthersAsTheyAre) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  auto const plan = make_planner("dp")->solve({network, array});
  workloads::OperatorId const second{1};
  using workloads::Phase;
  SplitMove const there{{second}, {{1, Split{workloads::Dim::c}}}, Phase::backward_weight};
  auto const next = moved(plan, there, network).value();
  EXPECT_NO_THROW(validate(next, network, array));
  EXPECT_EQ(next.splits[second], plan.splits[second]);
  EXPECT_EQ(type_name(next.splits_of(second, Phase::backward_weight)[1]), "II");
  SplitMove const back{{second}, {{1, Split{workloads::Dim::n}}}, Phase::backward_weight};
  EXPECT_TRUE(moved(next, back, network)->phase_splits.empty());
}

}  // namespace
}  // namespace tessera::partition

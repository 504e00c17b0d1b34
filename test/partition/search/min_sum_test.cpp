#include "partition/search/min_sum.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tessera::partition {
namespace {

struct Pair {
  std::size_t first, second;
  std::vector<double> cost;
};

/// A random sum of terms over variables with two or three labels, kept beside the engine so that it
/// can be added up by hand.
struct RandomProblem {
  std::vector<std::size_t> labels;
  std::vector<std::vector<double>> single;
  std::vector<Pair> pairs;

  /// Neighbours in order share a term, others with one chance in `sparseness`.
  explicit RandomProblem(std::uint64_t seed, std::uint64_t sparseness = 4,
                         std::size_t variables = 0) {
    std::mt19937_64 random{seed};
    auto const below = [&random](std::uint64_t limit) { return random() % limit; };
    auto const costs = [&](std::size_t count) {
      std::vector<double> table;
      for (std::size_t i = 0; i < count; ++i) table.push_back(static_cast<double>(below(20)));
      return table;
    };
    auto const count = variables > 0 ? variables : 2 + below(6);
    for (std::size_t v = 0; v < count; ++v) {
      labels.push_back(2 + below(2));
      single.push_back(costs(labels.back()));
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (b == a + 1 || below(sparseness) == 0)
          pairs.push_back({a, b, costs(labels[a] * labels[b])});
      }
    }
  }

  [[nodiscard]] double cost(std::vector<std::size_t> const& choice) const {
    double sum = 0;
    for (std::size_t v = 0; v < labels.size(); ++v) sum += single[v][choice[v]];
    for (auto const& [a, b, table] : pairs) sum += table[choice[a] * labels[b] + choice[b]];
    return sum;
  }

  [[nodiscard]] double cheapest() const {
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> choice(labels.size(), 0);
    for (bool more = true; more;) {
      best = std::min(best, cost(choice));
      more = false;
      for (std::size_t v = 0; v < labels.size() && !more; ++v) {
        choice[v] = (choice[v] + 1) % labels[v];
        more = choice[v] != 0;
      }
    }
    return best;
  }
};

MinSum::Solution solved(RandomProblem const& problem, MinSum engine) {
  for (auto const count : problem.labels) engine.add_variable(count);
  for (std::size_t v = 0; v < problem.single.size(); ++v) engine.add_term(v, problem.single[v]);
  for (auto const& [a, b, table] : problem.pairs) engine.add_term(a, b, table);
  return engine.solve();
}

void expect_optimum(RandomProblem const& problem, MinSum const& engine) {
  auto const solution = solved(problem, engine);
  EXPECT_EQ(solution.cost, problem.cheapest());
  EXPECT_EQ(problem.cost(solution.labels), solution.cost);
  EXPECT_EQ(solution.bound, solution.cost);
}

TEST(MinSum, FindsTheOptimumOfEveryRandomGraph) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_optimum(RandomProblem{seed}, MinSum{});
  }
}

TEST(MinSum, FindsTheOptimumOfDenseGraphsByBranchesWhereTablesWouldBeTooLarge) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (double const largest_table : {1., 3., 9.}) {
      SCOPED_TRACE(std::to_string(seed) + ", tables of " + std::to_string(largest_table));
      expect_optimum(RandomProblem{seed, 1}, MinSum{{largest_table, 1e9, 1e9}});
    }
  }
}

TEST(MinSum, IsWithinAPercentOfTheOptimumOfDenseGraphsWhereItsWorkIsDone) {
  int unproven = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem const problem{seed, 1, 12};
    double const work = 200'000;  // not enough to try all combinations, up to 3^12 of them
    auto const solution = solved(problem, MinSum{{1, 1, work}});
    auto const cheapest = problem.cheapest();
    EXPECT_EQ(problem.cost(solution.labels), solution.cost);
    EXPECT_LE(solution.cost, 1.01 * cheapest);
    EXPECT_LE(solution.bound, cheapest * (1 + 1e-9));
    EXPECT_LE(solution.evaluations, 2 * work);
    if (solution.bound < solution.cost) ++unproven;
  }
  EXPECT_GT(unproven, 0);
}

TEST(MinSum, ProvesTheOptimumOfACompleteGraphThatPrefersEqualLabels) {
  std::size_t const variables = 100;
  MinSum engine;
  // Each but the last would rather have a label of its own choice, at a cost of 1 if it cannot.
  for (std::size_t v = 0; v < variables; ++v) {
    std::vector<double> cost(4, 1.0);
    cost[v % 3] = 0;
    engine.add_term(engine.add_variable(4), cost);
  }
  for (std::size_t a = 0; a < variables; ++a) {
    for (std::size_t b = a + 1; b < variables; ++b) {
      std::vector<double> unequal(16, 2.0);
      for (std::size_t label = 0; label < 4; ++label) unequal[5 * label] = 0;
      engine.add_term(a, b, unequal);
    }
  }
  auto const solution = engine.solve();
  EXPECT_EQ(solution.labels, std::vector<std::size_t>(variables, 0));
  EXPECT_EQ(solution.cost, 66);  // all have label 0, which 34 of 100 chose
  EXPECT_EQ(solution.bound, solution.cost);
}

TEST(MinSum, LeavesNoChoiceAloneHoweverManyReadIt) {
  // One label of its own, and 200 neighbours: their table would have 2^200 entries.
  MinSum engine;
  auto const hub = engine.add_variable(1);
  for (int i = 0; i < 200; ++i) engine.add_term(hub, engine.add_variable(2), {3, 2});
  auto const solution = engine.solve();
  EXPECT_EQ(solution.cost, 400);
  EXPECT_EQ(solution.bound, 400);
}

TEST(MinSum, KeepsTablesSmallBetweenAForkAndAJoin) {
  MinSum engine;
  std::size_t const branches = 60;
  auto const fork = engine.add_variable(3);
  std::vector<MinSum::Variable> ends;
  for (std::size_t branch = 0; branch < branches; ++branch) {
    auto const first = engine.add_variable(3);
    auto const second = engine.add_variable(3);
    engine.add_term(fork, first, {0, 1, 1, 1, 0, 1, 1, 1, 0});
    engine.add_term(first, second, {1, 0, 1, 1, 1, 0, 0, 1, 1});
    ends.push_back(second);
  }
  auto const join = engine.add_variable(3);
  for (auto const end : ends) engine.add_term(end, join, {0, 1, 1, 1, 0, 1, 1, 1, 0});
  auto const solution = engine.solve();
  // Every branch turns the label by one: fork f, branch f, f + 1, join f + 1 cost nothing.
  EXPECT_EQ(solution.cost, 0);
  EXPECT_EQ(solution.labels[join], (solution.labels[fork] + 1) % 3);
  // Three labels over two neighbours per inner variable, then fork and join.
  EXPECT_EQ(solution.evaluations, 27 * 2 * 60 + 9 + 3);
}

TEST(MinSum, BreaksTiesTowardsTheLowerLabel) {
  MinSum engine;
  engine.add_variable(2);
  engine.add_variable(2);
  engine.add_term(0, {1, 1});
  engine.add_term(0, 1, {0, 0, 0, 0});
  EXPECT_EQ(engine.solve().labels, (std::vector<std::size_t>{0, 0}));
}

TEST(MinSum, WorkGrowsLinearlyAlongAChain) {
  auto const evaluations = [](std::size_t length) {
    MinSum engine;
    for (std::size_t v = 0; v < length; ++v) engine.add_term(engine.add_variable(2), {0, 1});
    for (std::size_t v = 1; v < length; ++v) engine.add_term(v - 1, v, {0, 1, 1, 0});
    return engine.solve().evaluations;
  };
  // labels^2 sums per variable but the last, which has nobody left: 4 (n - 1) + 2.
  EXPECT_EQ(evaluations(10), 4 * 9 + 2);
  EXPECT_EQ(evaluations(1000), 4 * 999 + 2);
}

}  // namespace
}  // namespace tessera::partition

#include "partition/min_sum.hpp"

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
  explicit RandomProblem(std::uint64_t seed, std::uint64_t sparseness = 4) {
    std::mt19937_64 random{seed};
    auto const below = [&random](std::uint64_t limit) { return random() % limit; };
    auto const costs = [&](std::size_t count) {
      std::vector<double> table;
      for (std::size_t i = 0; i < count; ++i) table.push_back(static_cast<double>(below(20)));
      return table;
    };
    auto const count = 2 + below(6);
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

void expect_optimum(RandomProblem const& problem, MinSum engine) {
  for (auto const count : problem.labels) engine.add_variable(count);
  for (std::size_t v = 0; v < problem.single.size(); ++v) engine.add_term(v, problem.single[v]);
  for (auto const& [a, b, table] : problem.pairs) engine.add_term(a, b, table);
  auto const solution = engine.solve();
  EXPECT_EQ(solution.cost, problem.cheapest());
  EXPECT_EQ(problem.cost(solution.labels), solution.cost);
}

TEST(MinSum, FindsTheOptimumOfEveryRandomGraph) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_optimum(RandomProblem{seed}, MinSum{});
  }
}

TEST(MinSum, FindsTheOptimumOfDenseGraphsByBranchesWhereTablesWouldBeTooLarge) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (std::size_t const largest_table : {1U, 3U, 9U}) {
      SCOPED_TRACE(std::to_string(seed) + ", tables of " + std::to_string(largest_table));
      expect_optimum(RandomProblem{seed, 1}, MinSum{largest_table});
    }
  }
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

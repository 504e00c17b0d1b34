// Balanced stages against every partition of small graphs.
#include "partition/search/balanced_stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "test/support/draw.hpp"

namespace tessera::partition {
namespace {

PipelineGraph random_dag(test::Draw& draw) {
  PipelineGraph graph;
  auto const count = static_cast<std::size_t>(draw(1, 7));
  for (std::size_t node = 0; node < count; ++node) {
    graph.nodes.push_back({static_cast<double>(draw(1, 40)) / 8, static_cast<double>(draw(0, 30)),
                           static_cast<double>(draw(0, 50))});
    if (node == 0) continue;
    graph.edges.push_back(
        {static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(node) - 1)), node});
  }
  return graph;
}

/// Slowest stage and bytes across cuts of every chain of `count` states that ends in the last, of
/// which every stage fits.
std::vector<std::pair<double, double>> all_partitions(std::vector<PipelineState> const& states,
                                                      std::size_t count, StageFits const& fits) {
  std::vector<std::pair<double, double>> all;
  std::function<void(std::size_t, std::size_t, double, double)> extend =
      [&](std::size_t to, std::size_t left, double slowest, double crossing) {
        auto const take = [&](PipelineState const& before, auto next) {
          auto const& last = states[to];
          if (!fits(last.activation_bytes - before.activation_bytes,
                    last.parameter_bytes - before.parameter_bytes)) {
            return;
          }
          next(std::max(slowest, last.compute_s - before.compute_s));
        };
        if (left == 1) {
          take({}, [&](double time_s) { all.emplace_back(time_s, crossing); });
          return;
        }
        for (auto const before : states[to].predecessors) {
          take(states[before], [&](double time_s) {
            extend(before, left - 1, time_s, crossing + states[before].crossing_bytes);
          });
        }
      };
  extend(states.size() - 1, count, 0, 0);
  return all;
}

TEST(BalancedStages, AreTheBestOfAllPartitionsOfRandomGraphs) {
  int found_some = 0;
  for (int seed = 1; seed <= 300; ++seed) {
    test::Draw draw{static_cast<std::uint64_t>(seed)};
    auto const states = pipeline_states(random_dag(draw));
    auto const count = static_cast<std::size_t>(draw(1, 5));
    auto const limit = static_cast<double>(draw(60, 300));
    auto const imbalance = static_cast<double>(draw(0, 2)) / 4;
    StageFits const fits = [limit](double activations, double parameters) {
      return activations + parameters <= limit;
    };
    auto const all = all_partitions(states, count, fits);
    auto const found = StageBalance{states, fits}.in(count, imbalance);
    ASSERT_EQ(found.has_value(), !all.empty()) << "seed " << seed;
    if (!found) continue;
    ++found_some;
    auto const longest_s = (1 + imbalance) * std::min_element(all.begin(), all.end())->first;
    auto fewest = std::numeric_limits<double>::infinity();
    for (auto const& [time_s, bytes] : all) {
      if (time_s <= longest_s) fewest = std::min(fewest, bytes);
    }
    EXPECT_DOUBLE_EQ(found->slowest_s, longest_s) << "seed " << seed;
    EXPECT_DOUBLE_EQ(found->crossing_bytes, fewest) << "seed " << seed;
    EXPECT_EQ(found->stages.size(), count);
    std::size_t nodes = 0;
    for (auto const& stage : found->stages) nodes += stage.size();
    EXPECT_EQ(nodes, states.back().nodes.size());
  }
  EXPECT_GT(found_some, 100);
}

TEST(BalancedStages, OfANumberOfStagesDoNotDependOnWhichWereAskedForBefore) {
  for (int seed = 1; seed <= 50; ++seed) {
    test::Draw draw{static_cast<std::uint64_t>(seed)};
    auto const states = pipeline_states(random_dag(draw));
    StageBalance balance{states};
    for (auto const count : {3, 1, 5, 2, 4}) {
      auto const number = static_cast<std::size_t>(count);
      auto const found = balance.in(number);
      auto const alone = StageBalance{states}.in(number);
      ASSERT_EQ(found.has_value(), alone.has_value()) << "seed " << seed;
      EXPECT_EQ(found.has_value(), number <= states.back().depth) << "seed " << seed;
      if (!found) continue;
      EXPECT_EQ(found->stages, alone->stages) << "seed " << seed << ", " << number;
    }
  }
}

/// 3 1 | 1 2 takes 4, and so does 3 | 1 1 2, across whose cut more bytes go.
TEST(BalancedStages, OfEquallyFastOnesTheFewestBytesCross) {
  PipelineGraph const chain{{{3, 8, 0}, {1, 2, 0}, {1, 9, 0}, {2, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}}};
  auto const states = pipeline_states(chain);
  auto const found = StageBalance{states}.in(2).value();
  EXPECT_EQ(found.slowest_s, 4);
  EXPECT_EQ(found.crossing_bytes, 2);
}

}  // namespace
}  // namespace tessera::partition

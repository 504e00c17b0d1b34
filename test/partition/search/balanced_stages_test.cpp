// Balanced stages against every partition of small graphs.
#include "partition/search/balanced_stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "test/support/draw.hpp"

namespace tessera::partition {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

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

/// The least slowest stage, and of those partitions the least bytes across cuts.
struct Best {
  double slowest_s = impossible;
  double crossing_bytes = impossible;
};

/// Every chain of states with `count` members that ends in the last.
Best best_by_enumeration(std::vector<PipelineState> const& states, std::size_t count,
                         StageFits const& fits) {
  Best best;
  std::function<void(std::size_t, std::size_t, double, double)> extend =
      [&](std::size_t to, std::size_t left, double slowest, double crossing) {
        auto const visit = [&](PipelineState const& before) {
          auto const& last = states[to];
          if (!fits(last.activation_bytes - before.activation_bytes,
                    last.parameter_bytes - before.parameter_bytes)) {
            return impossible;
          }
          return std::max(slowest, last.compute_s - before.compute_s);
        };
        if (left == 1) {
          auto const time_s = visit({});
          bool const is_better = time_s < best.slowest_s ||
                                 (time_s == best.slowest_s && crossing < best.crossing_bytes);
          if (time_s < impossible && is_better) best = {time_s, crossing};
          return;
        }
        for (auto const before : states[to].predecessors) {
          auto const time_s = visit(states[before]);
          if (time_s == impossible) continue;
          extend(before, left - 1, time_s, crossing + states[before].crossing_bytes);
        }
      };
  extend(states.size() - 1, count, 0, 0);
  return best;
}

TEST(BalancedStages, AreTheBestOfAllPartitionsOfRandomGraphs) {
  int found_some = 0;
  for (int seed = 1; seed <= 300; ++seed) {
    test::Draw draw{static_cast<std::uint64_t>(seed)};
    auto const states = pipeline_states(random_dag(draw));
    auto const count = static_cast<std::size_t>(draw(1, 5));
    auto const limit = static_cast<double>(draw(60, 300));
    StageFits const fits = [limit](double activations, double parameters) {
      return activations + parameters <= limit;
    };
    auto const expected = best_by_enumeration(states, count, fits);
    auto const found = balanced_stages(states, count, fits);
    ASSERT_EQ(found.has_value(), expected.slowest_s < impossible) << "seed " << seed;
    if (!found) continue;
    ++found_some;
    EXPECT_DOUBLE_EQ(found->slowest_s, expected.slowest_s) << "seed " << seed;
    EXPECT_DOUBLE_EQ(found->crossing_bytes, expected.crossing_bytes) << "seed " << seed;
    EXPECT_EQ(found->stages.size(), count);
    std::size_t nodes = 0;
    for (auto const& stage : found->stages) nodes += stage.size();
    EXPECT_EQ(nodes, states.back().nodes.size());
  }
  EXPECT_GT(found_some, 100);
}

/// 3 1 | 1 2 takes 4, and so does 3 | 1 1 2, across whose cut more bytes go.
TEST(BalancedStages, OfEquallyFastOnesTheFewestBytesCross) {
  PipelineGraph const chain{{{3, 8, 0}, {1, 2, 0}, {1, 9, 0}, {2, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}}};
  auto const found = balanced_stages(pipeline_states(chain), 2).value();
  EXPECT_EQ(found.slowest_s, 4);
  EXPECT_EQ(found.crossing_bytes, 2);
}

}  // namespace
}  // namespace tessera::partition

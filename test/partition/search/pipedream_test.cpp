// The recurrence against every partition of small graphs, priced by the rules as they are stated.
#include "partition/search/pipedream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "arch/base/config_error.hpp"
#include "test/support/draw.hpp"

namespace tessera::partition {
namespace {

using Rule = PipeDreamOptions::Rule;
using Machines = PipeDreamOptions::Machines;
using Shape = PipeDreamOptions::Shape;
using Set = unsigned;  // of nodes, a bit for each

constexpr double never = std::numeric_limits<double>::infinity();

/// One source, node 0; every other node reads one to three before it.
PipelineGraph random_graph(test::Draw& draw) {
  PipelineGraph graph;
  auto const count = static_cast<std::size_t>(draw(2, 6));
  for (std::size_t node = 0; node < count; ++node) {
    graph.nodes.push_back({static_cast<double>(draw(1, 40)) / 8, static_cast<double>(draw(0, 30)),
                           static_cast<double>(draw(0, 50))});
    for (auto inputs = draw(1, 3); node > 0 && inputs > 0; --inputs) {
      auto const from = static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(node) - 1));
      bool const is_known =
          std::any_of(graph.edges.begin(), graph.edges.end(),
                      [&](auto const& edge) { return edge.from == from && edge.to == node; });
      if (!is_known) graph.edges.push_back({from, node});
    }
  }
  return graph;
}

/// A stage of a partition as it is written down: its nodes are those of `to` without `from`.
struct ReleasedStep {
  Set from;
  Set to;
  std::int64_t replicas;
  std::int64_t used;  ///< components of the level up to it, it included
};

/// All partitions of a graph, and what they cost.
class Enumeration final {
 public:
  Enumeration(PipelineGraph const& graph, std::vector<PipelineLevel> const& levels,
              PipeDreamOptions const& options)
      : graph_{graph}, levels_{levels}, options_{options}, known_(levels.size()) {
    for (Set set = 1; set < Set{1} << size(); ++set) {
      if (is_closed(set)) sets_.push_back(set);
    }
  }

  [[nodiscard]] Set all() const { return sets_.back(); }

  /// The least time of the nodes of `to` without `from` on all of a level's components.
  double least(std::size_t level, Set from, Set to) {
    auto const [entry, is_new] = known_[level].emplace(std::make_pair(from, to), never);
    if (!is_new) return entry->second;
    auto best = never;
    std::vector<ReleasedStep> steps;
    extend(level, from, to, steps, [&](std::vector<ReleasedStep> const& partition) {
      best = std::min(best, time_s(level, partition));
    });
    return known_[level][{from, to}] = best;
  }

  /// Of the partitions of least time, the largest stash of a stage of the one with the smallest.
  double stash_of_best() {
    auto const top = levels_.size() - 1;
    auto const best = least(top, 0, all());
    auto least_stash = never;
    std::vector<ReleasedStep> steps;
    extend(top, 0, all(), steps, [&](std::vector<ReleasedStep> const& partition) {
      if (time_s(top, partition) > best) return;
      double largest = 0;
      for (auto const& step : partition) largest = std::max(largest, stash(top, step));
      least_stash = std::min(least_stash, largest);
    });
    return least_stash;
  }

  double time_s(std::size_t level, std::vector<ReleasedStep> const& partition) {
    double slowest = 0;
    for (std::size_t i = 0; i < partition.size(); ++i) {
      auto const& step = partition[i];
      if (options_.memory_limit_bytes && stash(level, step) > *options_.memory_limit_bytes) {
        return never;
      }
      slowest = std::max(slowest, stage_s(level, step, i == 0));
      if (i > 0) slowest = std::max(slowest, transfer_s(level, step));
    }
    return slowest;
  }

 private:
  using Visit = std::function<void(std::vector<ReleasedStep> const&)>;

  [[nodiscard]] std::size_t size() const { return graph_.nodes.size(); }

  [[nodiscard]] bool is_closed(Set set) const {
    return std::all_of(graph_.edges.begin(), graph_.edges.end(), [set](auto const& edge) {
      return (set >> edge.to & 1U) == 0 || (set >> edge.from & 1U) != 0;
    });
  }

  /// Appends every next stage, and where a level may idle, every number of idle components.
  void extend(std::size_t level, Set from, Set to, std::vector<ReleasedStep>& steps,
              Visit const& visit) {
    auto const machines = levels_[level].machines;
    auto const used = steps.empty() ? 0 : steps.back().used;
    auto const most_idle =
        options_.machines == Machines::fewer && !steps.empty() ? machines - used : 0;
    if (!steps.empty() && steps.back().to == to) {
      if (used + most_idle >= machines) visit(steps);
      return;
    }
    auto const begin = steps.empty() ? from : steps.back().to;
    for (auto const set : sets_) {
      if ((begin & ~set) != 0 || set == begin || (set & ~to) != 0) continue;
      for (std::int64_t idle = 0; idle <= most_idle; ++idle) {
        for (std::int64_t replicas = 1; used + idle + replicas <= machines; ++replicas) {
          if (options_.shape == Shape::straight && replicas > 1) break;
          steps.push_back({begin, set, replicas, used + idle + replicas});
          extend(level, from, to, steps, visit);
          steps.pop_back();
        }
      }
    }
  }

  [[nodiscard]] double sum(Set set, double PipelineNode::*value) const {
    double total = 0;
    for (std::size_t node = 0; node < size(); ++node) {
      if ((set >> node & 1U) != 0) total += graph_.nodes[node].*value;
    }
    return total;
  }

  [[nodiscard]] double stash(std::size_t level, ReleasedStep const& step) const {
    auto const stage = step.to & ~step.from;
    auto const left = static_cast<double>(levels_[level].machines - step.used);
    auto const times = std::ceil(left / static_cast<double>(step.replicas)) +
                       (options_.stash == PipeDreamOptions::Stash::in_flight ? 1 : 0);
    return times * (sum(stage, &PipelineNode::activation_bytes) +
                    sum(stage, &PipelineNode::parameter_bytes));
  }

  double stage_s(std::size_t level, ReleasedStep const& step, bool is_first) {
    auto const stage = step.to & ~step.from;
    auto const inner =
        level == 0 ? sum(stage, &PipelineNode::compute_s) : least(level - 1, step.from, step.to);
    auto const replicas = static_cast<double>(step.replicas);
    auto const bytes = sum(stage, &PipelineNode::parameter_bytes);
    auto const bandwidth = levels_[level].bytes_per_second;
    if (options_.rule == Rule::paper) {
      return std::max(inner, 2 * (replicas - 1) * bytes / bandwidth) / replicas;
    }
    auto sync = 4 * (replicas - 1) * bytes / (bandwidth * replicas);
    if (is_first && level > 0) sync /= static_cast<double>(levels_[level - 1].machines);
    return (inner + sync) / replicas;
  }

  /// What the stage reads, and by the released rule also what it sends.
  [[nodiscard]] double transfer_s(std::size_t level, ReleasedStep const& step) const {
    auto const bandwidth = levels_[level].bytes_per_second;
    auto const ratio = options_.activation_compression_ratio;
    if (options_.rule == Rule::paper)
      return 2 * crossing(step.from) / bandwidth / ratio.value_or(1);
    if (!ratio) return 0;
    auto const sent = step.to == all() ? 0 : antichain(step.to);
    auto const replicas = static_cast<double>(step.replicas);
    return 2 * std::max(antichain(step.from), sent) / (bandwidth * replicas) / *ratio;
  }

  /// Activations of `set` that nodes outside read.
  [[nodiscard]] double crossing(Set set) const {
    Set senders = 0;
    for (auto const& [from, to] : graph_.edges) {
      if ((set >> from & 1U) != 0 && (set >> to & 1U) == 0) senders |= Set{1} << from;
    }
    return sum(senders, &PipelineNode::activation_bytes);
  }

  /// A node and all that it depends on: the smallest closed set with it.
  [[nodiscard]] Set closure(std::size_t node) const {
    Set least = ~Set{0};
    for (auto const set : sets_) {
      if ((set >> node & 1U) != 0) least &= set;
    }
    return least;
  }

  /// Of the nodes of `set` that none of it reads, and for each of them of those that it depends on
  /// and that feed something on which it does not depend.
  [[nodiscard]] double antichain(Set set) const {
    Set senders = 0;
    for (std::size_t member = 0; member < size(); ++member) {
      auto const is_read = std::any_of(
          graph_.edges.begin(), graph_.edges.end(),
          [&](auto const& edge) { return edge.from == member && (set >> edge.to & 1U) != 0; });
      if ((set >> member & 1U) == 0 || is_read) continue;
      senders |= Set{1} << member;
      auto const needed = closure(member);
      for (auto const& [from, to] : graph_.edges) {
        if ((needed >> from & 1U) != 0 && (needed >> to & 1U) == 0 && from != member) {
          senders |= Set{1} << from;
        }
      }
    }
    return sum(senders, &PipelineNode::activation_bytes);
  }

  PipelineGraph const& graph_;
  std::vector<PipelineLevel> const& levels_;
  PipeDreamOptions const& options_;
  std::vector<Set> sets_;                                     ///< closed ones, all nodes last
  std::vector<std::map<std::pair<Set, Set>, double>> known_;  ///< per level
};

PipeDreamOptions random_options(test::Draw& draw) {
  PipeDreamOptions options;
  options.rule = draw(0, 1) == 0 ? Rule::paper : Rule::released;
  options.machines = draw(0, 2) == 0 ? Machines::fewer : Machines::all;
  options.shape = draw(0, 3) == 0 ? Shape::straight : Shape::replicated;
  if (draw(0, 1) == 0) options.activation_compression_ratio = static_cast<double>(draw(1, 4)) / 2;
  return options;
}

std::vector<PipelineLevel> random_levels(test::Draw& draw) {
  std::vector<PipelineLevel> levels{{draw(1, 4), static_cast<double>(draw(4, 40))}};
  if (draw(0, 2) == 0) levels.push_back({draw(1, 3), static_cast<double>(draw(2, 20))});
  return levels;
}

void expect_best(PipelineGraph const& graph, std::vector<PipelineLevel> const& levels,
                 PipeDreamOptions const& options, int seed) {
  Enumeration all{graph, levels, options};
  auto const expected = all.least(levels.size() - 1, 0, all.all());
  auto const found = pipedream_partition(graph, levels, options);
  ASSERT_EQ(found.has_value(), std::isfinite(expected)) << "seed " << seed;
  if (!found) return;
  EXPECT_NEAR(found->bottleneck_s, expected, 1e-12) << "seed " << seed;
}

TEST(PipeDream, FindsTheBestOfAllPartitionsOfRandomGraphs) {
  for (int seed = 1; seed <= 400; ++seed) {
    test::Draw draw{static_cast<std::uint64_t>(seed)};
    auto const graph = random_graph(draw);
    expect_best(graph, random_levels(draw), random_options(draw), seed);
  }
}

/// The limit is just below what the best partition without one stashes.
TEST(PipeDream, FindsTheBestOfAllPartitionsThatKeepWithinALimitThatBinds) {
  int bound = 0;
  for (int seed = 1; bound < 250; ++seed) {
    ASSERT_LT(seed, 2000);
    test::Draw draw{static_cast<std::uint64_t>(seed) + 10'000};
    auto const graph = random_graph(draw);
    auto const levels = random_levels(draw);
    auto options = random_options(draw);
    if (draw(0, 1) == 0) options.stash = PipeDreamOptions::Stash::in_flight;
    Enumeration all{graph, levels, options};
    if (std::isinf(all.least(levels.size() - 1, 0, all.all()))) continue;
    auto const stash = all.stash_of_best();
    if (stash < 1) continue;
    options.memory_limit_bytes = stash - 0.5;
    expect_best(graph, levels, options, seed);
    ++bound;
  }
}

TEST(PipeDream, ReturnsStagesThatTakeTheTimeThatItSays) {
  for (int seed = 1; seed <= 200; ++seed) {
    test::Draw draw{static_cast<std::uint64_t>(seed) + 20'000};
    auto const graph = random_graph(draw);
    auto const levels = random_levels(draw);
    auto options = random_options(draw);
    options.machines = Machines::all;
    auto const found = pipedream_partition(graph, levels, options);
    if (!found) continue;
    std::vector<ReleasedStep> steps;
    for (auto const& stage : found->stages) {
      auto const begin = steps.empty() ? Set{0} : steps.back().to;
      auto const used = steps.empty() ? 0 : steps.back().used;
      Set nodes = 0;
      for (auto const node : stage.nodes) nodes |= Set{1} << node;
      EXPECT_EQ(begin & nodes, 0U) << "seed " << seed;
      steps.push_back({begin, begin | nodes, stage.replicas, used + stage.replicas});
      EXPECT_EQ(stage.inner.empty(), levels.size() == 1);
    }
    Enumeration all{graph, levels, options};
    EXPECT_EQ(steps.back().to, all.all());
    EXPECT_EQ(steps.back().used, levels.back().machines);
    EXPECT_NEAR(all.time_s(levels.size() - 1, steps), found->bottleneck_s, 1e-12)
        << "seed " << seed;
  }
}

/// a -> {b, c} -> d
PipelineGraph diamond() {
  return {{{1, 10, 100}, {2, 20, 200}, {4, 40, 400}, {8, 80, 800}},
          {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
}

TEST(PipelineStates, AreTheClosedSetsOfAGraphWithOneSource) {
  std::vector<std::vector<std::size_t>> nodes;
  for (auto const& state : pipeline_states(diamond())) nodes.push_back(state.nodes);
  EXPECT_EQ(nodes,
            (std::vector<std::vector<std::size_t>>{{0}, {0, 1}, {0, 2}, {0, 1, 2}, {0, 1, 2, 3}}));
}

/// Behind {a, b, c} nobody outside reads a any more, but the released optimizer still counts it: b
/// depends on it, and it feeds c, on which b does not depend.
TEST(PipelineStates, CountWhatCrossesACutAndWhatTheReleasedOptimizerCounts) {
  auto const states = pipeline_states(diamond());
  EXPECT_EQ(states[3].crossing_bytes, 20 + 40);
  EXPECT_EQ(states[3].antichain_bytes, 10 + 20 + 40);
  EXPECT_EQ(states[1].crossing_bytes, 10 + 20);
  EXPECT_EQ(states[4].crossing_bytes, 0);
  EXPECT_EQ(states[4].antichain_bytes, 80);
  EXPECT_EQ(states[3].compute_s, 7);
  EXPECT_EQ(states[3].parameter_bytes, 700);
}

/// a -> c, b -> c: from a, c brings b with it.
TEST(PipelineStates, ASecondSourceJoinsWithWhatReadsIt) {
  PipelineGraph const graph{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 2}, {1, 2}}};
  auto const states = pipeline_states(graph);
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states[0].nodes, std::vector<std::size_t>{0});
  EXPECT_EQ(states[1].nodes.size(), 3U);
}

TEST(PipelineStates, PartsThatAreNotJoinedFollowEachOther) {
  PipelineGraph const graph{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1}}};
  auto const states = pipeline_states(graph);
  ASSERT_EQ(states.size(), 3U);
  EXPECT_EQ(states[2].nodes.size(), 3U);
}

TEST(PipelineStates, TooManyAreRefused) {
  PipelineGraph wide{{{1, 1, 1}}, {}};
  for (std::size_t node = 1; node <= 20; ++node) {
    wide.nodes.push_back({1, 1, 1});
    wide.edges.push_back({0, node});
  }
  EXPECT_THROW(static_cast<void>(pipeline_states(wide)), ConfigError);
}

}  // namespace
}  // namespace tessera::partition

// Sums in rings, of all or of groups: what is said of them without working out every message is what the list of all says.
#include "partition/geometry/ring_sum.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "arch/array/load.hpp"
#include "arch/array/translation.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/ring_sum_cost.hpp"
#include "partition/step/exchange_index.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

using Shape = std::vector<std::size_t>;

arch::ArraySpec grid(std::string const& kind, Shape const& shape,
                     std::string const& collectives = "torus") {
  std::size_t accelerators = 1;
  std::string extents;
  for (auto const extent : shape) {
    accelerators *= extent;
    extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  }
  auto const link = ", link: {bandwidth: 8 Gb/s, latency: 5 ns}";
  auto const fabric =
      "{clock: 1 GHz, topology: {kind: " + kind + ", shape: [" + extents + "]" + link;
  return arch::load("hypar-paper",
                    {"accelerators=" + std::to_string(accelerators),
                     "execution.collectives=" + collectives, "fabric=" + fabric + "}}"});
}

using Levels = std::vector<std::size_t>;

/// The sum of a gradient of so many weights under data parallelism, but that weights are split at
/// some levels, and all its exchanges.
class Sum final {
 public:
  Sum(std::string const& kind, Shape const& shape, std::int64_t weights,
      std::string const& collectives = "torus", Levels const& split = {})
      : array_{grid(kind, shape, collectives)},
        network_{network(array_.accelerators, weights)},
        plan_{split_at(split, make_planner("dp")->solve({network_, array_}))},
        topology_{array_},
        tiling_{network_, plan_},
        step_{step_of({network_, array_}, plan_)} {
    Holders all(tiling_.accelerators());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    for (auto const& action : step_.actions) {
      if (!action.conversion || action.conversion->kind != Conversion::Kind::gradient_sum) continue;
      own_ = ring_sum_of(tiling_, *action.conversion);
      steps_ = exchanges_of(tiling_, *action.conversion, all);
    }
  }

  [[nodiscard]] bool is_in_rings() const { return own_.has_value(); }
  [[nodiscard]] RingSum const& own() const { return own_.value(); }
  [[nodiscard]] std::vector<ReshardStep> const& steps() const { return steps_; }
  [[nodiscard]] arch::Translations translations() const { return arch::Translations{topology_}; }

  [[nodiscard]] ExchangeCost cost() const {
    return ring_sum_cost(topology_, array_.hierarchy(), mesh(), Bytes{4}, own());
  }
  [[nodiscard]] ExchangeCost cost_of_all() const {
    return exchange_cost(topology_, array_.hierarchy(), mesh(), Bytes{4}, steps_);
  }

 private:
  static workloads::Network network(std::int64_t batch, std::int64_t weights) {
    test::NetworkText text;
    text.batch = std::to_string(batch);
    text.input = "{name: x, features: 1}";
    return test::network_of(text.with(
        {"{name: fc, kind: linear, input: x, outputs: " + std::to_string(weights) + "}"}));
  }
  static Plan split_at(Levels const& levels, Plan plan) {
    for (auto const level : levels) {
      plan.splits[workloads::OperatorId{0}][level] = Split{workloads::Dim::k};
    }
    return plan;
  }
  [[nodiscard]] DeviceMesh const& mesh() const { return step_.stages[StageId{0}].mesh; }

  arch::ArraySpec array_;
  workloads::Network network_;
  Plan plan_;
  arch::Topology topology_;
  Tiling tiling_;
  Step step_;
  std::optional<RingSum> own_;
  std::vector<ReshardStep> steps_;
};

/// Of all that there are of rings of two and more, of odd ones and of one to three dimensions.
std::vector<Shape> const shapes = {{2},    {7},    {8},       {2, 2},   {4, 4},
                                   {8, 2}, {3, 4}, {2, 3, 4}, {4, 2, 2}};

/// Few, as many as make equal blocks, and others.
std::vector<std::int64_t> sizes_for(std::size_t accelerators) {
  auto const ranks = static_cast<std::int64_t>(accelerators);
  return {1, ranks - 1, ranks, 2 * ranks, 3 * ranks, 5 * ranks / 2, 64 * ranks + ranks / 2, 1000};
}

/// Nowhere, at the outermost or the innermost level, and at every second one, as far as somebody
/// has weights to sum.
std::vector<Levels> splits_for(std::size_t accelerators, std::int64_t weights) {
  std::vector<Levels> splits = {{}};
  auto const levels = Hierarchy{accelerators}.levels();
  if (levels < 2 || weights < static_cast<std::int64_t>(accelerators)) return splits;
  splits.push_back({0});
  splits.push_back({levels - 1});
  for (splits.push_back({0}); splits.back().back() + 2 < levels;) {
    splits.back().push_back(splits.back().back() + 2);
  }
  return splits;
}

template <typename Check>
void for_each_sum(std::string const& kind, std::vector<std::string> const& collectives,
                  Check check) {
  for (auto const& collective : collectives) {
    for (auto const& shape : shapes) {
      auto const accelerators =
          static_cast<std::size_t>(grid(kind, shape, collective).accelerators);
      for (auto const size : sizes_for(accelerators)) {
        for (auto const& split : splits_for(accelerators, size)) {
          SCOPED_TRACE(kind + ", " + collective + ", " + testing::PrintToString(shape) + ", " +
                       std::to_string(size) + ", split at " + testing::PrintToString(split));
          Sum const sum{kind, shape, size, collective, split};
          if (sum.is_in_rings()) {
            check(sum);
          } else {
            EXPECT_TRUE(collective == "torus" && !split.empty()) << "groups that are no grids";
          }
        }
      }
    }
  }
}

/// On tori, and in rings on trees.
template <typename Check>
void for_each_sum(Check check) {
  for_each_sum("torus", {"torus", "ring", "bidirectional"}, check);
  for_each_sum("tree", {"ring", "bidirectional"}, check);
}

std::vector<std::size_t> all_of(std::size_t accelerators) {
  std::vector<std::size_t> all(accelerators);
  for (std::size_t i = 0; i < accelerators; ++i) all[i] = i;
  return all;
}

TEST(RingSum, IsKeptByAShiftExactlyIfAllItsExchangesAre) {
  int kept = 0;
  int not_kept = 0;
  for_each_sum([&](Sum const& sum) {
    auto const grid = sum.translations();
    ExchangeIndex const exchanges{sum.steps(), grid.along(0, 0).size()};
    for (std::size_t i = 0; i < grid.dimensions(); ++i) {
      for (std::size_t places = 1; places < 8; ++places) {
        auto const shift = grid.along(i, places);
        bool const is_kept = maps_onto_itself(exchanges, shift);
        EXPECT_EQ(sum.own().is_kept_by(shift), is_kept) << "dimension " << i << " by " << places;
        ++(is_kept ? kept : not_kept);
      }
    }
  });
  EXPECT_GT(kept, 100);
  EXPECT_GT(not_kept, 100);
}

std::string text_of(std::vector<ReshardStep> const& steps) {
  std::string text;
  for (auto const& step : steps) {
    text += step.reduces ? "\nreduces" : "\ngathers";
    text += step.is_later_round ? " later" : " first";
    for (auto const& exchange : step.exchanges) {
      text += "; " + std::to_string(exchange.from) + ">" + std::to_string(exchange.to) + " " +
              std::to_string(exchange.elements.value()) + " after" +
              testing::PrintToString(exchange.after);
    }
  }
  return text;
}

TEST(RingSum, OfWhichNobodyIsLeftOutIsTheListOfAllExchanges) {
  for_each_sum([](Sum const& sum) {
    auto const everybody = all_of(sum.translations().along(0, 0).size());
    EXPECT_EQ(text_of(sum.own().rounds(everybody)), text_of(sum.steps()));
  });
}

TEST(RingSum, OfRepresentativesIsWhatTheListOfAllLeavesThem) {
  int folded = 0;
  for_each_sum([&](Sum const& sum) {
    auto const accelerators = sum.translations().along(0, 0).size();
    ExchangeIndex const exchanges{sum.steps(), accelerators};
    Hierarchy const hierarchy{accelerators};
    for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
      std::vector<bool> levels(hierarchy.levels(), false);
      levels[level] = true;
      Folding const folding{accelerators, levels};
      std::vector<std::size_t> shift;
      for (std::size_t i = 0; i < accelerators; ++i) {
        shift.push_back(sum.own().shifted(i, 0, hierarchy.sibling(0, level)));
      }
      bool keeps_classes = sum.own().is_kept_by(shift);
      for (std::size_t i = 0; i < accelerators; ++i) {
        keeps_classes =
            keeps_classes && folding.representative(shift[i]) == folding.representative(i);
      }
      if (!keeps_classes) continue;
      ++folded;
      EXPECT_EQ(text_of(sum.own().rounds(sum.own().representatives(folding))),
                text_of(sent_by_representatives(sum.steps(), folding)))
          << "level " << level;
    }
  });
  EXPECT_GT(folded, 20);
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

Pairs pairs_in(std::vector<ReshardStep> const& steps) {
  Pairs pairs;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) pairs.insert({exchange.from, exchange.to});
  }
  return pairs;
}

TEST(RingSum, SendsToNeighboursOnly) {
  for_each_sum([](Sum const& sum) {
    auto const neighbours = pairs_in(sum.own().neighbours());
    for (auto const& pair : pairs_in(sum.steps())) EXPECT_EQ(neighbours.count(pair), 1U);
  });
}

TEST(RingSum, OfAReflectionIsNotThatOfGroupsIfItTakesHalvesOfThemToOthers) {
  // 0 and 4 are a group of a ring of 8. A shift takes 4 to 0, a reflection to 3, which is in another.
  Sum const sum{"torus", {8}, 64, "torus", {1, 2}};
  std::vector<bool> const levels = {true, false, false};
  auto const stays = [&](Folding const& folding) {
    return sum.own().stay_in_groups(sum.own().representatives(folding));
  };
  EXPECT_TRUE(stays(Folding{8, levels}));
  EXPECT_FALSE(stays(Folding{8, levels, {Folding::Reflection{0, {1, 2}}}}));
}

TEST(RingSum, CostsWhatAllItsExchangesCost) {
  auto const is_same = [](Sum const& sum) {
    auto const cost = sum.cost();
    auto const of_all = sum.cost_of_all();
    EXPECT_EQ(cost.seconds, of_all.seconds);
    EXPECT_EQ(cost.level_elements, of_all.level_elements);
  };
  for_each_sum(is_same);
  // The ends of its rows are no neighbours: what goes from one to the other shares all its links.
  for_each_sum("mesh", {"torus", "ring", "bidirectional"}, is_same);
}

TEST(RingSum, IsOfGroupsThatAreGrids) {
  EXPECT_TRUE((Sum{"torus", {4, 4}, 64, "torus", {0}}.is_in_rings()));
  EXPECT_FALSE((Sum{"torus", {3, 4}, 48, "torus", {0}}.is_in_rings()));
  EXPECT_FALSE((Sum{"torus", {2, 2}, 64, "torus", {0, 1}}.is_in_rings())) << "nobody sums";
}

TEST(RingSum, IsOfTheKindOfThoseWithTheSameGroupsAndSizes) {
  auto const kind = [](std::int64_t weights, Levels const& split) {
    return Sum{"torus", {4, 4}, weights, "ring", split}.own().kind().second;
  };
  EXPECT_EQ(kind(64, {}), std::vector<std::int64_t>{64});
  EXPECT_EQ(kind(64, {0}), std::vector<std::int64_t>{32});
  EXPECT_EQ(kind(63, {0}), (std::vector<std::int64_t>{32, 31}));
  EXPECT_NE((Sum{"torus", {4, 4}, 64, "ring", {0}}.own().in_rings().second),
            (Sum{"torus", {4, 4}, 64, "ring", {1}}.own().in_rings().second));
}

}  // namespace
}  // namespace tessera::partition

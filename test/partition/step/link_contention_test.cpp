// Whose messages share links, and what tells them apart.
#include "partition/step/link_contention.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "test/support/small_grid.hpp"

namespace tessera::partition {
namespace {

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

struct Messages {
  explicit Messages(arch::Topology fabric) : topology{std::move(fabric)} {}

  [[nodiscard]] bool mixes(std::vector<Ends> const& steps) {
    return contention.mixes_flows(lists_of(steps));
  }
  [[nodiscard]] std::set<std::size_t> tied(std::vector<Ends> const& steps) {
    return contention.ties(lists_of(steps)).dimensions;
  }
  /// Does a shift by a place along a dimension leave the order of who ties?
  [[nodiscard]] bool keeps_order(std::vector<Ends> const& steps, std::size_t dimension) {
    return contention.keeps_order(contention.ties(lists_of(steps)), grid.along(dimension, 1));
  }
  [[nodiscard]] bool keeps_displacements(std::vector<Ends> const& steps,
                                         std::vector<std::size_t> const& map) {
    return contention.keeps_displacements(lists_of(steps), map);
  }
  [[nodiscard]] static std::vector<ReshardStep> lists_of(std::vector<Ends> const& steps) {
    std::vector<ReshardStep> lists;
    for (auto const& ends : steps) {
      auto& step = lists.emplace_back();
      for (auto const& [from, to] : ends) step.exchanges.push_back({from, to, Elements{8}, {}});
    }
    return lists;
  }

  arch::Topology topology;
  arch::Translations grid{topology};
  LinkContention contention{topology, grid};
};

TEST(LinkContention, MixesFlowsWhereMessagesOfOneStepGoDifferentlyFarOverALink) {
  Messages row{test::row_of_four("kind: mesh")};
  EXPECT_FALSE(row.mixes({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}})) << "all two places";
  EXPECT_FALSE(row.mixes({{{0, 1}, {1, 0}, {2, 3}, {3, 2}}}));
  EXPECT_TRUE(row.mixes({{{0, 3}, {1, 2}}}));
  EXPECT_TRUE(row.mixes({{{0, 1}, {1, 0}}, {{0, 3}, {1, 2}}}));
  EXPECT_FALSE(row.mixes({{{0, 3}}, {{1, 2}}})) << "one after another";
}

TEST(LinkContention, TiesWhoShareTheLinkAboveThemAndGoEquallyFar) {
  // Two servers of two: dimension 0 is within a server.
  Messages servers{arch::Topology{test::grid_array("kind: tree", "2, 2", 4)}};
  using Dimensions = std::set<std::size_t>;
  EXPECT_EQ(servers.tied({{{0, 1}, {1, 0}, {2, 3}, {3, 2}}}), Dimensions{}) << "links of their own";
  EXPECT_EQ(servers.tied({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}}), Dimensions{0});
  EXPECT_EQ(servers.tied({{{0, 2}, {1, 2}}}), Dimensions{}) << "another displacement goes first";
  EXPECT_EQ(servers.tied({{{0, 2}}, {{1, 3}}}), Dimensions{}) << "one after another";
}

TEST(LinkContention, KnowsWhetherAMapKeepsTheOrderOfThoseWhoTie) {
  Messages servers{arch::Topology{test::grid_array("kind: tree", "2, 2", 4)}};
  EXPECT_TRUE(servers.keeps_order({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}}, 1)) << "by their numbers";
  EXPECT_FALSE(servers.keeps_order({{{1, 3}, {0, 2}}}, 1)) << "the other server sends nothing";
  EXPECT_TRUE(servers.keeps_order({{{1, 3}, {0, 2}, {3, 1}, {2, 0}}}, 1)) << "in the same order";
  EXPECT_FALSE(servers.keeps_order({{{1, 3}, {0, 2}, {2, 0}, {3, 1}}}, 1)) << "in another";
  // Two pairs of servers: one sends to the other, the second accelerators first.
  Messages pairs{arch::Topology{test::grid_array("kind: tree", "4, 2", 8)}};
  std::vector<std::size_t> const swaps_in_pairs = {2, 3, 0, 1, 6, 7, 4, 5};
  std::vector<Ends> const to_the_other = {{{1, 5}, {0, 4}, {3, 7}, {2, 6}}};
  auto const ties = pairs.contention.ties(Messages::lists_of(to_the_other));
  EXPECT_TRUE(pairs.contention.keeps_order(ties, swaps_in_pairs));
  EXPECT_FALSE(pairs.contention.keeps_order(ties, pairs.grid.along(1, 1)));
}

TEST(LinkContention, KnowsWhetherAMapKeepsDirections) {
  Messages pairs{arch::Topology{test::grid_array("kind: tree", "4, 2", 8)}};
  std::vector<std::size_t> const swaps_in_pairs = {2, 3, 0, 1, 6, 7, 4, 5};
  EXPECT_TRUE(pairs.keeps_displacements({{{1, 5}, {0, 4}}, {{3, 7}, {2, 7}}}, swaps_in_pairs));
  EXPECT_FALSE(pairs.keeps_displacements({{{1, 5}}, {{0, 2}}}, swaps_in_pairs));
}

TEST(LinkContention, TiesNobodyInATorus) {
  Messages ring{test::row_of_four("kind: torus, half_way: both")};
  EXPECT_TRUE(ring.tied({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}}).empty());
}

TEST(LinkContention, TellsTheTwoPathsRoundARingApart) {
  Messages ring{test::row_of_four("kind: torus, half_way: both")};
  EXPECT_FALSE(ring.mixes({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}}));
  EXPECT_TRUE(ring.mixes({{{0, 2}, {0, 1}}}));
  // On both ways along the row, then down one column.
  Messages torus{arch::Topology{test::grid_array("kind: torus, half_way: both", "4, 2", 8)}};
  EXPECT_FALSE(torus.mixes({{{0, 2}}}));
  EXPECT_TRUE(torus.mixes({{{0, 6}}}));
}

}  // namespace
}  // namespace tessera::partition

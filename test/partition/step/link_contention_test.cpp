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
    return contention.tied_dimensions(lists_of(steps));
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
  EXPECT_EQ(servers.tied({{{1, 3}, {0, 2}}}), (Dimensions{0, 1}))
      << "the other server sends nothing";
  EXPECT_EQ(servers.tied({{{1, 3}, {0, 2}, {3, 1}, {2, 0}}}), Dimensions{0}) << "in the same order";
  EXPECT_EQ(servers.tied({{{1, 3}, {0, 2}, {2, 0}, {3, 1}}}), (Dimensions{0, 1})) << "in another";
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

// Whose messages share links, and what tells them apart.
#include "partition/step/link_contention.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "test/support/small_grid.hpp"

namespace tessera::partition {
namespace {

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

struct Messages {
  explicit Messages(arch::Topology fabric) : topology{std::move(fabric)} {}

  [[nodiscard]] bool mixes(std::vector<Ends> const& steps) {
    std::vector<ReshardStep> lists;
    for (auto const& ends : steps) {
      auto& step = lists.emplace_back();
      for (auto const& [from, to] : ends) step.exchanges.push_back({from, to, Elements{8}, {}});
    }
    return contention.mixes_flows(lists);
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

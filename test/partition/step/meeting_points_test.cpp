// Whose messages share links, and what tells them apart.
#include "partition/step/meeting_points.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "test/support/small_grid.hpp"

namespace tessera::partition {
namespace {

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

struct Messages {
  explicit Messages(arch::Topology fabric) : topology{std::move(fabric)} {}

  [[nodiscard]] bool has_others(std::vector<Ends> const& steps) {
    std::vector<ReshardStep> lists;
    for (auto const& ends : steps) {
      auto& step = lists.emplace_back();
      for (auto const& [from, to] : ends) step.exchanges.push_back({from, to, Elements{8}, {}});
    }
    return points.are_of_others(lists);
  }

  arch::Topology topology;
  arch::Translations grid{topology};
  MeetingPoints points{topology, grid};
};

TEST(MeetingPoints, AreOfOthersWhereMessagesOfOneStepGoDifferentlyFarOverALink) {
  Messages row{test::row_of_four("kind: mesh")};
  EXPECT_FALSE(row.has_others({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}})) << "all two places";
  EXPECT_FALSE(row.has_others({{{0, 1}, {1, 0}, {2, 3}, {3, 2}}}));
  EXPECT_TRUE(row.has_others({{{0, 3}, {1, 2}}}));
  EXPECT_TRUE(row.has_others({{{0, 1}, {1, 0}}, {{0, 3}, {1, 2}}}));
  EXPECT_FALSE(row.has_others({{{0, 3}}, {{1, 2}}})) << "one after another";
}

TEST(MeetingPoints, TellTheTwoWaysRoundARingApart) {
  Messages ring{test::row_of_four("kind: torus, half_way: both")};
  EXPECT_FALSE(ring.has_others({{{0, 2}, {1, 3}, {2, 0}, {3, 1}}}));
  EXPECT_TRUE(ring.has_others({{{0, 2}, {0, 1}}}));
  // On both ways along the row, then down one column.
  Messages torus{arch::Topology{test::grid_array("kind: torus, half_way: both", "4, 2", 8)}};
  EXPECT_FALSE(torus.has_others({{{0, 2}}}));
  EXPECT_TRUE(torus.has_others({{{0, 6}}}));
}

}  // namespace
}  // namespace tessera::partition

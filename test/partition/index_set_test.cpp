#include "partition/index_set.hpp"

#include <gtest/gtest.h>

namespace tessera::partition {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(IndexSet, JoinsRangesThatTouch) {
  auto set = IndexSet::range(0, 4);
  set.append(4, 8);
  set.append(8, 8);  // empty
  set.append(10, 12);
  EXPECT_EQ(set.ranges(), (Ranges{{0, 8}, {10, 12}}));
  EXPECT_EQ(set.size(), 10);
}

TEST(IndexSet, IntersectsRangeByRange) {
  auto set = IndexSet::range(0, 4);
  set.append(6, 10);
  EXPECT_EQ(set.intersect(IndexSet::range(3, 8)).ranges(), (Ranges{{3, 4}, {6, 8}}));
  EXPECT_EQ(set.intersect(IndexSet::range(4, 6)).size(), 0);
}

TEST(AxisTree, HalvesInTheOrderOfItsCutsWithTheLargerHalfFirst) {
  AxisTree const tree{7, {0, 2}};  // 7 = 4 + 3 at level 0; 4 = 2 + 2 and 3 = 2 + 1 at level 2
  EXPECT_EQ(tree.select({false, std::nullopt, false}).ranges(), (Ranges{{0, 2}}));
  EXPECT_EQ(tree.select({true, std::nullopt, true}).ranges(), (Ranges{{6, 7}}));
}

TEST(AxisTree, AHolderThatIsSplitAtAnInnerLevelOnlyTakesAPieceOfEveryOuterPart) {
  AxisTree const tree{8, {0, 1}};
  EXPECT_EQ(tree.select({std::nullopt, false}).ranges(), (Ranges{{0, 2}, {4, 6}}));
}

TEST(AxisTree, IgnoresLevelsThatDoNotCutIt) {
  AxisTree const tree{8, {1}};
  EXPECT_EQ(tree.select({true, false, true}).ranges(), (Ranges{{0, 4}}));
}

TEST(AxisTree, GivesTheSecondHalfOfOneIndexNothing) {
  AxisTree const tree{1, {0}};
  EXPECT_EQ(tree.select({Halves::value_type{false}}).size(), 1);
  EXPECT_EQ(tree.select({Halves::value_type{true}}).size(), 0);
}

}  // namespace
}  // namespace tessera::partition

#include "partition/geometry/index_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::partition {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::optional<Part> const first = Part{0};
std::optional<Part> const second = Part{1};

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
  AxisTree const tree{7, {{0}, {2}}};  // 7 = 4 + 3 at level 0; 4 = 2 + 2 and 3 = 2 + 1 at level 2
  EXPECT_EQ(tree.select({first, std::nullopt, first}).ranges(), (Ranges{{0, 2}}));
  EXPECT_EQ(tree.select({second, std::nullopt, second}).ranges(), (Ranges{{6, 7}}));
}

TEST(AxisTree, AHolderThatIsSplitAtAnInnerLevelOnlyTakesAPieceOfEveryOuterPart) {
  AxisTree const tree{8, {{0}, {1}}};
  EXPECT_EQ(tree.select({std::nullopt, first}).ranges(), (Ranges{{0, 2}, {4, 6}}));
}

TEST(AxisTree, IgnoresLevelsThatDoNotCutIt) {
  AxisTree const tree{8, {{1}}};
  EXPECT_EQ(tree.select({second, first, second}).ranges(), (Ranges{{0, 4}}));
}

TEST(AxisTree, GivesTheSecondHalfOfOneIndexNothing) {
  AxisTree const tree{1, {{0}}};
  EXPECT_EQ(tree.select({first}).size(), 1);
  EXPECT_EQ(tree.select({second}).size(), 0);
}

// 14 in three: 5, 5 and 4; then halves of these.
TEST(AxisTree, CutsInThreeWhereALevelHasThreeParts) {
  AxisTree const tree{14, {{0, {0.5}, 3}, {1}}};
  EXPECT_EQ(tree.select({Part{1}, std::nullopt}).ranges(), (Ranges{{5, 10}}));
  EXPECT_EQ(tree.select({Part{2}, second}).ranges(), (Ranges{{12, 14}}));
  EXPECT_EQ(tree.select({std::nullopt, first}).ranges(), (Ranges{{0, 3}, {5, 8}, {10, 12}}));
  EXPECT_FALSE(tree.is_even(0));
  EXPECT_TRUE((AxisTree{12, {{0, {0.5}, 3}, {1}}}.is_even(0)));
}

TEST(FirstPart, OfEqualHalvesIsTheLargerOne) {
  for (std::int64_t extent = 0; extent < 40; ++extent) {
    for (auto const holders : {1, 2, 8}) {
      EXPECT_EQ(first_part(extent, 0.5, holders), (extent + 1) / 2) << extent << ' ' << holders;
    }
  }
}

TEST(FirstPart, IsTheShareWhereThatIsWholeAndDealtOutEvenly) {
  EXPECT_EQ(first_part(512, 0.25, 128), 128);
  EXPECT_EQ(first_part(10, 0.3, 1), 3);
  EXPECT_EQ(first_part(160, 0.7, 16), 112);
}

TEST(FirstPart, SparesAFewHoldersAnIndexThatAllOthersWouldWaitFor) {
  // 153.6 of 512: 128 holders have one each, not 26 of them two.
  EXPECT_EQ(first_part(512, 0.3, 128), 128);
  EXPECT_EQ(first_part(512, 0.7, 128), 384);
}

TEST(FirstPart, LeavesNeitherHalfEmptyOfMoreThanOneIndex) {
  EXPECT_EQ(first_part(2, 0.01, 8), 1);
  EXPECT_EQ(first_part(2, 0.99, 8), 1);
  EXPECT_EQ(first_part(1, 0.3, 1), 0);  // one index goes to the larger share
  EXPECT_EQ(first_part(1, 0.7, 1), 1);
}

/// How long the slowest holder of each half takes if it is as fast as its share says, the slower
/// half first.
std::pair<double, double> done(std::int64_t extent, double share, std::int64_t holders,
                               std::int64_t part) {
  auto const most = [&](std::int64_t indices) {
    return std::ceil(static_cast<double>(indices) / static_cast<double>(holders));
  };
  auto const [faster, slower] =
      std::minmax({most(part) / share, most(extent - part) / (1 - share)});
  return {slower, faster};
}

TEST(FirstPart, IsTheFastestOfAll) {
  std::mt19937_64 random{1};
  for (int round = 0; round < 2000; ++round) {
    auto const extent = static_cast<std::int64_t>(2 + random() % 300);
    auto const share = static_cast<double>(1 + random() % 99) / 100;
    auto const holders = std::int64_t{1} << (random() % 7);
    auto const [slower, faster] = done(extent, share, holders, first_part(extent, share, holders));
    for (std::int64_t other = 1; other < extent; ++other) {
      auto const [other_slower, other_faster] = done(extent, share, holders, other);
      ASSERT_LE(slower, other_slower * (1 + 1e-12))
          << extent << " * " << share << " for " << holders << ": " << other;
      if (share == 0.5 || other_slower > slower * (1 + 1e-12)) continue;
      ASSERT_LE(faster, other_faster * (1 + 1e-12))
          << extent << " * " << share << " for " << holders << ": " << other;
    }
  }
}

// On 64 holders of one third 171 and 128 of 512 samples are done at the same time: 3 / (1/3) = 6 / (2/3). With 128 the first half is
// done sooner.
TEST(FirstPart, OfEquallyFastOnesSparesTheOtherHalfWhateverTheLastDigitOfTheShare) {
  EXPECT_EQ(first_part(512, 1.0 / 3, 64), 128);
  EXPECT_EQ(first_part(512, 2.0 / 3, 64), 384);
}

TEST(FirstPart, OfUnequalHalvesStaysTheSameWhereTheyChangePlaces) {
  for (std::int64_t extent = 1; extent < 600; ++extent) {
    for (auto const holders : {1, 3, 8, 64}) {
      for (auto const share : {0.1, 0.25, 0.3, 1.0 / 3, 0.4, 5.0 / 12, 0.45}) {
        ASSERT_EQ(first_part(extent, share, holders),
                  extent - first_part(extent, 1 - share, holders))
            << extent << " * " << share << " for " << holders;
      }
    }
  }
}

TEST(AxisTree, CutsAtEveryRatioOfALevel) {
  // Level 0 in quarters, level 1 in halves: [0, 4), [4, 12), [12, 16), each halved.
  AxisTree const tree{16, {{0, {0.25, 0.75}}, {1}}};
  EXPECT_EQ(tree.select({Part{0, 0.25}, std::nullopt}).ranges(), (Ranges{{0, 4}}));
  EXPECT_EQ(tree.select({Part{1, 0.25}, std::nullopt}).ranges(), (Ranges{{4, 16}}));
  EXPECT_EQ(tree.select({Part{0, 0.75}, first}).ranges(), (Ranges{{0, 2}, {4, 8}}));
  EXPECT_EQ(tree.select({std::nullopt, second}).ranges(), (Ranges{{2, 4}, {8, 12}, {14, 16}}));
}

TEST(AxisTree, IsEvenWhereEveryPartIsHalved) {
  AxisTree const quarters{16, {{0, {0.25}}, {1}}};
  EXPECT_FALSE(quarters.is_even(0));
  EXPECT_TRUE(quarters.is_even(1));  // 4 = 2 + 2 and 12 = 6 + 6
  AxisTree const odd{7, {{0, {0.4}}, {1}}};
  EXPECT_FALSE(odd.is_even(1));  // 3 = 2 + 1
  AxisTree const two_ratios{16, {{0, {0.25, 0.5}}, {1}}};
  EXPECT_FALSE(two_ratios.is_even(0));
}

}  // namespace
}  // namespace tessera::partition

// Groups within groups, whatever the number of accelerators.
#include "arch/base/hierarchy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "arch/base/contract.hpp"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Hierarchy, HasTheLargestPrimeFactorAtTheTop) {
  EXPECT_THAT(Hierarchy{1}.ways(), IsEmpty());
  EXPECT_THAT(Hierarchy{16}.ways(), ElementsAre(2U, 2U, 2U, 2U));
  EXPECT_THAT(Hierarchy{12}.ways(), ElementsAre(3U, 2U, 2U));
  EXPECT_THAT(Hierarchy{90}.ways(), ElementsAre(5U, 3U, 3U, 2U));
  EXPECT_THROW(Hierarchy{0}, ContractError);
}

// 7 of 12: in the second of three groups of four, there in the second half, there the second.
TEST(Hierarchy, AnIndexSaysThePartOfEveryGroup) {
  Hierarchy const twelve{12};
  EXPECT_EQ(twelve.part(7, 0), 1U);
  EXPECT_EQ(twelve.part(7, 1), 1U);
  EXPECT_EQ(twelve.part(7, 2), 1U);
  EXPECT_EQ(twelve.sibling(7, 0, 1), 11U);
  EXPECT_EQ(twelve.sibling(7, 0, 2), 3U);
  EXPECT_EQ(twelve.sibling(7, 1), 5U);
  EXPECT_EQ(twelve.sibling(7, 2), 6U);
}

TEST(Hierarchy, TheFirstLikeAnAcceleratorDiffersFromItAtTheGivenLevelsAlone) {
  Hierarchy const twelve{12};  // 3 x 2 x 2
  EXPECT_EQ(twelve.first_like(11, {0}), 3U);
  EXPECT_EQ(twelve.first_like(11, {2, 1}), 8U);
  EXPECT_EQ(twelve.first_like(11, {0, 2}), 2U);
  EXPECT_EQ(twelve.first_like(11, {}), 11U);
}

TEST(Hierarchy, InEveryTurnEverybodyHasOneSiblingAndIsThatOfOne) {
  for (std::size_t const size : {2U, 3U, 8U, 12U, 18U, 30U, 49U}) {
    Hierarchy const hierarchy{size};
    for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
      for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
        std::set<std::size_t> reached;
        for (std::size_t index = 0; index < size; ++index) {
          auto const other = hierarchy.sibling(index, level, turn);
          EXPECT_TRUE(reached.insert(other).second);
          for (std::size_t at = 0; at < hierarchy.levels(); ++at) {
            EXPECT_EQ(hierarchy.part(index, at) == hierarchy.part(other, at), at != level);
          }
        }
        EXPECT_EQ(*reached.rbegin(), size - 1);
      }
    }
  }
}

}  // namespace
}  // namespace tessera

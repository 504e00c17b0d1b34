// Representatives and those that they stand for.
#include "arch/base/folding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

using testing::ElementsAre;

TEST(Folding, OfNothingLeavesEverybody) {
  Folding const whole{3};
  EXPECT_TRUE(whole.is_trivial());
  EXPECT_EQ(whole.representatives(), 3U);
  EXPECT_EQ(whole.representative(2), 2U);
  EXPECT_THAT(whole.copies_of(1), ElementsAre(1U));
}

TEST(Folding, TakesABitOutOfTheIndex) {
  Folding const folding{8, {false, true, false}};  // level 2 of 3: bit 1
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_EQ(folding.accelerator(2), 4U);
  EXPECT_EQ(folding.representative(6), 2U);
  EXPECT_THAT(folding.copies_of(3), ElementsAre(5U, 7U));
  EXPECT_EQ(folding.kept_in_group(1), 2U);
}

TEST(Folding, IsRefusedWhereLevelsAndAcceleratorsDisagree) {
  EXPECT_THROW((Folding{8, {true, true}}), ContractError);
}

TEST(Folding, TakesAThirdForAllThree) {
  Folding const folding{12, {true, false, false}};
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_THAT(folding.copies_of(3), ElementsAre(3U, 7U, 11U));
  EXPECT_EQ(folding.representative(10), 2U);
}

TEST(Folding, TakesTheFirstHalfForItsReflection) {
  Folding const folding{8, {true, false, false}, {{0, {1, 2}}}};
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_EQ(folding.representative(7), 0U);
  EXPECT_EQ(folding.representative(4), 3U);
  EXPECT_THAT(folding.copies_of(1), ElementsAre(1U, 6U));
  EXPECT_TRUE(folding.is_reflected(6, folding.reflections().front()));
  EXPECT_FALSE(folding.is_reflected(1, folding.reflections().front()));
}

TEST(Folding, ReversesSomeLevelsOnlyAndFoldsOthersAsEver) {
  // Twelve: three parts of two parts of two. The thirds are alike, the last level is reversed.
  Folding const folding{12, {true, true, false}, {{1, {2}}}};
  EXPECT_EQ(folding.representatives(), 2U);
  EXPECT_THAT(folding.copies_of(0), ElementsAre(0U, 3U, 4U, 7U, 8U, 11U));
  Folding const thirds{12, {false, true, false}, {{1, {2}}}};
  EXPECT_THAT(thirds.copies_of(3), ElementsAre(5U, 6U));
}

TEST(Folding, IsRefusedWhereAReflectionHasNoHalvesOrReversesWhatIsFolded) {
  using Reflection = Folding::Reflection;
  EXPECT_THROW((Folding{12, {true, false, false}, {Reflection{0, {1}}}}), ContractError)
      << "thirds";
  EXPECT_THROW((Folding{8, {true, true, false}, {Reflection{0, {1}}}}), ContractError);
  EXPECT_THROW((Folding{8, {false, true, false}, {Reflection{0, {2}}}}), ContractError);
  EXPECT_THROW((Folding{8, {false, true, false}, {Reflection{1, {0}}}}), ContractError);
}

class Foldings : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Foldings, testing::Values(32U, 12U, 90U));

using Reflections = std::vector<Folding::Reflection>;

/// At the innermost level that is folded, if it has halves, with all below it in reverse.
Reflections with_reflection(std::vector<bool> const& folded, Hierarchy const& hierarchy) {
  auto level = folded.size();
  std::vector<std::size_t> below;
  while (level-- > 0 && !folded[level]) below.push_back(level);
  if (level >= folded.size() || hierarchy.ways(level) != 2) return {};
  return {{level, below}};
}

/// Every accelerator is among the copies of exactly one representative: its own.
TEST_P(Foldings, DealOutEveryAcceleratorOnce) {
  auto const levels = Hierarchy{GetParam()}.levels();
  for (unsigned mask = 0; mask < (1U << levels); ++mask) {
    std::vector<bool> folded;
    for (unsigned level = 0; level < levels; ++level) folded.push_back(((mask >> level) & 1U) != 0);
    for (auto const& reflections :
         {Reflections{}, with_reflection(folded, Hierarchy{GetParam()})}) {
      Folding const folding{GetParam(), folded, reflections};
      std::set<std::size_t> seen;
      for (std::size_t i = 0; i < folding.representatives(); ++i) {
        EXPECT_EQ(folding.representative(folding.accelerator(i)), i);
        for (auto const copy : folding.copies_of(i)) {
          EXPECT_EQ(folding.representative(copy), i);
          EXPECT_TRUE(seen.insert(copy).second) << copy;
        }
      }
      EXPECT_EQ(seen.size(), GetParam());
    }
  }
}

}  // namespace
}  // namespace tessera

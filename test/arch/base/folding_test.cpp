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

class Foldings : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Foldings, testing::Values(32U, 12U, 90U));

/// Every accelerator is among the copies of exactly one representative: its own.
TEST_P(Foldings, DealOutEveryAcceleratorOnce) {
  auto const levels = Hierarchy{GetParam()}.levels();
  for (unsigned mask = 0; mask < (1U << levels); ++mask) {
    std::vector<bool> folded;
    for (unsigned level = 0; level < levels; ++level) folded.push_back(((mask >> level) & 1U) != 0);
    Folding const folding{GetParam(), folded};
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

}  // namespace
}  // namespace tessera

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
  EXPECT_EQ(folding.kept_below(2), 1);
}

TEST(Folding, IsRefusedWhereLevelsAndAcceleratorsDisagree) {
  EXPECT_THROW((Folding{8, {true, true}}), ContractError);
}

/// Every accelerator is among the copies of exactly one representative: its own.
TEST(Folding, DealsOutEveryAcceleratorOnce) {
  for (unsigned mask = 0; mask < 32; ++mask) {
    std::vector<bool> folded;
    for (unsigned level = 0; level < 5; ++level) folded.push_back(((mask >> level) & 1U) != 0);
    Folding const folding{32, folded};
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < folding.representatives(); ++i) {
      EXPECT_EQ(folding.representative(folding.accelerator(i)), i);
      for (auto const copy : folding.copies_of(i)) {
        EXPECT_EQ(folding.representative(copy), i);
        EXPECT_TRUE(seen.insert(copy).second) << copy;
      }
    }
    EXPECT_EQ(seen.size(), 32U);
  }
}

}  // namespace
}  // namespace tessera

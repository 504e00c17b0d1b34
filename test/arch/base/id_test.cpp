// Ids and the tables that only they can index.
#include "arch/base/id.hpp"

#include <gtest/gtest.h>

#include <unordered_set>

namespace tessera {
namespace {

using FruitId = Id<struct FruitTag>;

TEST(IdVector, HandsOutTheIdOfWhatWasAppended) {
  IdVector<FruitId, std::string> fruits;
  auto const apple = fruits.push_back("apple");
  auto const pear = fruits.push_back("pear");
  EXPECT_EQ(fruits[apple], "apple");
  EXPECT_EQ(fruits[pear], "pear");
  EXPECT_EQ(fruits.ids().list(), (std::vector<FruitId>{apple, pear}));
}

TEST(IdVector, AnIdBeyondTheEndThrows) {
  IdVector<FruitId, int> table{2, 7};
  EXPECT_EQ(table[FruitId{1}], 7);
  EXPECT_THROW(static_cast<void>(table[FruitId{2}]), ContractError);
  auto const& held = table;
  EXPECT_THROW(static_cast<void>(held[FruitId{2}]), ContractError);
}

TEST(Id, AnIndexOfMoreThan32BitsThrows) {
  EXPECT_EQ(FruitId{0xffff'ffff}.index(), 0xffff'ffffU);
  EXPECT_THROW(static_cast<void>(FruitId{0x1'0000'0000}), ContractError);
}

TEST(Id, IsOrderedHashedAndPrinted) {
  EXPECT_LT(FruitId{1}, FruitId{2});
  EXPECT_NE(FruitId{1}, FruitId{2});
  std::unordered_set<FruitId> const set{FruitId{1}, FruitId{1}, FruitId{2}};
  EXPECT_EQ(set.size(), 2U);
  std::ostringstream text;
  text << FruitId{3};
  EXPECT_EQ(text.str(), "#3");
}

}  // namespace
}  // namespace tessera

// Which rounds are one and the same.
#include "partition/geometry/equal_rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::partition {
namespace {

using testing::ElementsAre;

/// A step of a collective, the first or a later one.
ReshardStep step(bool is_later, bool reduces, std::vector<Exchange> exchanges) {
  return {0, reduces, std::move(exchanges), is_later};
}

/// Of three that send to the next one; `first`: the number of the exchange that brings it to 0.
ReshardStep round_of_ring(bool is_later, bool reduces, std::size_t first, std::int64_t size = 8) {
  auto const after = [&](std::size_t rank) {
    return is_later ? std::vector<std::size_t>{first - 2 + (rank + 2) % 3}
                    : std::vector<std::size_t>{};
  };
  return step(is_later, reduces,
              {{0, 1, Elements{size}, after(0)},
               {1, 2, Elements{size}, after(1)},
               {2, 0, Elements{size}, after(2)}});
}

std::vector<std::size_t> rounds_of(std::vector<ReshardStep> const& steps) {
  std::vector<std::size_t> rounds;
  for (auto const& step : steps) rounds.push_back(step.rounds);
  return rounds;
}

TEST(EqualRounds, OfAPassRoundARingAreOneStep) {
  auto const merged = merge_equal_rounds(
      {round_of_ring(false, true, 0), round_of_ring(true, true, 2), round_of_ring(true, true, 5)});
  ASSERT_THAT(rounds_of(merged), ElementsAre(3));
  // What 2 sends comes to 0, and so on.
  EXPECT_THAT(merged.front().behind, ElementsAre(2, 0, 1));
  EXPECT_EQ(merged.front().exchanges.size(), 3U);
  for (auto const& exchange : merged.front().exchanges) EXPECT_TRUE(exchange.after.empty());
}

TEST(EqualRounds, EndWhereMessagesAreNoLongerAddedUp) {
  auto const merged =
      merge_equal_rounds({round_of_ring(false, true, 0), round_of_ring(true, true, 2),
                          round_of_ring(true, false, 5), round_of_ring(true, false, 8)});
  ASSERT_THAT(rounds_of(merged), ElementsAre(2, 2));
  // The second pass waits for the first, whose exchanges have numbers 0 to 2.
  EXPECT_THAT(merged[1].exchanges[0].after, ElementsAre(2));
  EXPECT_THAT(merged[1].exchanges[1].after, ElementsAre(0));
}

TEST(EqualRounds, HaveExchangesOfOneSize) {
  EXPECT_THAT(rounds_of(merge_equal_rounds(
                  {round_of_ring(false, true, 0), round_of_ring(true, true, 2, 7)})),
              ElementsAre(1, 1));
  auto other = round_of_ring(true, true, 2);
  other.exchanges[1].elements = Elements{9};
  EXPECT_THAT(rounds_of(merge_equal_rounds({round_of_ring(false, true, 0), other})),
              ElementsAre(1, 1));
}

TEST(EqualRounds, AreBetweenTheSameAccelerators) {
  auto other = round_of_ring(true, true, 2);
  std::swap(other.exchanges[0].to, other.exchanges[1].to);
  EXPECT_THAT(rounds_of(merge_equal_rounds({round_of_ring(false, true, 0), other})),
              ElementsAre(1, 1));
}

TEST(EqualRounds, WaitForOneExchangeOfTheRoundBeforeEach) {
  auto none = round_of_ring(true, true, 2);
  none.exchanges[1].after.clear();
  auto two = round_of_ring(true, true, 2);
  two.exchanges[1].after = {0, 1};
  auto same = round_of_ring(true, true, 2);
  same.exchanges[1].after = same.exchanges[0].after;
  for (auto const& other : {none, two, same}) {
    EXPECT_THAT(rounds_of(merge_equal_rounds({round_of_ring(false, true, 0), other})),
                ElementsAre(1, 1));
  }
}

TEST(EqualRounds, SendOnWhatTheSameOneBrings) {
  auto other = round_of_ring(true, true, 5);
  std::swap(other.exchanges[0].after, other.exchanges[1].after);
  EXPECT_THAT(rounds_of(merge_equal_rounds(
                  {round_of_ring(false, true, 0), round_of_ring(true, true, 2), other})),
              ElementsAre(2, 1));
}

TEST(EqualRounds, WaitForNothingMoreThanTheFirst) {
  auto const earlier = step(false, true, {{2, 1, Elements{1}}, {1, 0, Elements{1}}});
  auto first = round_of_ring(true, true, 2);
  for (auto& exchange : first.exchanges) exchange.after = {0};
  auto again = round_of_ring(true, true, 4);
  for (auto& exchange : again.exchanges) exchange.after.push_back(0);
  EXPECT_THAT(rounds_of(merge_equal_rounds({earlier, first, again})), ElementsAre(1, 2));
  again.exchanges[2].after.push_back(1);
  EXPECT_THAT(rounds_of(merge_equal_rounds({earlier, first, again})), ElementsAre(1, 1, 1));
}

TEST(EqualRounds, OfAnotherCollectiveBeginAnew) {
  auto const merged =
      merge_equal_rounds({round_of_ring(false, true, 0), round_of_ring(true, true, 2),
                          round_of_ring(false, true, 0), round_of_ring(true, true, 2)});
  EXPECT_THAT(rounds_of(merged), ElementsAre(2, 2));
  EXPECT_FALSE(merged[1].is_later_round);
}

TEST(EqualRounds, AreCountedFromTheFirstRoundThatSendsSomething) {
  auto const merged = merge_equal_rounds(
      {round_of_ring(false, true, 0), step(false, true, {}), round_of_ring(true, true, 2)});
  EXPECT_THAT(rounds_of(merged), ElementsAre(1, 1, 1));
  EXPECT_THAT(merged[2].exchanges[0].after, ElementsAre(2));
}

}  // namespace
}  // namespace tessera::partition

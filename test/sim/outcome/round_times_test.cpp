// When last rounds begin, against rings that are walked round by round.
#include "sim/outcome/round_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sim/outcome/last_rounds.hpp"

namespace tessera::sim::outcome {
namespace {

/// Each passes on what the one before it sends, the first what the last one does.
using Ring = std::vector<RingMember>;

LastBegun last_of(Ring const& ring, std::uint32_t number, std::uint32_t rounds) {
  auto const members = static_cast<std::uint32_t>(ring.size());
  return last_begun(
      number, rounds, [&](std::uint32_t at) { return ring[at]; },
      [&](std::uint32_t at) { return (at + members - 1) % members; });
}

TEST(LastRound, WaitsForWhoeverOfTheRingBeganLate) {
  Ring ring(5, {Time{0}, Time{20}, Time{30}});
  ring[1].begun = Time{100};
  auto const last = last_of(ring, 3, 4);
  EXPECT_EQ(last.begun, Time{180});
  EXPECT_EQ(last.waited_for, 2U);
}

/// Whoever is k behind hands a round on k times, the others go at the pace of the slowest between.
LastBegun walked(Ring const& ring, std::size_t number, std::uint32_t rounds) {
  LastBegun last;
  Time pace{0};
  Time handed_on{0};
  for (std::uint32_t k = 0; k < rounds; ++k) {
    auto const& member = ring[number];
    pace = std::max(pace, member.first);
    if (k > 0) handed_on += member.hand_over;
    auto const then = member.begun + handed_on + pace * std::int64_t{rounds - 1 - k};
    if (k == 0 || then > last.begun) last = {then, k};
    number = (number + ring.size() - 1) % ring.size();
  }
  return last;
}

TEST(LastRound, OfAFoldedRingIsThatOfOneWalkedRoundByRound) {
  std::mt19937_64 random{11};
  for (int i = 0; i < 20'000; ++i) {
    Ring ring(1 + random() % 5);
    for (auto& member : ring) {
      member = {Time{static_cast<std::int64_t>(random() % 200)},
                Time{static_cast<std::int64_t>(random() % 20)},
                Time{static_cast<std::int64_t>(random() % 20)}};
    }
    auto const rounds = static_cast<std::uint32_t>(2 + random() % 40);
    auto const number = static_cast<std::uint32_t>(random() % ring.size());
    SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(ring.size()) + " members, " +
                 std::to_string(rounds) + " rounds");
    auto const expected = walked(ring, number, rounds);
    auto const last = last_of(ring, number, rounds);
    ASSERT_EQ(last.begun, expected.begun);
    ASSERT_EQ(last.waited_for, expected.waited_for);
  }
}

TEST(LastRound, OfAllMembersIsWhatEachWaitsFor) {
  std::mt19937_64 random{12};
  LastRounds last_rounds;
  for (int i = 0; i < 20'000; ++i) {
    Ring ring(1 + random() % 12);
    Time const first{static_cast<std::int64_t>(random() % 20)};
    for (auto& member : ring) {
      member = {Time{static_cast<std::int64_t>(random() % 200)}, first,
                Time{static_cast<std::int64_t>(random() % 20)}};
    }
    if (random() % 4 == 0) std::fill(ring.begin(), ring.end(), ring.front());
    auto const rounds = static_cast<std::uint32_t>(1 + random() % 40);
    SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(ring.size()) + " members, " +
                 std::to_string(rounds) + " rounds");
    ASSERT_TRUE(LastRounds::serves(ring));
    auto const& last = last_rounds.of(ring, rounds);
    ASSERT_EQ(last.size(), ring.size());
    for (std::size_t number = 0; number < ring.size(); ++number) {
      ASSERT_EQ(last[number], walked(ring, number, rounds).begun);
    }
  }
}

TEST(LastRound, OfAllMembersIsNotFoundWhereSomeAreLongerOnTheirLinks) {
  Ring ring(3, {Time{0}, Time{20}, Time{30}});
  ring[1].first = Time{21};
  EXPECT_FALSE(LastRounds::serves(ring));
}

}  // namespace
}  // namespace tessera::sim::outcome

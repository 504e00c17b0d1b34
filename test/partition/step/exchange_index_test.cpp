// Lists of exchanges that a permutation maps onto themselves, and what is left of them when they are folded.
#include "partition/step/exchange_index.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "arch/collective/builtin_collectives.hpp"
#include "partition/geometry/equal_rounds.hpp"
#include "partition/geometry/group_collective.hpp"

namespace tessera::partition {
namespace {

using Permutation = std::vector<std::size_t>;

Permutation shift(std::size_t accelerators, std::size_t by) {
  Permutation all(accelerators);
  for (std::size_t i = 0; i < accelerators; ++i) all[i] = (i + by) % accelerators;
  return all;
}

/// An all-reduce of `size` elements round a ring.
std::vector<ReshardStep> ring(std::size_t ranks, std::int64_t size,
                              std::string const& algorithm = "ring") {
  arch::CollectiveSpec spec;
  spec.algorithm = arch::builtin_collective(algorithm);
  spec.size = size;
  Holders members(ranks);
  std::iota(members.begin(), members.end(), std::size_t{0});
  return rounds_of(spec, members);
}

bool is_kept_by_shift(std::vector<ReshardStep> const& steps, std::size_t ranks, std::size_t by) {
  return maps_onto_itself(ExchangeIndex{steps, ranks}, shift(ranks, by));
}

TEST(ExchangeIndex, ARingOfEqualBlocksIsKeptByEveryShift) {
  for (auto const* const algorithm : {"ring", "bidirectional-ring"}) {
    auto const steps = ring(8, 64, algorithm);
    for (std::size_t by = 1; by < 8; ++by) EXPECT_TRUE(is_kept_by_shift(steps, 8, by)) << by;
  }
}

TEST(ExchangeIndex, RoundsInOneStepAreKeptAsTheyAreApart) {
  for (auto const* const algorithm : {"ring", "bidirectional-ring"}) {
    auto const apart = ring(8, 64, algorithm);
    auto steps = merge_equal_rounds(apart);
    ASSERT_LT(steps.size(), apart.size());
    for (std::size_t by = 1; by < 8; ++by) EXPECT_TRUE(is_kept_by_shift(steps, 8, by)) << by;
    // Two of them bring each other's.
    std::swap(steps.front().behind[0], steps.front().behind[4]);
    EXPECT_FALSE(is_kept_by_shift(steps, 8, 1));
  }
}

TEST(ExchangeIndex, BlocksOfSeveralSizesAreKeptByTheirPeriod) {
  auto const steps = ring(8, 12);  // blocks of 1 and 2 in turn
  EXPECT_FALSE(is_kept_by_shift(steps, 8, 1));
  EXPECT_TRUE(is_kept_by_shift(steps, 8, 2));
  EXPECT_TRUE(is_kept_by_shift(steps, 8, 4));
}

TEST(ExchangeIndex, HalvingIsKeptByAShiftOfHalfOnly) {
  auto const steps = ring(8, 64, "halving-doubling");
  EXPECT_TRUE(is_kept_by_shift(steps, 8, 4));
  EXPECT_FALSE(is_kept_by_shift(steps, 8, 2));
  EXPECT_FALSE(is_kept_by_shift(steps, 8, 1));
}

TEST(ExchangeIndex, ATreeIsKeptByNoShift) {
  EXPECT_FALSE(is_kept_by_shift(ring(8, 64, "double-tree"), 8, 4));
}

/// Two ranks swap; each sends again when it has received.
std::vector<ReshardStep> two_rounds() {
  return {{0, false, {{0, 1, Elements{4}}, {1, 0, Elements{4}}}},
          {0, false, {{0, 1, Elements{4}, {1}}, {1, 0, Elements{4}, {0}}}, true}};
}

TEST(ExchangeIndex, SeesWhatDiffersInSizeReceiverPlaceOrWhatIsWaitedFor) {
  EXPECT_TRUE(is_kept_by_shift(two_rounds(), 2, 1));
  auto steps = two_rounds();
  steps[1].exchanges[1].elements = Elements{5};
  EXPECT_FALSE(is_kept_by_shift(steps, 2, 1));
  steps = two_rounds();
  steps[1].exchanges[1].after = {1};
  EXPECT_FALSE(is_kept_by_shift(steps, 2, 1));
  steps = two_rounds();
  steps[1].exchanges[1].after = {};
  EXPECT_FALSE(is_kept_by_shift(steps, 2, 1));
  steps = two_rounds();
  steps[0].exchanges.pop_back();
  EXPECT_FALSE(is_kept_by_shift(steps, 2, 1));
  steps = two_rounds();
  steps[0].exchanges[1].to = 1;
  EXPECT_FALSE(is_kept_by_shift(steps, 2, 1));
}

TEST(ExchangeIndex, RepresentativesKeepTheirExchangesAndWaitForThoseOfRepresentatives) {
  auto const steps = two_rounds();
  auto const left = sent_by_representatives(steps, Folding{2, std::vector<bool>{true}});
  ASSERT_EQ(left.size(), 2U);
  ASSERT_EQ(left[0].exchanges.size(), 1U);
  ASSERT_EQ(left[1].exchanges.size(), 1U);
  EXPECT_EQ(left[1].exchanges[0].to, 1U);
  // Of both exchanges of the first round, number 0 is left.
  EXPECT_EQ(left[1].exchanges[0].after, (std::vector<std::size_t>{0}));
}

TEST(ExchangeIndex, NumbersBeginAgainWithEachCollective) {
  auto steps = two_rounds();
  append(steps, two_rounds());
  EXPECT_TRUE(is_kept_by_shift(steps, 2, 1));
  auto const left = sent_by_representatives(steps, Folding{2, std::vector<bool>{true}});
  ASSERT_EQ(left.size(), 4U);
  EXPECT_EQ(left[3].exchanges[0].after, (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace tessera::partition

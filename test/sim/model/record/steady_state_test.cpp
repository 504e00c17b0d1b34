// The rule of a steady state, on completions that are written down.
#include "sim/model/record/steady_state.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

std::vector<Time> completed_at(std::vector<std::int64_t> const& ps) {
  std::vector<Time> all;
  for (auto const time : ps) all.emplace_back(time);
  return all;
}

TEST(SteadyState, OfOneStageThatRepeatsItselfIsAllOfIt) {
  auto const part = repeated_part({completed_at({7, 17, 27, 37})});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->micro_batches, 1U);
  EXPECT_EQ(part->period, Time{10});
  EXPECT_EQ(part->first, 0U);
  EXPECT_EQ(part->last, 3U);
}

TEST(SteadyState, LeavesOutTheFillAndTheDrain) {
  auto const part = repeated_part({completed_at({20, 25, 30, 40, 50, 60, 70, 73, 76})});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->period, Time{10});
  EXPECT_EQ(part->first, 2U);
  EXPECT_EQ(part->last, 6U);
}

TEST(SteadyState, IsOfAllStagesTogether) {
  // Each for itself repeats every micro-batch, but not at the same rate until micro-batch 3.
  auto const part = repeated_part({completed_at({4, 8, 12, 16, 26, 36, 46, 56}),
                                   completed_at({10, 20, 30, 40, 50, 60, 70, 80})});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->period, Time{10});
  EXPECT_EQ(part->first, 3U);
  EXPECT_EQ(part->last, 7U);
}

TEST(SteadyState, MayTakeSeveralMicroBatches) {
  auto const part = repeated_part({completed_at({3, 10, 13, 20, 23, 30, 33, 40})});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->micro_batches, 2U);
  EXPECT_EQ(part->period, Time{10});
}

TEST(SteadyState, IsNotWhatRepeatsWithinAStepOnly) {
  // Three steps of four micro-batches, which are done 2 after each other.
  auto const step = repeated_part({completed_at({20, 22, 24, 26, 50, 52, 54, 56, 80, 82, 84, 86})});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->micro_batches, 4U);
  EXPECT_EQ(step->period, Time{30});
  EXPECT_EQ(step->first, 0U);
  EXPECT_EQ(step->last, 11U);
}

TEST(SteadyState, WantsThreePeriodsAndHalfOfTheRun) {
  EXPECT_FALSE(repeated_part({completed_at({10, 20})}));
  EXPECT_TRUE(repeated_part({completed_at({10, 20, 30})}));
  EXPECT_FALSE(repeated_part({completed_at({10, 20, 31})}));
  EXPECT_TRUE(repeated_part({completed_at({1, 3, 7, 17, 27, 37})})) << "3 of 6";
  EXPECT_FALSE(repeated_part({completed_at({1, 3, 7, 12, 22, 32, 33})})) << "3 of 7";
}

TEST(SteadyState, IsExact) {
  EXPECT_FALSE(repeated_part({completed_at({10, 20, 31, 41, 50, 61})}));
}

TEST(SteadyState, MayBeOneHalfOrTheOther) {
  EXPECT_EQ(repeated_part({completed_at({10, 20, 30, 40, 49, 52, 57, 60})})->last, 3U);
  EXPECT_EQ(repeated_part({completed_at({1, 3, 8, 9, 20, 30, 40, 50})})->first, 4U);
}

}  // namespace
}  // namespace tessera::sim

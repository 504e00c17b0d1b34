#include "sim/export/folding.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

// Periods of 10 ps from 100 to 145: four whole ones, of which that from 100 to 110 is shown.
Folding const folding{Time{100}, Time{145}, Time{10}};

TEST(Folding, WhatBeginsBeforeTheEndOfTheFirstPeriodStays) {
  EXPECT_EQ(folding.shift(Time{0}), Time{0});
  EXPECT_EQ(folding.shift(Time{109}), Time{0});
}

TEST(Folding, WhatBeginsInTheOtherPeriodsIsLeftOut) {
  EXPECT_EQ(folding.shift(Time{110}), std::nullopt);
  EXPECT_EQ(folding.shift(Time{139}), std::nullopt);
}

TEST(Folding, WhatComesAfterThemMovesForwardByThem) {
  EXPECT_EQ(folding.shift(Time{140}), Time{30});
  EXPECT_EQ(folding.periods(), 4);
}

TEST(Folding, ThePeriodThatIsShownIsTheFirst) {
  EXPECT_EQ(folding.shown_begin(), Time{100});
  EXPECT_EQ(folding.shown_end(), Time{110});
}

TEST(Folding, WithoutSteadyStateNothingMoves) {
  EXPECT_EQ(Folding{}.shift(Time{7}), Time{0});
  EXPECT_EQ(Folding{}.periods(), 0);
}

}  // namespace
}  // namespace tessera::sim

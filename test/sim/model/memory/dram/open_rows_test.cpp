// Rows that open and close in any order, against a list of clocks that are ticked off one by one.
#include "sim/model/memory/dram/open_rows.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tessera::sim {

namespace {

TEST(OpenRows, OfOneRowIsFromItsActivateToItsPrecharge) {
  OpenRows rows;
  rows.open(10);
  EXPECT_EQ(rows.count_to(12), 2);
  rows.close(25);
  EXPECT_EQ(rows.count_to(100), 13);
  EXPECT_EQ(rows.count_to(200), 0);
}

TEST(OpenRows, AClockWithTwoIsOne) {
  OpenRows rows;
  rows.open(10);
  rows.open(15);
  rows.close(20);
  rows.close(30);
  EXPECT_EQ(rows.count_to(100), 20);
}

TEST(OpenRows, ARowThatClosesBeforeAnOlderRequestOpensItsOwnLeavesAGap) {
  OpenRows rows;
  rows.open(0);
  rows.open(100);  // told first: the request is older
  rows.close(80);
  EXPECT_EQ(rows.count_to(110), 90);
}

TEST(OpenRows, NoneIsCountedFromARefreshOn) {
  OpenRows rows;
  rows.open(10);
  EXPECT_EQ(rows.count_to(70, 50), 40);
  EXPECT_EQ(rows.count_to(90, 50), 0);
}

TEST(OpenRows, WhatIsKnownMayBeAskedForWithoutCountingIt) {
  OpenRows rows;
  rows.open(10);
  rows.close(40);
  EXPECT_EQ(rows.clocks_to(30), 20);
  EXPECT_EQ(rows.clocks_to(90), 30);
  EXPECT_EQ(rows.count_to(30), 20);
  EXPECT_EQ(rows.clocks_to(90), 10);
}

/// Clocks with an open row among the first `clocks`, by bank: an open interval each.
struct Interval {
  std::int64_t open, close;
};

std::int64_t ticked_off(std::vector<Interval> const& intervals, std::int64_t clocks) {
  std::vector<bool> open(static_cast<std::size_t>(clocks));
  for (auto const& it : intervals) {
    for (auto clock = it.open; clock < std::min(it.close, clocks); ++clock) {
      open[static_cast<std::size_t>(clock)] = true;
    }
  }
  return std::count(open.begin(), open.end(), true);
}

TEST(OpenRows, AreThoseOfAListOfClocksWhereverOneLooks) {
  std::mt19937 generator{3};
  auto const up_to = [&](int most) { return std::uniform_int_distribution<>{0, most}(generator); };
  for (int round = 0; round < 500; ++round) {
    OpenRows rows;
    std::vector<Interval> told;
    std::int64_t counted = 0;
    std::int64_t now = 0;
    std::int64_t last = 0;
    for (int i = 0; i < 30; ++i) {
      auto const open = now + up_to(40);
      Interval const it{open, open + 1 + up_to(30)};
      rows.open(it.open);
      rows.close(it.close);
      told.push_back(it);
      last = std::max(last, it.close);
      now += up_to(3) == 0 ? up_to(60) : 0;
      if (up_to(1) == 0) counted += rows.count_to(now);
      ASSERT_EQ(counted + rows.clocks_to(last), ticked_off(told, last));
    }
    StateWriter here;
    StateWriter there;
    auto moved = rows;
    moved.shift(1000);
    rows.serialize(now, here);
    moved.serialize(now + 1000, there);
    ASSERT_EQ(here.words(), there.words());
    ASSERT_EQ(rows.count_to(last + 1), moved.count_to(last + 1001));
  }
}

}  // namespace

}  // namespace tessera::sim

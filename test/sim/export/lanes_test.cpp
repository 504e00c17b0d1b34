#include "sim/export/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace tessera::sim {
namespace {

TEST(Lanes, WhatBeginsAsAnotherEndsTakesItsLane) {
  Lanes lanes;
  EXPECT_EQ(lanes.take(Time{0}, Time{10}), 0U);
  EXPECT_EQ(lanes.take(Time{10}, Time{20}), 0U);
}

TEST(Lanes, WhatBeginsBeforeAnotherEndsTakesALaneOfItsOwn) {
  Lanes lanes;
  EXPECT_EQ(lanes.take(Time{0}, Time{10}), 0U);
  EXPECT_EQ(lanes.take(Time{9}, Time{20}), 1U);
}

TEST(Lanes, NothingOverlapsAndThereAreAsManyAsAreBusyAtOnce) {
  std::mt19937 random{20261124};
  for (int round = 0; round < 200; ++round) {
    std::uniform_int_distribution<std::int64_t> begin{0, 60};
    std::uniform_int_distribution<std::int64_t> length{1, 20};
    std::vector<std::pair<std::int64_t, std::int64_t>> busy(30);  // (end, begin): sorted by end
    for (auto& [end, start] : busy) {
      start = begin(random);
      end = start + length(random);
    }
    std::sort(busy.begin(), busy.end());
    std::ptrdiff_t at_once = 0;
    for (auto const& one : busy) {
      at_once = std::max(at_once, std::count_if(busy.begin(), busy.end(), [&](auto const& other) {
                           return other.second <= one.second && one.second < other.first;
                         }));
    }
    Lanes lanes;
    std::vector<std::int64_t> ends(busy.size(), 0);
    for (auto const& [end, start] : busy) {
      auto const lane = lanes.take(Time{start}, Time{end});
      EXPECT_LE(ends[lane], start);
      ends[lane] = end;
    }
    EXPECT_EQ(lanes.count(), static_cast<std::size_t>(at_once)) << "round " << round;
  }
}

}  // namespace
}  // namespace tessera::sim

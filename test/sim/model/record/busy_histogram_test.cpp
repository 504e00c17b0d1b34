// Bins that double: integer exact in any order.
#include "sim/model/record/busy_histogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace tessera::sim {
namespace {

using testing::ElementsAre;

TEST(BusyHistogram, SplitsAnIntervalAtTheBordersOfBins) {
  BusyHistogram histogram;
  histogram.cover(Time{1024});  // 256 bins of 4 ps
  histogram.add(Time{3}, Time{9});
  EXPECT_EQ(histogram.width(), Time{4});
  EXPECT_THAT(histogram.bins(Time{12}), ElementsAre(Time{1}, Time{4}, Time{1}));
}

TEST(BusyHistogram, KeepsItsWidthUpToTheLastBinAndDoublesItAfter) {
  BusyHistogram histogram;
  histogram.add(Time{255}, Time{256});
  EXPECT_EQ(histogram.width(), Time{1});
  histogram.add(Time{256}, Time{257});
  EXPECT_EQ(histogram.width(), Time{2});
  EXPECT_EQ(histogram.bins(Time{258}).at(127), Time{1});
  EXPECT_EQ(histogram.bins(Time{258}).at(128), Time{1});
}

TEST(BusyHistogram, AddsAnotherSoManyTimesWhicheverIsWider) {
  BusyHistogram narrow;
  narrow.add(Time{3}, Time{5});
  BusyHistogram wide;
  wide.add(Time{0}, Time{1000});
  auto expected = wide;
  for (int i = 0; i < 3; ++i) expected.add(Time{3}, Time{5});
  auto into_wide = wide;
  into_wide.add(narrow, 3);
  EXPECT_EQ(into_wide.bins(Time{1000}), expected.bins(Time{1000}));
  BusyHistogram into_narrow;
  into_narrow.add(narrow, 3);
  into_narrow.add(wide, 1);
  EXPECT_EQ(into_narrow.bins(Time{1000}), expected.bins(Time{1000}));
}

TEST(BusyHistogram, OfNothingHasEmptyBins) {
  BusyHistogram histogram;
  histogram.cover(Time{512});
  EXPECT_EQ(histogram.total(), Time{0});
  EXPECT_EQ(histogram.bins(Time{0}).size(), 0U);
  EXPECT_EQ(histogram.bins(Time{511}).size(), 256U);
}

TEST(BusyHistogram, GivesAllBinsThatHoldSomethingEvenPastTheEnd) {
  BusyHistogram histogram;
  histogram.add(Time{2}, Time{5});
  EXPECT_EQ(histogram.bins(Time{4}).size(), 5U);
  EXPECT_EQ(histogram.bins(Time{5}).size(), 5U);
  EXPECT_EQ(histogram.bins(Time{6}).size(), 6U);
}

TEST(BusyHistogram, CountsOverlappingIntervalsTwice) {
  BusyHistogram histogram;
  histogram.add(Time{0}, Time{2});
  histogram.add(Time{1}, Time{3});
  EXPECT_THAT(histogram.bins(Time{3}), ElementsAre(Time{1}, Time{2}, Time{1}));
}

TEST(BusyHistogram, RejectsAnIntervalThatEndsBeforeItBegins) {
  BusyHistogram histogram;
  EXPECT_THROW(histogram.add(Time{2}, Time{1}), ContractError);
  EXPECT_THROW(histogram.add(Time{-1}, Time{1}), ContractError);
}

class RandomIntervals : public testing::TestWithParam<unsigned> {};

TEST_P(RandomIntervals, LoseNoPicosecondAndDoNotDependOnTheirOrder) {
  std::mt19937 random{GetParam()};
  std::uniform_int_distribution<std::int64_t> begin_of{0, 1'000'000};
  std::uniform_int_distribution<std::int64_t> length_of{0, 5'000};
  std::vector<std::pair<Time, Time>> intervals;
  for (int count = 0; count < 200; ++count) {
    Time const begin{begin_of(random)};
    intervals.emplace_back(begin, begin + Time{length_of(random)});
  }
  BusyHistogram forward;
  BusyHistogram shuffled;
  Time sum{0};
  for (auto const& [begin, end] : intervals) {
    forward.add(begin, end);
    sum += end - begin;
  }
  std::shuffle(intervals.begin(), intervals.end(), random);
  for (auto const& [begin, end] : intervals) shuffled.add(begin, end);
  Time const end{1'005'000};
  auto const bins = forward.bins(end);
  EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), Time{0}), sum);
  EXPECT_EQ(bins, shuffled.bins(end));
}

TEST_P(RandomIntervals, WrittenDownAreAddedLaterAsOneByOne) {
  std::mt19937 random{GetParam()};
  std::uniform_int_distribution<std::int64_t> length_of{0, 300};
  BusyHistogram source;
  source.record();
  std::vector<std::pair<Time, Time>> intervals;
  Time at{0};
  for (int count = 0; count < 100; ++count) {
    Time const begin = at + Time{length_of(random)};
    at = begin + Time{length_of(random)};
    intervals.emplace_back(begin, at);
    source.add(begin, at);
  }
  auto const written = source.take_record();
  for (auto const by : {0, 1, 20'000, 7'000'000}) {
    BusyHistogram one_by_one;
    BusyHistogram together;
    together.record();
    for (auto const& [begin, end] : intervals) one_by_one.add(begin + Time{by}, end + Time{by});
    together.add(written, Time{by});
    EXPECT_EQ(together.width(), one_by_one.width()) << by;
    EXPECT_EQ(together.bins(Time{0}), one_by_one.bins(Time{0})) << by;
    BusyHistogram again;
    again.add(together.take_record(), Time{0});
    EXPECT_EQ(again.bins(Time{0}), one_by_one.bins(Time{0})) << by;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomIntervals, testing::Range(1U, 21U));

}  // namespace
}  // namespace tessera::sim

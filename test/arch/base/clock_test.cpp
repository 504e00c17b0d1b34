// Clocks: edges follow from their index, so nothing drifts.
#include "arch/base/clock.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tessera {
namespace {

constexpr Frequency mhz(std::int64_t count) { return Frequency{count * 1'000'000}; }
constexpr std::int64_t billion = 1'000'000'000;

TEST(Clock, EdgesOfAWholePeriodAreItsMultiples) {
  Clock const clock{mhz(250)};  // 4000 ps
  EXPECT_EQ(clock.period(), Time{4000});
  EXPECT_EQ(clock.edge(Cycles{0}), Time{0});
  EXPECT_EQ(clock.edge(Cycles{1}), Time{4000});
  EXPECT_EQ(clock.edge(Cycles{billion}), 4000 * Time{billion});
}

TEST(Clock, SevenHundredMegahertzDoesNotDrift) {
  Clock const clock{mhz(700)};  // 1428.571.. ps
  EXPECT_EQ(clock.edge(Cycles{1}), Time{1429});
  EXPECT_EQ(clock.edge(Cycles{2}), Time{2857});
  EXPECT_EQ(clock.edge(Cycles{7}), Time{10'000});
  // 10^9 cycles at 0.7 GHz = 10^9 / 0.7 ns = 1 428 571 428.571 428.. ns
  EXPECT_EQ(clock.edge(Cycles{billion}), Time{1'428'571'428'571});
  EXPECT_EQ(clock.edge(Cycles{7 * billion}), Time{10'000'000'000'000});
}

TEST(Clock, NineHundredFortyMegahertzDoesNotDrift) {
  Clock const clock{mhz(940)};  // 1063.829.. ps
  EXPECT_EQ(clock.edge(Cycles{1}), Time{1064});
  EXPECT_EQ(clock.edge(Cycles{47}), Time{50'000});
  // 10^9 / 0.94 ns = 1 063 829 787.234 042.. ns
  EXPECT_EQ(clock.edge(Cycles{billion}), Time{1'063'829'787'234});
}

TEST(Clock, AnEdgeIsAtOrAfterItselfAndNotAfterItself) {
  for (auto const frequency : {mhz(700), mhz(940), mhz(250), Frequency{1}}) {
    Clock const clock{frequency};
    for (std::int64_t const n : {1, 2, 3, 1000, 999'999}) {
      auto const edge = clock.edge(Cycles{n});
      EXPECT_EQ(clock.edge_at_or_after(edge - Time{1}), Cycles{n});
      EXPECT_EQ(clock.edge_at_or_after(edge), Cycles{n});
      EXPECT_EQ(clock.edge_at_or_after(edge + Time{1}), Cycles{n + 1});
      EXPECT_EQ(clock.edge_after(edge - Time{1}), Cycles{n});
      EXPECT_EQ(clock.edge_after(edge), Cycles{n + 1});
    }
  }
}

TEST(Clock, BoundariesHoldAfterABillionCycles) {
  for (auto const frequency : {mhz(700), mhz(940)}) {
    Clock const clock{frequency};
    auto const edge = clock.edge(Cycles{billion});
    EXPECT_EQ(clock.edge_at_or_after(edge), Cycles{billion});
    EXPECT_EQ(clock.edge_at_or_after(edge - Time{1}), Cycles{billion});
    EXPECT_EQ(clock.edge_at_or_after(edge + Time{1}), Cycles{billion + 1});
  }
}

/// Twice how far an edge is from n / f, in picoseconds times hertz: at most f when it is rounded.
__extension__ using Wide = __int128;
Wide twice_off(Clock const& clock, std::int64_t n) {
  auto const hertz = clock.frequency().value();
  return Wide{2} * clock.edge(Cycles{n}).value() * hertz - Wide{2} * n * picoseconds_per_second;
}

TEST(Clock, EdgesAreExactOnBothSidesOfWhat64BitsCount) {
  for (auto const frequency : {mhz(700), mhz(940), mhz(1), Frequency{1'333'333'333},
                               Frequency{999'999'999'999}, Frequency{7}}) {
    SCOPED_TRACE(frequency.value());
    Clock const clock{frequency};
    auto const common = std::gcd(frequency.value(), picoseconds_per_second);
    auto const twice_picoseconds = 2 * (picoseconds_per_second / common);
    auto const last = INT64_MAX / twice_picoseconds;
    for (auto n = last - 2; n <= last + 2; ++n) {
      EXPECT_LE(twice_off(clock, n), Wide{frequency.value()}) << n;
      EXPECT_GT(twice_off(clock, n), -Wide{frequency.value()}) << n;
    }
    auto const latest = (INT64_MAX - twice_picoseconds) / (2 * (frequency.value() / common));
    for (auto time = Time{latest - 2}; time <= Time{latest + 2}; time += Time{1}) {
      auto const next = clock.edge_at_or_after(time);
      EXPECT_GE(clock.edge(next), time);
      EXPECT_LT(clock.edge(next - Cycles{1}), time);
    }
  }
}

TEST(Clock, WorkBeginsAtAnEdge) {
  Clock const clock{mhz(250)};
  EXPECT_EQ(clock.after(Time{0}, Cycles{3}), Time{12'000});
  EXPECT_EQ(clock.after(Time{1}, Cycles{3}), Time{16'000});
  EXPECT_EQ(clock.after(Time{4000}, Cycles{3}), Time{16'000});
}

TEST(Clock, APeriodIsRoundedUp) {
  EXPECT_EQ(Clock{mhz(700)}.period(), Time{1429});
  EXPECT_EQ(Clock{mhz(940)}.period(), Time{1064});
}

TEST(Clock, EdgesRepeatAfterTheLeastTimeThatIsWholeCyclesAndPicoseconds) {
  Clock const odd{Frequency{700'000'000}};
  EXPECT_EQ(odd.pattern(), Time{10'000});  // 7 cycles
  EXPECT_EQ(Clock{Frequency{1'000'000'000}}.pattern(), Time{1'000});
  EXPECT_EQ(Clock{Frequency{3}}.pattern(), Time{picoseconds_per_second});
  for (std::int64_t edge = 0; edge < 20; ++edge) {
    EXPECT_EQ(odd.edge(Cycles{edge + 7}), odd.edge(Cycles{edge}) + Time{10'000});
  }
}

TEST(Clock, ATerahertzIsTheFastest) {
  EXPECT_EQ(Clock{Frequency{picoseconds_per_second}}.edge(Cycles{5}), Time{5});
  EXPECT_THROW(Clock{Frequency{picoseconds_per_second + 1}}, ContractError);
  EXPECT_THROW(Clock{Frequency{0}}, ContractError);
}

TEST(Clock, AnEdgeBeyondTimeThrows) {
  EXPECT_THROW(static_cast<void>(Clock{Frequency{1}}.edge(Cycles{INT64_MAX})), ContractError);
  EXPECT_THROW(static_cast<void>(Clock{Frequency{1}}.edge(Cycles{-1})), ContractError);
}

}  // namespace
}  // namespace tessera

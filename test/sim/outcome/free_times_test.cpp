// Free time of a unit against a line of ticks.
#include "sim/outcome/free_times.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/draw.hpp"

namespace tessera::sim::outcome {
namespace {

TEST(FreeTimes, AreFirstComeFirstServedInOrderOfArrival) {
  FreeTimes unit;
  EXPECT_EQ(unit.take(Time{10}, Time{5}), Time{10});
  EXPECT_EQ(unit.take(Time{12}, Time{5}), Time{15});
  EXPECT_EQ(unit.take(Time{12}, Time{0}), Time{20});
  EXPECT_EQ(unit.take(Time{30}, Time{5}), Time{30});
}

TEST(FreeTimes, AreTakenBeforeWhatArrivesLater) {
  FreeTimes unit;
  EXPECT_EQ(unit.take(Time{100}, Time{10}), Time{100});
  EXPECT_EQ(unit.take(Time{20}, Time{30}), Time{20});
  EXPECT_EQ(unit.take(Time{40}, Time{20}), Time{50});
}

/// Ten ticks before the other task and five behind it.
TEST(FreeTimes, AreTakenInPieces) {
  FreeTimes unit;
  EXPECT_EQ(unit.take(Time{100}, Time{10}), Time{100});
  EXPECT_EQ(unit.take(Time{90}, Time{15}), Time{100});
  EXPECT_EQ(unit.take(Time{0}, Time{1}), Time{0});
  EXPECT_EQ(unit.take(Time{95}, Time{1}), Time{115});
}

TEST(FreeTimes, AreForgottenOnARestart) {
  FreeTimes unit;
  EXPECT_EQ(unit.take(Time{100}, Time{10}), Time{100});
  unit.restart(Time{50});
  EXPECT_EQ(unit.take(Time{20}, Time{5}), Time{50});
}

/// Every tick is taken or not.
class TicksOfAUnit final {
 public:
  Time take(std::size_t arrived, std::size_t duration) {
    if (taken_.size() < arrived) taken_.resize(arrived, false);
    auto tick = arrived;
    while (is_taken(tick)) ++tick;
    for (auto left = duration; left > 0; ++tick) {
      if (is_taken(tick)) continue;
      if (taken_.size() <= tick) taken_.resize(tick + 1, false);
      taken_[tick] = true;
      --left;
    }
    return Time{static_cast<std::int64_t>(tick)} - Time{static_cast<std::int64_t>(duration)};
  }

 private:
  [[nodiscard]] bool is_taken(std::size_t tick) const {
    return tick < taken_.size() && taken_[tick];
  }

  std::vector<bool> taken_;
};

/// Fewer tasks than gaps are remembered.
TEST(FreeTimes, AreThoseOfEveryTick) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Draw draw{seed};
    auto const span = draw(1, 400);
    FreeTimes unit;
    TicksOfAUnit ticks;
    for (int i = 0; i < 60; ++i) {
      auto const arrived = draw(0, span);
      auto const duration = draw(0, 12);
      ASSERT_EQ(unit.take(Time{arrived}, Time{duration}),
                ticks.take(static_cast<std::size_t>(arrived), static_cast<std::size_t>(duration)))
          << i;
    }
  }
}

TEST(FreeTimes, AreForgottenOldestFirst) {
  FreeTimes unit;
  for (std::int64_t i = 1; i <= 1000; ++i) {
    EXPECT_EQ(unit.take(Time{10 * i}, Time{1}), Time{10 * i});
  }
  EXPECT_EQ(unit.take(Time{9'900}, Time{5}), Time{9'901});
  EXPECT_GT(unit.take(Time{10}, Time{5}), Time{5'000});
}

}  // namespace
}  // namespace tessera::sim::outcome

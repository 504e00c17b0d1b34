// Quantities: only meaningful arithmetic, and never a wrong number.
#include "arch/base/quantity.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tessera {
namespace {

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

TEST(Quantity, AddsSubtractsAndScales) {
  auto time = Time{5} + Time{7} - Time{2};
  EXPECT_EQ(time, Time{10});
  time += Time{5};
  time -= Time{1};
  EXPECT_EQ(time * 3, Time{42});
  EXPECT_EQ(3 * time, Time{42});
}

TEST(Quantity, ComparesByValue) {
  EXPECT_LT(Bytes{1}, Bytes{2});
  EXPECT_LE(Bytes{2}, Bytes{2});
  EXPECT_GT(Bytes{3}, Bytes{2});
  EXPECT_GE(Bytes{3}, Bytes{3});
  EXPECT_NE(Bytes{3}, Bytes{2});
}

TEST(Quantity, AnOverflowingSumThrows) {
  EXPECT_EQ(Time{largest - 1} + Time{1}, Time{largest});
  EXPECT_THROW(static_cast<void>(Time{largest} + Time{1}), ContractError);
}

TEST(Quantity, AnOverflowingDifferenceThrows) {
  EXPECT_EQ(Time{smallest + 1} - Time{1}, Time{smallest});
  EXPECT_THROW(static_cast<void>(Time{smallest} - Time{1}), ContractError);
}

TEST(Quantity, AnOverflowingProductThrows) {
  EXPECT_EQ(Bytes{largest / 2} * 2, Bytes{largest - 1});
  EXPECT_THROW(static_cast<void>(Bytes{largest / 2 + 1} * 2), ContractError);
}

TEST(Quantity, BytesOverBandwidthIsATimeRoundedUp) {
  EXPECT_EQ(Bytes{1} / Bandwidth{8}, Time{picoseconds_per_second});
  // 1 B at 3 bit/s = 8/3 s = 2.666 666 666 666 6.. s
  EXPECT_EQ(Bytes{1} / Bandwidth{3}, Time{2'666'666'666'667});
  EXPECT_EQ(Bytes{0} / Bandwidth{3}, Time{0});
}

TEST(Quantity, ALongTransferDoesNotOverflowOnTheWay) {
  // 10^15 B at 1 Tb/s = 8 * 10^15 / 10^12 s = 8000 s, though bits * picoseconds is 8 * 10^27.
  EXPECT_EQ(Bytes{1'000'000'000'000'000} / Bandwidth{1'000'000'000'000},
            8000 * Time{picoseconds_per_second});
}

TEST(Quantity, ATransferLongerThanTimeCanCountThrows) {
  EXPECT_THROW(static_cast<void>(Bytes{1'000'000'000'000'000} / Bandwidth{1}), ContractError);
  EXPECT_THROW(static_cast<void>(Bytes{largest} / Bandwidth{1}), ContractError);
}

TEST(Quantity, ABandwidthOfZeroThrows) {
  EXPECT_THROW(static_cast<void>(Bytes{1} / Bandwidth{0}), ContractError);
}

TEST(Quantity, EnergyIsACountTimesAConstant) {
  EXPECT_DOUBLE_EQ((std::int64_t{1000} * Energy{3.7e-12}).value(), 3.7e-9);
}

TEST(Quantity, PrintsItsUnit) {
  std::ostringstream text;
  text << Time{3} << ", " << Bytes{4};
  EXPECT_EQ(text.str(), "3 ps, 4 B");
}

}  // namespace
}  // namespace tessera

// Every quotient is that of the processor.
#include "arch/base/divisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace tessera {
namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();

void expect_quotients(std::int64_t divisor, std::vector<std::int64_t> const& numbers) {
  Divisor const by{divisor};
  for (auto const n : numbers) ASSERT_EQ(n / by, n / divisor) << n << " / " << divisor;
}

/// Where a quotient that is wrong by one shows first: at multiples, and one below them.
std::vector<std::int64_t> around_multiples(std::int64_t divisor) {
  std::vector<std::int64_t> numbers{0, 1, most - 1, most};
  for (auto const multiple : {divisor, most / divisor * divisor, most / divisor / 2 * divisor}) {
    numbers.push_back(multiple);
    if (multiple > 0) numbers.push_back(multiple - 1);
  }
  return numbers;
}

TEST(Divisor, IsExactForPowersOfTwoAndTheirNeighbours) {
  for (int exponent = 0; exponent < 63; ++exponent) {
    auto const power = std::int64_t{1} << exponent;
    for (auto const divisor : {power - 1, power, power + 1}) {
      if (divisor > 0) expect_quotients(divisor, around_multiples(divisor));
    }
  }
  expect_quotients(most, around_multiples(most));
}

TEST(Divisor, IsExactForRandomNumbersOfAnySize) {
  std::mt19937_64 random{1};
  auto const any = [&random] {
    auto const bits = random() % 63;
    return static_cast<std::int64_t>(random() >> (63 - bits));
  };
  for (int i = 0; i < 20'000; ++i) {
    auto const divisor = std::max<std::int64_t>(1, any());
    auto numbers = around_multiples(divisor);
    for (int j = 0; j < 10; ++j) numbers.push_back(any());
    expect_quotients(divisor, numbers);
  }
}

TEST(Divisor, MustBePositiveAndDividesNothingNegative) {
  EXPECT_THROW(Divisor{0}, ContractError);
  EXPECT_THROW(Divisor{-3}, ContractError);
  EXPECT_THROW(static_cast<void>(-1 / Divisor{3}), ContractError);
}

}  // namespace
}  // namespace tessera

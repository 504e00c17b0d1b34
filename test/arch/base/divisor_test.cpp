// Division by multiplication against the machine's own.
#include "arch/base/divisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tessera {
namespace {

std::vector<std::int64_t> numbers_of_all_sizes(std::mt19937_64& random) {
  std::vector<std::int64_t> all;
  for (unsigned bits = 0; bits < 63; ++bits) {
    auto const power = std::int64_t{1} << bits;
    all.insert(all.end(), {power - 1, power, power + 1});
    for (int i = 0; i < 20; ++i) {
      all.push_back(power +
                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(power)));
    }
  }
  all.insert(all.end(), {INT64_MAX, INT64_MAX - 1});
  return all;
}

TEST(Divisor, DividesAsTheMachineDoes) {
  std::mt19937_64 random{1};
  auto const numbers = numbers_of_all_sizes(random);
  for (auto const divisor : numbers) {
    if (divisor == 0) continue;
    Divisor const by{divisor};
    ASSERT_EQ(by.value(), divisor);
    for (auto const n : numbers) ASSERT_EQ(by.quotient(n), n / divisor) << n << " / " << divisor;
    // Where the quotient goes up.
    for (auto const n : numbers) {
      auto const multiple = n / divisor * divisor;
      ASSERT_EQ(by.quotient(multiple), multiple / divisor) << multiple << " / " << divisor;
      auto const below = std::max(multiple, std::int64_t{1}) - 1;
      ASSERT_EQ(by.quotient(below), below / divisor) << below << " / " << divisor;
    }
  }
}

TEST(Divisor, RefusesZeroAndLess) {
  EXPECT_THROW(Divisor{0}, ContractError);
  EXPECT_THROW(Divisor{-1}, ContractError);
}

}  // namespace
}  // namespace tessera

// Division by a number that is known long before.
#pragma once

#include <cstdint>

#include "arch/base/contract.hpp"

namespace tessera {

/// Divides in a multiplication and a shift: with 2^(l-1) < d <= 2^l and m = ceil(2^(63+l) / d), the
/// quotient of every n below 2^63 is floor(n m / 2^(63+l)) (Granlund and Montgomery, "Division by
/// Invariant Integers using Multiplication", PLDI 1994, section 4).
class Divisor final {
 public:
  /// Requires a positive one.
  explicit constexpr Divisor(std::int64_t divisor) : value_{divisor} {
    EXPECTS(divisor > 0, divisor);
    auto const d = static_cast<Wide>(divisor);
    while (Wide{1} << (shift_ - 63U) < d) ++shift_;
    multiplier_ = static_cast<std::uint64_t>(((Wide{1} << shift_) + d - 1) / d);
  }

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  /// Rounded down. Requires n >= 0.
  friend constexpr std::int64_t operator/(std::int64_t n, Divisor const& divisor) {
    EXPECTS(n >= 0, n);
    auto const product = static_cast<Wide>(n) * divisor.multiplier_;
    return static_cast<std::int64_t>(product >> divisor.shift_);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::int64_t value_;
  std::uint64_t multiplier_ = 0;
  unsigned shift_ = 63;
};

}  // namespace tessera

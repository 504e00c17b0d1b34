// Division by a number that is known once and used often.
#pragma once

#include <cstdint>

#include "arch/base/contract.hpp"

namespace tessera {

/// Divides by a multiplication and one correction. With m = floor((2^64 - 1) / d), which is more
/// than 2^64 / d - 1, n m / 2^64 is more than n / d - 1/2 for n < 2^63, so that its floor is the
/// quotient or one less. (After Granlund and Montgomery, "Division by invariant integers using
/// multiplication", PLDI 1994.)
class Divisor final {
 public:
  /// Requires divisor > 0.
  explicit constexpr Divisor(std::int64_t divisor)
      : divisor_{divisor}, reciprocal_{divisor > 0 ? UINT64_MAX / as_unsigned(divisor) : 0} {
    EXPECTS(divisor > 0, divisor);
  }

  [[nodiscard]] constexpr std::int64_t value() const { return divisor_; }

  /// floor(n / divisor). Requires n >= 0.
  [[nodiscard]] constexpr std::int64_t quotient(std::int64_t n) const {
    auto const below = static_cast<std::int64_t>((Wide{as_unsigned(n)} * reciprocal_) >> 64U);
    return n - below * divisor_ >= divisor_ ? below + 1 : below;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t as_unsigned(std::int64_t n) {
    return static_cast<std::uint64_t>(n);
  }

  std::int64_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace tessera

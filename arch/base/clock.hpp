// Clocks whose edges are computed from their index, so that 700 MHz and 940 MHz never drift apart.
#pragma once

#include <numeric>

#include "arch/base/divisor.hpp"
#include "arch/base/quantity.hpp"

namespace tessera {

/// A clock of fixed frequency; edge 0 is at time 0. Requires 0 < frequency <= 1 THz (the time base
/// is 1 ps).
class Clock final {
 public:
  explicit constexpr Clock(Frequency frequency)
      : hertz_{frequency.value()},
        cycles_{hertz_ / common()},
        twice_picoseconds_{2 * (picoseconds_per_second / common())},
        twice_cycles_{2 * cycles_} {}

  [[nodiscard]] constexpr Frequency frequency() const { return Frequency{hertz_}; }

  /// When edge `n` is: round(n / f) picoseconds. Never accumulated.
  [[nodiscard]] constexpr Time edge(Cycles n) const {
    EXPECTS(n.value() >= 0, n);
    // floor((2 n p + c) / 2 c), where c cycles are p picoseconds
    return Time{divided(n.value(), twice_picoseconds_.value(), cycles_, twice_cycles_)};
  }

  /// The first edge at or after `time`.
  [[nodiscard]] constexpr Cycles edge_at_or_after(Time time) const {
    EXPECTS(time.value() >= 0, time);
    // The least n with 2 n p + c >= 2 c time: ceil((2 c time - c) / 2 p); at time 0 that is 0, as c <= p.
    return Cycles{divided(time.value(), twice_cycles_.value(),
                          twice_picoseconds_.value() - 1 - cycles_, twice_picoseconds_)};
  }

  /// The first edge strictly after `time`.
  [[nodiscard]] constexpr Cycles edge_after(Time time) const {
    return edge_at_or_after(time + Time{1});
  }

  /// When work of `length` cycles ends that begins at the first edge at or after `start`.
  [[nodiscard]] constexpr Time after(Time start, Cycles length) const {
    return edge(edge_at_or_after(start) + length);
  }

  /// How long `n` cycles last, rounded down: from any edge to the n-th behind it, or a picosecond
  /// less.
  [[nodiscard]] constexpr Time length(Cycles n) const {
    EXPECTS(n.value() >= 0, n);
    return Time{divided(n.value(), twice_picoseconds_.value(), 0, twice_cycles_)};
  }
  /// The least cycles of at least this length().
  [[nodiscard]] constexpr Cycles cycles_of(Time length) const {
    EXPECTS(length.value() >= 0, length);
    return Cycles{divided(length.value(), twice_cycles_.value(), twice_picoseconds_.value() - 1,
                          twice_picoseconds_)};
  }

  /// How long until the edges repeat, in whole picoseconds: 50,000 for the 47 edges of 940 MHz.
  [[nodiscard]] constexpr Time pattern() const { return Time{twice_picoseconds_.value() / 2}; }

  /// One period, rounded up to a picosecond: how far ahead a message of this clock is sent.
  [[nodiscard]] constexpr Time period() const {
    return Time{detail::multiply_divide_ceil(1, picoseconds_per_second, hertz_)};
  }

 private:
  __extension__ using Wide = __int128;

  /// floor((a b + c) / d), none of them negative. In 64 bits where they suffice, which is far
  /// cheaper: as long as 2^63 / 100,000 cycles of 940 MHz.
  [[nodiscard]] static constexpr std::int64_t divided(std::int64_t a, std::int64_t b,
                                                      std::int64_t c, Divisor const& d) {
    std::int64_t sum{};
    if (!__builtin_mul_overflow(a, b, &sum) && !__builtin_add_overflow(sum, c, &sum))
      return sum / d;
    Wide const quotient = (Wide{a} * b + c) / d.value();
    EXPECTS(quotient <= static_cast<Wide>(INT64_MAX));
    return static_cast<std::int64_t>(quotient);
  }

  [[nodiscard]] constexpr std::int64_t common() const {
    EXPECTS(hertz_ > 0 && hertz_ <= picoseconds_per_second, hertz_);
    return std::gcd(hertz_, picoseconds_per_second);
  }

  std::int64_t hertz_;
  // In lowest terms, so many cycles take so many picoseconds: 47 of 940 MHz take 50,000.
  std::int64_t cycles_;
  Divisor twice_picoseconds_;
  Divisor twice_cycles_;
};

}  // namespace tessera

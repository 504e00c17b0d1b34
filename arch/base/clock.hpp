// Clocks whose edges are computed from their index, so that 700 MHz and 940 MHz never drift apart.
#pragma once

#include "arch/base/quantity.hpp"

namespace tessera {

/// A clock of fixed frequency; edge 0 is at time 0. Requires 0 < frequency <= 1 THz (the time base
/// is 1 ps).
class Clock final {
 public:
  explicit constexpr Clock(Frequency frequency) : hertz_{frequency.value()} {
    EXPECTS(hertz_ > 0 && hertz_ <= picoseconds_per_second, hertz_);
  }

  [[nodiscard]] constexpr Frequency frequency() const { return Frequency{hertz_}; }

  /// When edge `n` is: round(n / f) picoseconds. Never accumulated.
  [[nodiscard]] constexpr Time edge(Cycles n) const {
    EXPECTS(n.value() >= 0, n);
    Wide const twice = Wide{2} * n.value() * picoseconds_per_second + hertz_;
    return Time{narrow(twice / (Wide{2} * hertz_))};
  }

  /// The first edge at or after `time`.
  [[nodiscard]] constexpr Cycles edge_at_or_after(Time time) const {
    EXPECTS(time.value() >= 0, time);
    Wide index = (Wide{time.value()} * hertz_) / picoseconds_per_second;
    while (index > 0 && edge(Cycles{narrow(index - 1)}) >= time) --index;
    while (edge(Cycles{narrow(index)}) < time) ++index;
    return Cycles{narrow(index)};
  }

  /// The first edge strictly after `time`.
  [[nodiscard]] constexpr Cycles edge_after(Time time) const {
    return edge_at_or_after(time + Time{1});
  }

  /// When work of `length` cycles ends that begins at the first edge at or after `start`.
  [[nodiscard]] constexpr Time after(Time start, Cycles length) const {
    return edge(edge_at_or_after(start) + length);
  }

  /// One period, rounded up to a picosecond: how far ahead a message of this clock is sent.
  [[nodiscard]] constexpr Time period() const {
    return Time{detail::multiply_divide_ceil(1, picoseconds_per_second, hertz_)};
  }

 private:
  __extension__ using Wide = __int128;

  [[nodiscard]] static constexpr std::int64_t narrow(Wide value) {
    EXPECTS(value >= 0 && value <= static_cast<Wide>(INT64_MAX));
    return static_cast<std::int64_t>(value);
  }

  std::int64_t hertz_;
};

}  // namespace tessera

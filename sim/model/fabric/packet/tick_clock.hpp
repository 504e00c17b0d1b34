// The ticks of a network in time.
#pragma once

#include <numeric>

#include "arch/base/quantity.hpp"
#include "sim/model/fabric/packet/wake_queue.hpp"

namespace tessera::sim {

/// Tick k begins at k * `picoseconds` / `ticks` picoseconds, rounded up.
class TickClock final {
 public:
  /// Ticks are picoseconds.
  TickClock() = default;
  TickClock(std::int64_t picoseconds, std::int64_t ticks)
      : picoseconds_{picoseconds / std::gcd(picoseconds, ticks)},
        ticks_{ticks / std::gcd(picoseconds, ticks)} {
    EXPECTS(picoseconds > 0 && ticks > 0, picoseconds, ticks);
  }

  [[nodiscard]] Time at(Tick tick) const {
    if (ticks_ == 1) return Time{tick * picoseconds_};
    return Time{tessera::detail::multiply_divide_ceil(tick, picoseconds_, ticks_)};
  }
  /// The first one that begins at `time` or later.
  [[nodiscard]] Tick first_at(Time time) const {
    if (picoseconds_ == 1 && ticks_ == 1) return time.value();
    auto const exact = tessera::detail::multiply_divide_ceil(time.value(), ticks_, picoseconds_);
    return exact > 0 && at(exact - 1) >= time ? exact - 1 : exact;  // one may be rounded up to it
  }

 private:
  std::int64_t picoseconds_ = 1;
  std::int64_t ticks_ = 1;
};

}  // namespace tessera::sim

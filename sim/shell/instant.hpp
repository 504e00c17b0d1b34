// A time and which step of it: what takes no time happens one after the other still.
#pragma once

#include <cstdint>
#include <tuple>

#include "arch/base/quantity.hpp"

namespace tessera::sim::shell {

struct Instant {
  Time time{0};
  std::int64_t step = 0;

  Instant() = default;
  Instant(Time when, std::int64_t which = 0) : time{when}, step{which} {}

  friend bool operator<(Instant a, Instant b) {
    return std::tie(a.time, a.step) < std::tie(b.time, b.step);
  }
  friend bool operator==(Instant a, Instant b) { return a.time == b.time && a.step == b.step; }
  friend bool operator!=(Instant a, Instant b) { return !(a == b); }
};

}  // namespace tessera::sim::shell

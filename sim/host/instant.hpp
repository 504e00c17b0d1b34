// A time and which step of it: what takes no time happens one after the other still.
#pragma once

#include <cstdint>

#include "arch/base/quantity.hpp"

namespace tessera::sim::host {

struct Instant {
  Time time{0};
  std::int64_t step = 0;

  Instant() = default;
  Instant(Time when, std::int64_t which = 0) : time{when}, step{which} {}

  friend bool operator<(Instant a, Instant b) {
    return a.time != b.time ? a.time < b.time : a.step < b.step;
  }
  friend bool operator==(Instant a, Instant b) { return a.time == b.time && a.step == b.step; }
  friend bool operator!=(Instant a, Instant b) { return !(a == b); }
};

[[nodiscard]] inline Time time_of(Instant at) { return at.time; }

/// How many steps a picosecond has where messages may take no time, and where each takes some.
constexpr std::int64_t steps_with_instant_messages = 1000;
constexpr std::int64_t steps_without = 1;

/// When a message arrives that is sent `now` to arrive at `at` >= now: in the next of a
/// picosecond's `steps`, if it takes no time. Throws ConfigError when the picosecond has no more.
[[nodiscard]] Instant arrival(Instant now, Time at, std::int64_t steps);

}  // namespace tessera::sim::host

// States in canonical form: what they keep of a clock and of times.
#include <gtest/gtest.h>

#include "sim/model/protocol/core.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// 700 MHz: the pattern of edges repeats every 10 ns (7 cycles).
Clock const odd_clock{Frequency{700'000'000}};

std::vector<std::int64_t> phase_at(Time now) {
  StateWriter state;
  state.put_phase(odd_clock, now);
  return state.words();
}

TEST(StateWriter, TellsClockPhasesApart) {
  EXPECT_NE(phase_at(ns(1)), phase_at(ns(2)));
  EXPECT_EQ(phase_at(ns(1)), phase_at(ns(11)));
}

}  // namespace
}  // namespace tessera::sim

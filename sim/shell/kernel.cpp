// The only place that talks to the simulation context.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // the standard's switch for sc_spawn (IEEE 1666-2011, 5.5)

#include "sim/shell/kernel.hpp"

#include <cstdint>
#include <limits>

/// libsystemc wants one to exist; ours is never called, since main() is ours.
int sc_main(int /*argc*/, char* /*argv*/[]) { return 1; }

namespace tessera::sim::shell {

namespace {

/// Of a picosecond. Requires that the resolution is fixed.
std::int64_t steps() {
  static auto const of_a_picosecond =
      static_cast<std::int64_t>(sc_core::sc_time{1, sc_core::SC_PS}.value());
  return of_a_picosecond;
}

/// In the kernel's resolution.
std::int64_t ticks(sc_core::sc_time const& time) { return static_cast<std::int64_t>(time.value()); }
std::int64_t ticks(Instant at) {
  return tessera::detail::checked_add(tessera::detail::checked_multiply(at.time.value(), steps()),
                                      at.step);
}

}  // namespace

void expect_fresh_kernel(Resolution resolution) {
  bool const is_fresh = sc_core::sc_get_status() == sc_core::SC_ELABORATION;
  EXPECTS(is_fresh && "the kernel runs once per process");
  bool const has_steps = resolution == Resolution::femtosecond;
  if (has_steps) sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  EXPECTS(steps() == (has_steps ? host::steps_with_instant_messages : host::steps_without),
          steps());
}

Instant current_instant() {
  auto const now = ticks(sc_core::sc_time_stamp());
  if (steps() == host::steps_without) return Time{now};
  return {Time{now / steps()}, now % steps()};
}

Time next_activity() {
  if (!sc_core::sc_pending_activity()) return Time{std::numeric_limits<std::int64_t>::max()};
  auto const wait = sc_core::sc_time_to_pending_activity();
  return Time{ticks(sc_core::sc_time_stamp() + wait) / steps()};
}

Instant arrival_of(Time at) { return host::arrival(current_instant(), at, steps()); }

void notify_at(sc_core::sc_event& event, Instant at) {
  auto const delay = ticks(at) - ticks(sc_core::sc_time_stamp());
  EXPECTS(delay > 0, delay);
  event.notify(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(delay)));
}

void spawn_method(char const* name, sc_core::sc_event const& event, std::function<void()> body) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&event);
  sc_core::sc_spawn(std::move(body), name, &options);
}

void run_until_quiet() { sc_core::sc_start(); }

}  // namespace tessera::sim::shell

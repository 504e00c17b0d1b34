// The only place that talks to the simulation context.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // the standard's switch for sc_spawn (IEEE 1666-2011, 5.5)

#include "sim/shell/kernel.hpp"

#include <cstdint>
#include <limits>

/// libsystemc wants one to exist; ours is never called, since main() is ours.
int sc_main(int /*argc*/, char* /*argv*/[]) { return 1; }

namespace tessera::sim::shell {

void expect_fresh_kernel() {
  bool const is_fresh = sc_core::sc_get_status() == sc_core::SC_ELABORATION;
  EXPECTS(is_fresh && "the kernel runs once per process");
  sc_core::sc_time const picosecond{1, sc_core::SC_PS};
  EXPECTS(sc_core::sc_get_time_resolution() == picosecond);
}

Time current_time() { return Time{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())}; }

Time next_activity() {
  if (!sc_core::sc_pending_activity()) return Time{std::numeric_limits<std::int64_t>::max()};
  auto const wait = sc_core::sc_time_to_pending_activity();
  return Time{static_cast<std::int64_t>((sc_core::sc_time_stamp() + wait).value())};
}

void notify_at(sc_core::sc_event& event, Time at) {
  Time const delay = at - current_time();
  EXPECTS(delay > Time{0}, delay);
  event.notify(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(delay.value())));
}

void spawn_method(char const* name, sc_core::sc_event const& event, std::function<void()> body) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&event);
  sc_core::sc_spawn(std::move(body), name, &options);
}

void run_until_quiet() { sc_core::sc_start(); }

}  // namespace tessera::sim::shell

// What the shell needs of the SystemC kernel, without its macros.
#pragma once

#include <functional>

#include <systemc>

#include "arch/base/quantity.hpp"

namespace tessera::sim::shell {

/// Throws ContractError unless this process may still elaborate: one run per process. Fixes the
/// kernel's resolution to our picosecond.
void expect_fresh_kernel();

/// The kernel's time.
[[nodiscard]] Time current_time();

/// When a process runs next, apart from the one that asks: now, if one has still to; at the end of
/// time, if none ever does.
[[nodiscard]] Time next_activity();

/// Notifies `event` at `at`, unless it is due earlier already. Requires at > current_time().
void notify_at(sc_core::sc_event& event, Time at);

/// Gives the module under construction a method process: `body` runs once at time 0, then whenever
/// `event` is notified.
void spawn_method(char const* name, sc_core::sc_event const& event, std::function<void()> body);

/// Elaborates, if need be, and runs until no event is left.
void run_until_quiet();

}  // namespace tessera::sim::shell

// What the shell needs of the SystemC kernel, without its macros.
#pragma once

#include <functional>

#include <systemc>

#include "sim/host/instant.hpp"

namespace tessera::sim::shell {

using host::Instant;

/// The kernel's resolution: our picosecond, or where messages may take no time a femtosecond, so
/// that a picosecond has a thousand steps. It can count 106 days in picoseconds, 2.5 hours in
/// femtoseconds.
enum class Resolution { picosecond, femtosecond };

/// Throws ContractError unless this process may still elaborate: one run per process. Fixes the
/// kernel's resolution.
void expect_fresh_kernel(Resolution resolution = Resolution::picosecond);

/// The kernel's time.
[[nodiscard]] Instant current_instant();
[[nodiscard]] inline Time current_time() { return current_instant().time; }

/// When a process runs next, apart from the one that asks: now, if one has still to; at the end of
/// time, if none ever does.
[[nodiscard]] Time next_activity();

/// When a message arrives that is sent now to arrive at `at` >= current_time(): in the next step,
/// if it takes no time. Throws ConfigError when a picosecond has no more steps.
[[nodiscard]] Instant arrival_of(Time at);

/// Notifies `event` at `at`, unless it is due earlier already. Requires at > current_instant().
void notify_at(sc_core::sc_event& event, Instant at);

/// Gives the module under construction a method process: `body` runs once at time 0, then whenever
/// `event` is notified.
void spawn_method(char const* name, sc_core::sc_event const& event, std::function<void()> body);

/// Elaborates, if need be, and runs until no event is left.
void run_until_quiet();

}  // namespace tessera::sim::shell

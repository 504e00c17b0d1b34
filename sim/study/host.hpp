// What a run costs the machine that it runs on.
#pragma once

#include <cstdint>
#include <string>

#include "sim/host/stopwatch.hpp"

namespace tessera::sim {

/// Of this process so far, in bytes.
[[nodiscard]] std::int64_t peak_memory();

/// That this process has taken so far, in seconds: its own and the system's for it.
[[nodiscard]] double cpu_time_s();

/// That the machine has, or as much of it as this process may have, in bytes.
[[nodiscard]] std::int64_t memory_of_machine();

[[nodiscard]] std::string host_name();

}  // namespace tessera::sim

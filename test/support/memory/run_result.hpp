// What a run of requests through a channel gave: everything that must not depend on how it was simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/memory/dram/dram_command.hpp"
#include "test/support/memory/traffic.hpp"

namespace tessera::test {

struct RunResult {
  std::vector<sim::DramCommand> commands;
  std::vector<sim::DramCompletion> completions;  ///< in the order of their last commands
  std::int64_t active_clocks = 0;                ///< of ranks before the last of them
};

/// Offers each request from its cycle on, in order, and runs until all are completed.
[[nodiscard]] RunResult run_channel(arch::DramSpec const& spec,
                                    std::vector<Arrival> const& arrivals);

/// The same, in closed form; commands are sorted by cycle. Requires DramStream::serves(spec).
[[nodiscard]] RunResult run_stream(arch::DramSpec const& spec,
                                   std::vector<Arrival> const& arrivals);

/// The same, by the clocked twin.
[[nodiscard]] RunResult run_clocked(arch::DramSpec const& spec,
                                    std::vector<Arrival> const& arrivals);

}  // namespace tessera::test

// The clocked twin of the host of a chain of cubes (sim/model/memory/hmc/hmc_host.hpp): cubes and links, step by step. A step is the
// longest time that divides every clock, latency and transfer: a picosecond where packets take odd times.
#pragma once

#include <vector>

#include "sim/model/memory/hmc/hmc_host.hpp"
#include "test/support/memory/clocked_cube.hpp"

namespace tessera::test {

struct HostResult {
  std::vector<Picoseconds> latency;  ///< of each request
  Picoseconds finished = 0;
  std::int64_t link_flits = 0;
  std::vector<std::vector<sim::DramCommand>> commands;  ///< of each vault of the last cube
};

/// Requires one queue per vault, shared by reads and writes.
[[nodiscard]] HostResult run_clocked_host(arch::DramSpec const& spec,
                                          std::vector<sim::TimedRequest> const& requests,
                                          sim::HostRule const& rule);

}  // namespace tessera::test

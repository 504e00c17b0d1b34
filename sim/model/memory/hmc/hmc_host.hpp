// A host of HMC cubes: offers requests over links in a closed loop, or locally, and measures. At each instant it takes the answers
// that have arrived and sends what it may then, before the cubes go on.
#pragma once

#include <cstddef>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/hmc/hmc_cube.hpp"
#include "sim/model/memory/memory_traffic.hpp"

namespace tessera::sim {

struct HostRule {
  HmcCube::Side side = HmcCube::Side::upstream;  ///< over the links in turn, or local
  std::size_t outstanding = 512;                 ///< at most so many requests are unanswered
  std::size_t cubes = 1;                         ///< a chain: every request goes to the last one
};

/// Sends the requests, whose tags count from 0, not before their clocks, and waits for all answers.
/// Latencies from the host's sending. Requires spec.hmc.
[[nodiscard]] MemoryRun run_host(arch::DramSpec const& spec,
                                 std::vector<TimedRequest> const& requests, HostRule const& rule,
                                 DramStack::Observer const& observer = {});

}  // namespace tessera::sim

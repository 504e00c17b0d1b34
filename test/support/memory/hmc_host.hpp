// A host of HMC cubes: offers requests over links in a closed loop, or locally, and measures.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/dram_spec.hpp"
#include "sim/model/memory/hmc_cube.hpp"

namespace tessera::test {

struct HostRun {
  Time finished{0};
  Time first_latency{0};
  std::int64_t responses = 0;
  std::int64_t flits = 0;  ///< over all links, both directions
  sim::DramStatistics dram;
};

/// Sends `requests` (tag: index) and waits for all answers; at most `outstanding` at a time. Over
/// the links in turn, or locally. A chain of `cubes`: every request goes to the last one.
[[nodiscard]] HostRun run_host(arch::DramSpec const& spec,
                               std::vector<sim::HmcPacket> const& requests, std::size_t outstanding,
                               sim::HmcCube::Side side, std::size_t cubes = 1);

/// Consecutive blocks.
[[nodiscard]] std::vector<sim::HmcPacket> sequential(std::size_t count, std::int64_t bytes,
                                                     sim::Access access);

}  // namespace tessera::test

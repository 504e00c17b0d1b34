// A grid so small that everything about it can be said by hand.
#pragma once

#include <string>

#include "arch/array/load.hpp"
#include "arch/array/topology.hpp"

namespace tessera::test {

/// Accelerators 0 to 3 side by side; `kind` is that of the topology, with what else it says.
[[nodiscard]] inline arch::Topology row_of_four(std::string const& kind) {
  return arch::Topology{arch::load(
      "hypar-paper",
      {"accelerators=4", "fabric={clock: 1 GHz, topology: {" + kind +
                             ", shape: [4], link: {bandwidth: 8 Gb/s, latency: 5 ns}}}"})};
}

}  // namespace tessera::test

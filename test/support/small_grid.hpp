// Grids so small that everything about them can be said by hand.
#pragma once

#include <string>

#include "arch/array/load.hpp"
#include "arch/array/topology.hpp"

namespace tessera::test {

/// Of accelerators of hypar-paper; `kind` is that of the topology, with what else it says.
[[nodiscard]] inline arch::ArraySpec grid_array(std::string const& kind, std::string const& shape,
                                                int accelerators) {
  return arch::load("hypar-paper", {"accelerators=" + std::to_string(accelerators),
                                    "fabric={clock: 1 GHz, topology: {" + kind + ", shape: [" +
                                        shape + "], link: {bandwidth: 8 Gb/s, latency: 5 ns}}}"});
}

/// Accelerators 0 to 3 side by side.
[[nodiscard]] inline arch::Topology row_of_four(std::string const& kind) {
  return arch::Topology{grid_array(kind, "4", 4)};
}

}  // namespace tessera::test

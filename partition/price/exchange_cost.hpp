// What exchanges cost that are priced as they are sent, one by one: collectives of whole device groups (step/collectives.hpp), for
// which traffic.hpp has no closed form.
#pragma once

#include <vector>

#include "arch/array/topology.hpp"
#include "partition/plan/device_mesh.hpp"
#include "partition/step/collectives.hpp"

namespace tessera::partition {

struct ExchangeCost {
  double seconds = 0;
  std::vector<double> level_elements;  ///< by level of the array
};

/// Of exchanges between positions of a mesh. `array` is the array's hierarchy.
[[nodiscard]] ExchangeCost exchange_cost(arch::Topology const& topology, Hierarchy const& array,
                                         DeviceMesh const& mesh, Bytes element_size,
                                         std::vector<ReshardStep> const& steps);

}  // namespace tessera::partition

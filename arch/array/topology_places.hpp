// Where an array's accelerators and switches are drawn.
#pragma once

#include "arch/array/topology.hpp"
#include "arch/fabric/graph_places.hpp"

namespace tessera::arch {

[[nodiscard]] PlacedGraph placed_graph(Topology const& topology);

/// By NodeId.
[[nodiscard]] inline std::vector<Place> places_of(Topology const& topology) {
  return places_of(placed_graph(topology));
}

}  // namespace tessera::arch

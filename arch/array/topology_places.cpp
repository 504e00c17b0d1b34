#include "arch/array/topology_places.hpp"

namespace tessera::arch {

PlacedGraph placed_graph(Topology const& topology) {
  PlacedGraph graph;
  graph.nodes = topology.node_names().size();
  graph.endpoints = topology.accelerators();
  for (auto const& link : topology.links()) {
    if (link.from.index() > link.to.index()) continue;  // the other way of a link that is there
    graph.wires.emplace_back(link.from.index(), link.to.index());
  }
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    auto place = topology.coordinates(NodeId{i});
    if (!place.empty()) graph.coordinates.push_back(std::move(place));
  }
  return graph;
}

}  // namespace tessera::arch

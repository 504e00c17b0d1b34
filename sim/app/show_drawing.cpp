#include "sim/app/show_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arch/array/topology_places.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

void put(Drawing& drawing, std::vector<arch::Place> const& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    drawing.nodes[i].x = places[i].x;
    drawing.nodes[i].y = places[i].y;
  }
}

[[nodiscard]] std::string extents_text(workloads::Tensor const& tensor) {
  std::string text;
  for (std::size_t axis = 1; axis < tensor.extents.size(); ++axis) {
    text += (text.empty() ? "" : "x") + std::to_string(tensor.extents[axis]);
  }
  return text;
}

/// A fabric as a graph, with what is written on it.
struct FabricGraph {
  arch::PlacedGraph graph;
  std::vector<std::string> names;  ///< of nodes
  struct Wire {
    std::int64_t lanes;
    std::string tooltip;
  };
  std::vector<Wire> wires;
};

[[nodiscard]] std::string wire_text(std::string const& name, Bandwidth bandwidth, Time latency,
                                    std::int64_t lanes) {
  auto const rate = bandwidth == unlimited_bandwidth ? "unlimited" : to_text(bandwidth);
  return name + ": " + (lanes > 1 ? std::to_string(lanes) + " lanes of " : "") + rate + ", " +
         to_text(latency);
}

[[nodiscard]] FabricGraph graph_of(arch::Topology const& topology) {
  FabricGraph fabric{arch::placed_graph(topology), topology.node_names(), {}};
  for (auto const& link : topology.links()) {
    if (link.from.index() > link.to.index()) continue;  // as the graph has them
    fabric.wires.push_back(
        {link.lanes, wire_text(link.name, link.lane_bandwidth, link.latency, link.lanes)});
  }
  return fabric;
}

[[nodiscard]] FabricGraph graph_of(arch::Fabric const& fabric) {
  auto const& interconnect = fabric.interconnect;
  auto const& topology = fabric.spec.topology;
  FabricGraph drawn;
  auto& [graph, names, wires] = drawn;
  graph.endpoints = interconnect.endpoints();
  std::vector<std::size_t> node_of(interconnect.vertices());
  std::iota(node_of.begin(), node_of.end(), std::size_t{0});
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    names.push_back(interconnect.name(arch::VertexId{i}));
    if (auto const own = interconnect.own_router(arch::VertexId{i})) node_of[own->index()] = i;
  }
  for (std::size_t i = graph.endpoints; i < interconnect.vertices(); ++i) {
    if (node_of[i] < graph.endpoints) continue;
    node_of[i] = names.size();
    names.push_back(interconnect.name(arch::VertexId{i}));
  }
  graph.nodes = names.size();
  for (auto const& channel : interconnect.channels()) {
    auto const from = node_of[channel.from.index()], to = node_of[channel.to.index()];
    if (channel.is_internal || from > to) continue;
    auto const& wire = channel.wire;
    graph.wires.emplace_back(from, to);
    wires.push_back({wire.lanes, wire_text(names[from] + '>' + names[to], wire.bandwidth,
                                           wire.latency, wire.lanes)});
  }
  bool const is_grid = (topology.kind == arch::TopologySpec::Kind::mesh ||
                        topology.kind == arch::TopologySpec::Kind::torus) &&
                       topology.members.empty();
  for (std::size_t i = 0; is_grid && i < graph.endpoints; ++i) {
    graph.coordinates.push_back(arch::grid_coordinates(topology.shape, topology.numbering, i));
  }
  return drawn;
}

/// Links that lead past neighbours are bent.
void bend_long_edges(Drawing& drawing) {
  for (auto& edge : drawing.edges) {
    auto const& a = drawing.nodes[edge.from];
    auto const& b = drawing.nodes[edge.to];
    edge.is_bent = std::hypot(a.x - b.x, a.y - b.y) > 1.5;
  }
}

[[nodiscard]] Drawing drawing_of(FabricGraph const& fabric, std::string title) {
  auto const& [graph, names, wires] = fabric;
  Drawing drawing;
  drawing.title = std::move(title);
  drawing.description = std::to_string(graph.endpoints) + " endpoints, " +
                        std::to_string(graph.nodes - graph.endpoints) + " switches, " +
                        std::to_string(wires.size()) + " links";
  bool const has_labels = graph.nodes <= 64;
  for (std::size_t i = 0; i < graph.nodes; ++i) {
    auto const& name = names[i];
    auto const dash = name.rfind('-');
    auto const number = dash == std::string::npos ? name : name.substr(dash + 1);
    drawing.nodes.push_back({has_labels ? number : "", name, 0, 0, i < graph.endpoints});
  }
  for (std::size_t i = 0; i < wires.size(); ++i) {
    auto const lanes = static_cast<double>(std::max<std::int64_t>(1, wires[i].lanes));
    auto const& [from, to] = graph.wires[i];
    drawing.edges.push_back({from, to, 1 + std::log2(lanes), false, wires[i].tooltip});
  }
  put(drawing, arch::places_of(graph));
  if (graph.is_plane()) {
    bend_long_edges(drawing);
  } else if (graph.has_switches()) {
    drawing.spacing_x = graph.endpoints > 32 ? 24 : 40;
  }
  return drawing;
}

}  // namespace

Drawing drawing_of(workloads::Network const& network) {
  Drawing drawing;
  drawing.title = network.name() + ", batch " + std::to_string(network.batch());
  drawing.description = std::to_string(network.operators().size()) + " operators";
  drawing.has_boxes = true;
  drawing.spacing_x = 210;
  drawing.nodes.push_back({"input", "input", 0, 0, false});
  arch::Neighbours before(network.operators().size() + 1);
  std::vector<std::size_t> depth(network.operators().size() + 1, 0);
  std::vector<std::vector<std::size_t>> levels{{0}};
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    auto const node = id.index() + 1;
    for (auto const& input : op.inputs) {
      auto const producer = network.at(input.tensor).producer;
      auto const from = producer ? producer->index() + 1 : 0;
      before[node].push_back(from);
      depth[node] = std::max(depth[node], depth[from] + 1);
      drawing.edges.push_back({from, node, 1.5, false, extents_text(network.at(input.tensor))});
    }
    levels.resize(std::max(levels.size(), depth[node] + 1));
    levels[depth[node]].push_back(node);
    auto const shape = extents_text(network.at(op.output.tensor));
    drawing.nodes.push_back({op.name + "  " + shape,
                             op.name + ": " + workloads::name(op.kind) + ", output " + shape, 0, 0,
                             false});
  }
  put(drawing, arch::places_by_level(before, levels, 1));
  for (auto& edge : drawing.edges) edge.is_bent = depth[edge.to] > depth[edge.from] + 1;
  return drawing;
}

Drawing drawing_of(arch::ArraySpec const& array) {
  return drawing_of(graph_of(arch::Topology{array}), array.name);
}

Drawing drawing_of(arch::Fabric const& fabric) {
  return drawing_of(graph_of(fabric), fabric.spec.name);
}

}  // namespace tessera::sim

#include "sim/app/show_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include "arch/array/topology.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

/// Nodes of each level in order of what `wanted` says, a unit apart where they would overlap else.
void place_level(Drawing& drawing, std::vector<std::size_t> level,
                 std::vector<double> const& wanted, double width, double y) {
  std::stable_sort(level.begin(), level.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  bool is_crowded = false;
  for (std::size_t i = 1; i < level.size(); ++i) {
    is_crowded = is_crowded || wanted[level[i]] - wanted[level[i - 1]] < 1;
  }
  double const step = std::max(1.0, width / static_cast<double>(level.size()));
  double const start = (width - step * static_cast<double>(level.size() - 1)) / 2;
  for (std::size_t i = 0; i < level.size(); ++i) {
    auto& node = drawing.nodes[level[i]];
    node.x = is_crowded ? start + step * static_cast<double>(i) : wanted[level[i]];
    node.y = y;
  }
}

[[nodiscard]] double mean_x(Drawing const& drawing, std::vector<std::size_t> const& nodes,
                            double fallback) {
  if (nodes.empty()) return fallback;
  double sum = 0;
  for (auto const node : nodes) sum += drawing.nodes[node].x;
  return sum / static_cast<double>(nodes.size());
}

/// Levels one by one, each node in the middle of its neighbours in the levels before.
void place_by_level(Drawing& drawing, Neighbours const& before,
                    std::vector<std::vector<std::size_t>> const& levels, double direction) {
  double const width = static_cast<double>(levels.front().size()) - 1;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<double> wanted(drawing.nodes.size());
    double next = 0;
    for (auto const node : levels[level]) wanted[node] = mean_x(drawing, before[node], next++);
    place_level(drawing, levels[level], wanted, width, direction * static_cast<double>(level));
  }
}

[[nodiscard]] std::string extents_text(workloads::Tensor const& tensor) {
  std::string text;
  for (std::size_t axis = 1; axis < tensor.extents.size(); ++axis) {
    text += (text.empty() ? "" : "x") + std::to_string(tensor.extents[axis]);
  }
  return text;
}

/// A fabric as names, pairs and places.
struct FabricGraph {
  std::vector<std::string> names;
  std::size_t endpoints = 0;
  struct Wire {
    std::size_t a;
    std::size_t b;
    std::int64_t lanes;
    std::string tooltip;
  };
  std::vector<Wire> wires;
  std::vector<std::vector<std::size_t>> coordinates;  ///< of endpoints; empty: none have any
};

[[nodiscard]] std::string wire_text(std::string const& name, Bandwidth bandwidth, Time latency,
                                    std::int64_t lanes) {
  auto const rate = bandwidth == unlimited_bandwidth ? "unlimited" : to_text(bandwidth);
  return name + ": " + (lanes > 1 ? std::to_string(lanes) + " lanes of " : "") + rate + ", " +
         to_text(latency);
}

[[nodiscard]] FabricGraph graph_of(arch::Topology const& topology) {
  FabricGraph graph;
  graph.names = topology.node_names();
  graph.endpoints = topology.accelerators();
  for (auto const& link : topology.links()) {
    if (link.from.index() > link.to.index()) continue;  // the other way of a link that is there
    graph.wires.push_back({link.from.index(), link.to.index(), link.lanes,
                           wire_text(link.name, link.lane_bandwidth, link.latency, link.lanes)});
  }
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    auto place = topology.coordinates(arch::NodeId{i});
    if (!place.empty()) graph.coordinates.push_back(std::move(place));
  }
  return graph;
}

[[nodiscard]] FabricGraph graph_of(arch::Fabric const& fabric) {
  auto const& interconnect = fabric.interconnect;
  auto const& topology = fabric.spec.topology;
  FabricGraph graph;
  graph.endpoints = interconnect.endpoints();
  std::vector<std::size_t> node_of(interconnect.vertices());
  std::iota(node_of.begin(), node_of.end(), std::size_t{0});
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    graph.names.push_back(interconnect.name(arch::VertexId{i}));
    if (auto const own = interconnect.own_router(arch::VertexId{i})) node_of[own->index()] = i;
  }
  for (std::size_t i = graph.endpoints; i < interconnect.vertices(); ++i) {
    if (node_of[i] < graph.endpoints) continue;
    node_of[i] = graph.names.size();
    graph.names.push_back(interconnect.name(arch::VertexId{i}));
  }
  for (auto const& channel : interconnect.channels()) {
    auto const from = node_of[channel.from.index()], to = node_of[channel.to.index()];
    if (channel.is_internal || from > to) continue;
    auto const name = graph.names[from] + '>' + graph.names[to];
    graph.wires.push_back(
        {from, to, channel.wire.lanes,
         wire_text(name, channel.wire.bandwidth, channel.wire.latency, channel.wire.lanes)});
  }
  bool const is_grid = (topology.kind == arch::TopologySpec::Kind::mesh ||
                        topology.kind == arch::TopologySpec::Kind::torus) &&
                       topology.members.empty();
  for (std::size_t i = 0; is_grid && i < graph.endpoints; ++i) {
    graph.coordinates.push_back(arch::grid_coordinates(topology.shape, topology.numbering, i));
  }
  return graph;
}

/// The first two dimensions across and down; each layer of a third one a little aside.
void place_on_grid(Drawing& drawing, std::vector<std::vector<std::size_t>> const& coordinates) {
  constexpr double aside = 0.3;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    auto const& place = coordinates[i];
    double depth = 0;
    for (std::size_t d = 2; d < place.size(); ++d) depth += static_cast<double>(place[d]);
    drawing.nodes[i].x = static_cast<double>(place[0]) + aside * depth;
    drawing.nodes[i].y = static_cast<double>(place[1]) + aside * depth;
  }
  for (auto& edge : drawing.edges) {
    auto const& a = drawing.nodes[edge.from];
    auto const& b = drawing.nodes[edge.to];
    edge.is_bent = std::hypot(a.x - b.x, a.y - b.y) > 1.5;
  }
}

void place_on_circle(Drawing& drawing) {
  constexpr double full = 6.283185307179586;
  auto const count = static_cast<double>(drawing.nodes.size());
  double const radius = std::max(1.0, count / full);
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    double const angle = full * static_cast<double>(i) / count;
    drawing.nodes[i].x = radius * std::sin(angle);
    drawing.nodes[i].y = -radius * std::cos(angle);
  }
}

/// Switches above what they join: as high as their nearest endpoint is far.
void place_switches(Drawing& drawing, FabricGraph const& graph) {
  Neighbours neighbours(graph.names.size());
  for (auto const& wire : graph.wires) {
    neighbours[wire.a].push_back(wire.b);
    neighbours[wire.b].push_back(wire.a);
  }
  std::vector<std::size_t> height(graph.names.size(), graph.names.size());
  std::queue<std::size_t> next;
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    height[i] = 0;
    next.push(i);
  }
  std::vector<std::vector<std::size_t>> levels;
  for (; !next.empty(); next.pop()) {
    auto const node = next.front();
    levels.resize(std::max(levels.size(), height[node] + 1));
    levels[height[node]].push_back(node);
    for (auto const other : neighbours[node]) {
      if (height[other] < graph.names.size()) continue;
      height[other] = height[node] + 1;
      next.push(other);
    }
  }
  Neighbours before(graph.names.size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (auto const other : neighbours[i]) {
      if (height[other] < height[i]) before[i].push_back(other);
    }
  }
  place_by_level(drawing, before, levels, -1);
}

[[nodiscard]] Drawing drawing_of(FabricGraph const& graph, std::string title) {
  Drawing drawing;
  drawing.title = std::move(title);
  drawing.description = std::to_string(graph.endpoints) + " endpoints, " +
                        std::to_string(graph.names.size() - graph.endpoints) + " switches, " +
                        std::to_string(graph.wires.size()) + " links";
  bool const has_labels = graph.names.size() <= 64;
  for (std::size_t i = 0; i < graph.names.size(); ++i) {
    auto const& name = graph.names[i];
    auto const dash = name.rfind('-');
    auto const number = dash == std::string::npos ? name : name.substr(dash + 1);
    drawing.nodes.push_back({has_labels ? number : "", name, 0, 0, i < graph.endpoints});
  }
  for (auto const& wire : graph.wires) {
    double const width = 1 + std::log2(static_cast<double>(std::max<std::int64_t>(1, wire.lanes)));
    drawing.edges.push_back({wire.a, wire.b, width, false, wire.tooltip});
  }
  bool const is_plane = !graph.coordinates.empty() && graph.coordinates.front().size() > 1;
  if (is_plane) {
    place_on_grid(drawing, graph.coordinates);
  } else if (graph.names.size() > graph.endpoints) {
    drawing.spacing_x = graph.endpoints > 32 ? 24 : 40;
    place_switches(drawing, graph);
  } else {
    place_on_circle(drawing);
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
  Neighbours before(network.operators().size() + 1);
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
  place_by_level(drawing, before, levels, 1);
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

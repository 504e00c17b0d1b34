// Links and paths of any graph that an interconnect describes: a link for each of its channels that has a wire.
#include <algorithm>
#include <tuple>

#include "arch/array/topology.hpp"

namespace tessera::arch {

namespace {

/// The order of a torus' links: by where they begin, along the row before along the column, up
/// before down.
struct TorusLink {
  std::size_t from;
  bool is_in_column;
  bool leads_down;
  ChannelId channel;

  friend bool operator<(TorusLink const& a, TorusLink const& b) {
    return std::tie(a.from, a.is_in_column, a.leads_down) <
           std::tie(b.from, b.is_in_column, b.leads_down);
  }
};

/// Between routers, which are numbered row by row.
[[nodiscard]] TorusLink torus_link(ChannelId channel, std::size_t from, std::size_t to,
                                   std::vector<std::int64_t> const& shape) {
  auto const columns = static_cast<std::size_t>(shape[0]);
  auto const rows = static_cast<std::size_t>(shape[1]);
  bool const is_in_column = from % columns == to % columns;
  bool const leads_up = is_in_column ? (from / columns + 1) % rows == to / columns
                                     : (from % columns + 1) % columns == to % columns;
  return {from, is_in_column, !leads_up, channel};
}

}  // namespace

std::shared_ptr<Interconnect const> torus_graph(ArraySpec const& array) {
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  TopologySpec torus;
  torus.kind = TopologySpec::Kind::torus;
  torus.shape = shape_by_level(accelerators, torus_dimensions);
  torus.links = {{array.fabric.link_bandwidth, array.fabric.latency}};
  torus.numbering = Numbering::by_level;
  torus.half_way = HalfWay::both;
  auto const asked =
      array.fabric.packets ? Interconnect::Asked::at_every_hop : Interconnect::Asked::for_routes;
  return std::make_shared<Interconnect const>(torus, Paths::equal_cost, asked);
}

void Topology::build_network() {
  name_nodes();
  auto const& channels = graph_->channels();
  for (auto const id : channels.ids()) {
    if (!channels[id].is_internal) {
      add_link(id, channels[id].wire.bandwidth, channels[id].wire.latency);
    }
  }
}

/// An accelerator's links follow each other: along its row, then along its column, up before down.
void Topology::build_torus(ArraySpec const& array) {
  half_way_ = HalfWay::both;
  if (graph_ == nullptr || graph_->endpoints() != accelerators_) graph_ = torus_graph(array);
  name_nodes();
  grid_ = shape_by_level(accelerators_, torus_dimensions);
  numbering_ = Numbering::by_level;
  auto const& channels = graph_->channels();
  std::vector<TorusLink> wires;
  for (auto const id : channels.ids()) {
    auto const& channel = channels[id];
    if (channel.is_internal) continue;
    wires.push_back(torus_link(id, channel.from.index() - accelerators_,
                               channel.to.index() - accelerators_, grid_));
    wires.back().from = node_of(channel.from).index();
  }
  std::sort(wires.begin(), wires.end());
  for (auto const& wire : wires) {
    add_link(wire.channel, array.lane_bandwidth(0), array.fabric.latency);
  }
}

/// The node of each vertex: a router that is an endpoint's own is the endpoint.
void Topology::name_nodes() {
  auto const& graph = *graph_;
  EXPECTS(graph.endpoints() == accelerators_, graph.endpoints(), accelerators_);
  nodes_ = IdVector<VertexId, std::optional<NodeId>>{graph.vertices()};
  link_of_ = IdVector<ChannelId, std::optional<LinkId>>{graph.channels().size()};
  for (std::size_t index = 0; index < accelerators_; ++index) {
    nodes_[VertexId{index}] = NodeId{index};
    if (auto const router = graph.own_router(VertexId{index})) nodes_[*router] = NodeId{index};
  }
  for (auto index = graph.endpoints(); index < graph.vertices(); ++index) {
    auto& node = nodes_[VertexId{index}];
    if (node) continue;
    node = NodeId{node_names_.size()};
    node_names_.push_back("switch-" + std::to_string(index - graph.endpoints()));
  }
}

void Topology::add_link(ChannelId id, Bandwidth bandwidth, Time latency) {
  auto const& channel = graph_->channels()[id];
  auto const from = node_of(channel.from);
  auto const to = node_of(channel.to);
  link_of_[id] = links_.push_back({from, to, channel.wire.lanes, bandwidth, latency, 0,
                                   node_names_[from.index()] + '>' + node_names_[to.index()]});
}

std::vector<LinkId> Topology::network_route(std::size_t source, std::size_t destination,
                                            Turn turn) const {
  std::vector<LinkId> route;
  if (source == destination) return route;
  auto const choice =
      turn == Turn::positive ? Interconnect::Choice::first : Interconnect::Choice::last;
  auto const hops = graph_->route(VertexId{source}, VertexId{destination}, choice);
  route.reserve(hops.size());
  for (auto const& hop : hops) {
    if (link_of_[hop.channel]) route.push_back(*link_of_[hop.channel]);
  }
  return route;
}

}  // namespace tessera::arch

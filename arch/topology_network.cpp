// Links and routes of any graph that an interconnect describes: a link for each of its channels that has a wire.
#include "arch/topology.hpp"

namespace tessera::arch {

void Topology::build_network() {
  auto const& graph = *graph_;
  EXPECTS(graph.endpoints() == accelerators_, graph.endpoints(), accelerators_);
  // The node of each vertex: a router that is an endpoint's own is the endpoint.
  IdVector<VertexId, std::optional<NodeId>> nodes{graph.vertices()};
  for (std::size_t index = 0; index < accelerators_; ++index) {
    nodes[VertexId{index}] = NodeId{index};
    if (auto const router = graph.own_router(VertexId{index})) nodes[*router] = NodeId{index};
  }
  for (auto index = graph.endpoints(); index < graph.vertices(); ++index) {
    auto& node = nodes[VertexId{index}];
    if (node) continue;
    node = NodeId{node_names_.size()};
    node_names_.push_back("switch-" + std::to_string(index - graph.endpoints()));
  }
  link_of_ = IdVector<ChannelId, std::optional<LinkId>>{graph.channels().size()};
  for (auto const id : graph.channels().ids()) {
    auto const& channel = graph.channels()[id];
    if (channel.is_internal) continue;
    auto const from = *nodes[channel.from];
    auto const to = *nodes[channel.to];
    link_of_[id] = LinkId{links_.size()};
    links_.push_back({from, to, 1, channel.wire.bandwidth, channel.wire.latency, 0,
                      node_names_[from.index()] + '>' + node_names_[to.index()]});
  }
}

std::vector<LinkId> Topology::network_route(std::size_t source, std::size_t destination) const {
  std::vector<LinkId> route;
  if (source == destination) return route;
  for (auto const& hop : graph_->route(VertexId{source}, VertexId{destination})) {
    if (link_of_[hop.channel]) route.push_back(*link_of_[hop.channel]);
  }
  return route;
}

}  // namespace tessera::arch

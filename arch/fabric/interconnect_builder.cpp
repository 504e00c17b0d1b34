// Network by network, from the outside in; where packets go is said in routing_table.cpp.
#include "arch/fabric/interconnect_builder.hpp"

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "arch/fabric/graph_checks.hpp"

namespace tessera::arch {

namespace {

/// Pairs of an endpoint and a router of which something is kept: half a gigabyte of routing table.
constexpr std::size_t most_kept_pairs = std::size_t{1} << 28;

/// Where routes only are asked for: 65,536 of both.
constexpr std::size_t most_routed_pairs = std::size_t{1} << 32;

[[nodiscard]] bool keeps_pairs(TopologySpec const& topology) {
  return topology.kind == TopologySpec::Kind::edges ||
         topology.kind == TopologySpec::Kind::fully_connected;
}

void check_pairs(std::size_t endpoints, std::size_t routers, std::size_t most) {
  if (routers == 0 || endpoints <= most / routers) return;
  throw ConfigError({}, {},
                    "the interconnect has too many endpoints and routers (" +
                        std::to_string(endpoints) + " and " + std::to_string(routers) + ")");
}

}  // namespace

InterconnectBuilder::InterconnectBuilder(TopologySpec const& topology, Paths paths,
                                         Interconnect::Asked asked, Interconnect& result)
    : topology_{&topology},
      paths_{paths},
      most_pairs_{asked == Interconnect::Asked::at_every_hop ? most_kept_pairs : most_routed_pairs},
      result_{&result} {}

void InterconnectBuilder::build() {
  auto& result = *result_;
  result.endpoints_ = topology_->endpoints();
  result.injection_ = IdVector<VertexId, ChannelId>{result.endpoints_};
  result.vertices_ = result.endpoints_;
  add_network(*topology_, false);
  check_connected();
  result.routing_ = std::make_shared<RoutingTable>(result.endpoints_, std::move(networks_),
                                                   std::move(network_of_));
}

std::size_t InterconnectBuilder::add_network(TopologySpec const& topology, bool is_member) {
  auto const index = networks_.size();
  auto& network = networks_.emplace_back();
  if (keeps_pairs(topology)) check_pairs(topology.places(), topology.places(), most_kept_pairs);
  network.rule = make_rule(topology, paths_);
  network.first_router = result_->vertices_;
  result_->vertices_ += network.rule->routers();
  check_pairs(result_->endpoints_, result_->vertices_ - result_->endpoints_, most_pairs_);
  network_of_.resize(result_->vertices_ - result_->endpoints_, index);
  add_links(index, topology, is_member);
  add_members(index, topology);
  return index;
}

ChannelId InterconnectBuilder::join(std::size_t a, std::size_t b, Channel channel) {
  channel.from = VertexId{a};
  channel.to = VertexId{b};
  result_->classes_ = std::max(result_->classes_, channel.classes);
  return result_->channels_.push_back(channel);
}

void InterconnectBuilder::add_links(std::size_t index, TopologySpec const& topology,
                                    bool is_member) {
  auto& network = networks_[index];
  network.links.resize(network.rule->routers());
  for (auto const& link : network.rule->links()) {
    auto const phases = is_member && network.rule->has_phases() ? 2 : 1;
    Channel channel;
    channel.wire = topology.links[std::min(link.wire, topology.links.size() - 1)];
    channel.classes = static_cast<std::uint8_t>(link.classes * phases);
    auto const a = network.first_router + link.a;
    auto const b = network.first_router + link.b;
    channel.lane = link.lane_forward;
    network.links[link.a].push_back({VertexId{b}, join(a, b, channel), channel.classes});
    channel.lane = link.lane_backward;
    network.links[link.b].push_back({VertexId{a}, join(b, a, channel), channel.classes});
  }
  for (auto& list : network.links) {
    std::sort(list.begin(), list.end(), [](auto const& x, auto const& y) { return x.to < y.to; });
  }
}

void InterconnectBuilder::add_members(std::size_t index, TopologySpec const& topology) {
  Channel port;
  auto const has_wire =
      networks_[index].rule->port_is_lowest_link() || topology.port || !topology.members.empty();
  port.is_internal = !has_wire;
  if (has_wire) port.wire = topology.port.value_or(topology.links.back());
  for (std::size_t place = 0; place < topology.places(); ++place) {
    auto const router = networks_[index].first_router + networks_[index].rule->router_of(place);
    networks_[index].place_begin.push_back(next_endpoint_);
    if (topology.members.empty()) {
      VertexId const endpoint{next_endpoint_++};
      result_->injection_[endpoint] = join(endpoint.index(), router, port);
      networks_[index].into.push_back(join(router, endpoint.index(), port));
    } else {
      auto const member = add_network(topology.members[place], true);
      auto const gate = networks_[member].first_router;
      networks_[member].out = join(gate, router, port);
      networks_[index].into.push_back(join(router, gate, port));
    }
  }
  networks_[index].place_begin.push_back(next_endpoint_);
}

void InterconnectBuilder::check_connected() const {
  detail::Adjacency adjacency(result_->vertices_);
  for (auto const& channel : result_->channels_) {
    adjacency[channel.from.index()].push_back(channel.to.index());
  }
  if (detail::is_strongly_connected(adjacency)) return;
  // Links lead both ways: a part that the first endpoint does not reach is apart.
  auto const hops = detail::distances_from_first(adjacency);
  auto const apart = std::find(hops.begin(), hops.end(), hops.size()) - hops.begin();
  auto const name = [&](std::size_t vertex) { return result_->name(VertexId{vertex}); };
  throw ConfigError({}, {},
                    "the interconnect is not connected (no links lead from " + name(0) + " to " +
                        name(static_cast<std::size_t>(apart)) + "); join them");
}

}  // namespace tessera::arch

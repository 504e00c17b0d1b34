// Looking a hop up in the whole route.
#include "sim/model/fabric/route_finder.hpp"

#include <algorithm>

#include "arch/array/folded_network.hpp"

namespace tessera::sim {

namespace {

/// (source, end, level, hops, turn) in one number: 20 bits for accelerators, 7 for levels.
std::uint64_t flow_of(arch::Topology const& topology, Message const& packet) {
  constexpr unsigned bits = 20;
  auto const source = std::uint64_t{packet.source.index()};
  auto const end = std::uint64_t{end_of(topology, packet).index()};
  EXPECTS(source >> bits == 0 && end >> bits == 0 && packet.level < 128, source, end);
  return (source << 44U) | (end << 24U) | (std::uint64_t{packet.level} << 17U) |
         (std::uint64_t{packet.hops} << 1U) | static_cast<std::uint64_t>(packet.turn);
}

}  // namespace

arch::NodeId end_of(arch::Topology const& topology, Message const& message) {
  auto const& end = topology.folded_network() != nullptr ? message.receiver : message.destination;
  return arch::NodeId{end.index()};
}

std::vector<arch::LinkId> route_of(arch::Topology const& topology, Message const& message) {
  arch::NodeId const source{message.source.index()};
  if (auto const* const grid = topology.folded_network()) {
    return grid->route(source, end_of(topology, message), message.turn);
  }
  arch::NodeId const destination{message.destination.index()};
  return topology.is_folded() ? topology.route_over(source, destination, message.level)
                              : topology.route(source, destination, message.turn);
}

RouteFinder::RouteFinder(arch::Topology const& topology, arch::NodeId here,
                         std::vector<arch::LinkId> outgoing)
    : topology_{topology}, here_{here}, outgoing_{std::move(outgoing)} {}

Port RouteFinder::operator()(Message const& packet) {
  auto const [entry, is_new] = known_.try_emplace(flow_of(topology_, packet));
  if (is_new) entry->second = find(packet);
  return entry->second;
}

Port RouteFinder::find(Message const& packet) const {
  auto const route = route_of(topology_, packet);
  if (packet.hops == route.size()) return static_cast<Port>(outgoing_.size());
  auto const next = route.at(packet.hops);
  auto const place = std::find(outgoing_.begin(), outgoing_.end(), next);
  EXPECTS(place != outgoing_.end(), here_, next, packet.source, packet.destination);
  return static_cast<Port>(place - outgoing_.begin());
}

}  // namespace tessera::sim

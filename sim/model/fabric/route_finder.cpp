// Looking a hop up in the whole route.
#include "sim/model/fabric/route_finder.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// (source, destination, level, hops, turn) in one number: accelerators and hops have 16 bits.
std::uint64_t flow_of(Message const& packet) {
  return (std::uint64_t{packet.source.index()} << 41U) |
         (std::uint64_t{packet.destination.index()} << 25U) | (std::uint64_t{packet.level} << 17U) |
         (std::uint64_t{packet.hops} << 1U) | static_cast<std::uint64_t>(packet.turn);
}

}  // namespace

std::vector<arch::LinkId> route_of(arch::Topology const& topology, Message const& message) {
  arch::NodeId const source{message.source.index()};
  arch::NodeId const destination{message.destination.index()};
  return topology.is_folded() ? topology.route_over(source, destination, message.level)
                              : topology.route(source, destination, message.turn);
}

RouteFinder::RouteFinder(arch::Topology const& topology, arch::NodeId here,
                         std::vector<arch::LinkId> outgoing)
    : topology_{topology}, here_{here}, outgoing_{std::move(outgoing)} {}

Port RouteFinder::operator()(Message const& packet) {
  auto const [entry, is_new] = known_.try_emplace(flow_of(packet));
  if (is_new) entry->second = find(packet);
  return entry->second;
}

Port RouteFinder::find(Message const& packet) const {
  if (packet.destination.index() == here_.index()) return static_cast<Port>(outgoing_.size());
  auto const next = route_of(topology_, packet).at(packet.hops);
  auto const place = std::find(outgoing_.begin(), outgoing_.end(), next);
  EXPECTS(place != outgoing_.end(), here_, next, packet.source, packet.destination);
  return static_cast<Port>(place - outgoing_.begin());
}

}  // namespace tessera::sim

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
  arch::NodeId const source{packet.source.index()};
  arch::NodeId const destination{packet.destination.index()};
  auto const route = topology_.is_folded() ? topology_.route_over(source, destination, packet.level)
                                           : topology_.route(source, destination, packet.turn);
  auto const next = route.at(packet.hops);
  auto const place = std::find(outgoing_.begin(), outgoing_.end(), next);
  EXPECTS(place != outgoing_.end(), here_, next, packet.source, packet.destination);
  return static_cast<Port>(place - outgoing_.begin());
}

}  // namespace tessera::sim

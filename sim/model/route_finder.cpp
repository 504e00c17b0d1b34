// Looking a hop up in the whole route.
#include "sim/model/route_finder.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// (source, destination, turn) in one number: accelerators have 16 bits.
std::uint64_t flow_of(Message const& packet) {
  return (std::uint64_t{packet.source.index()} << 32U) |
         (std::uint64_t{packet.destination.index()} << 1U) |
         static_cast<std::uint64_t>(packet.turn);
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
  auto const route = topology_.route(arch::NodeId{packet.source.index()},
                                     arch::NodeId{packet.destination.index()}, packet.turn);
  auto const next = std::find_if(route.begin(), route.end(), [this](arch::LinkId link) {
    return topology_.links()[link].from == here_;
  });
  EXPECTS(next != route.end(), packet.source, packet.destination, here_);
  auto const place = std::find(outgoing_.begin(), outgoing_.end(), *next);
  EXPECTS(place != outgoing_.end(), here_, *next);
  return static_cast<Port>(place - outgoing_.begin());
}

}  // namespace tessera::sim

#include "sim/model/fabric/message_routes.hpp"

#include "sim/model/fabric/route_finder.hpp"

namespace tessera::sim {

namespace {

/// All that a route depends on: 27 bits for each end, 8 for the level and one for the direction.
std::uint64_t ends_of(arch::Topology const& topology, Message const& message) {
  constexpr unsigned bits = 27;
  auto const source = std::uint64_t{message.source.index()};
  auto const destination = std::uint64_t{end_of(topology, message).index()};
  EXPECTS(source >> bits == 0 && destination >> bits == 0, source, destination);
  return (((source << bits | destination) << 8U | message.level) << 1U) |
         static_cast<std::uint64_t>(message.turn);
}

}  // namespace

MessageRoutes::Range MessageRoutes::of(Message const& message) {
  auto const [entry, is_new] = known_.try_emplace(ends_of(topology_, message));
  if (is_new) entry->second = add(message);
  return entry->second;
}

MessageRoutes::Range MessageRoutes::add(Message const& message) {
  auto const first = static_cast<std::uint32_t>(links_.size());
  auto const route = route_of(topology_, message);
  links_.insert(links_.end(), route.begin(), route.end());
  return {first, static_cast<std::uint32_t>(links_.size())};
}

}  // namespace tessera::sim

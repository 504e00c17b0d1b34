// Straight through.
#include "sim/model/fabric/router.hpp"

namespace tessera::sim {

void Router::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_links && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

std::optional<Time> Router::advance(Time now, Outbox& out) {
  for (Message const& packet : arrived_) {
    meter_.count(packet.bytes);
    out.send(now + latency_, next_hop_(packet), packet);
  }
  arrived_.clear();
  return std::nullopt;
}

}  // namespace tessera::sim

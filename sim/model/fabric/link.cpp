// From the lanes to the ports.
#include "sim/model/fabric/link.hpp"

namespace tessera::sim {

void Link::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == head && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

std::optional<Time> Link::advance(Time now, Outbox& out) {
  for (Message const& message : arrived_) {
    auto const passage = lanes_.carry(message, now);
    auto behind = message;
    move_on(behind, passage);
    out.send(passage.head, forward, behind);
    if (passage.sent) out.send(*passage.sent, back, told_to_sender(message));
  }
  arrived_.clear();
  return std::nullopt;
}

}  // namespace tessera::sim

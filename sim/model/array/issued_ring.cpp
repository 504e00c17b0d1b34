#include "sim/model/array/issued_ring.hpp"

#include <algorithm>

namespace tessera::sim {

IssuedRing::Pointer IssuedRing::find(TaskGraph const& graph,
                                     std::vector<NetworkInterface*> const& interfaces,
                                     MessageFabric& fabric, TaskId last) {
  auto ring = std::make_unique<IssuedRing>();
  ring->last_round_ = graph.at(last).rounds - 1;
  std::size_t members = 1;
  for (auto at = graph.at(last).next; at != last; at = graph.at(at).next) ++members;
  ring->members_.reserve(members);
  ring->hops_.reserve(members);
  auto incoming = last;
  do {
    auto const own = graph.at(incoming).next;
    auto const& transfer = graph.at(own);
    auto const relay = RoundRelay::find(*interfaces[transfer.accelerator.index()], incoming, own);
    if (!relay || transfer.rounds != ring->last_round_ + 1) return nullptr;
    auto const packet = relay->packet(0);
    auto const [first, end] = fabric.route_of(packet);
    if (first == end) return nullptr;
    ring->members_.push_back({*relay, packet, fabric.entrance(packet), end - first});
    for (auto link = first; link < end; ++link) {
      ring->hops_.push_back(fabric.hop(fabric.link(link), packet));
    }
    incoming = own;
  } while (incoming != last);
  ring->connect();
  return ring;
}

/// When all are there.
void IssuedRing::connect() {
  auto* hop = hops_.data();
  for (auto& member : members_) {
    member.first = hop;
    member.end = hop += member.hops;
    bool const is_last = &member == &members_.back();
    member.next = is_last ? members_.data() : &member + 1;
    Time serialisation{0};
    for (auto const* at = member.first; at != member.end; ++at) {
      member.to_next += at->latency();
      serialisation = std::max(serialisation, at->lane.serialisation);
    }
    member.to_next += serialisation + member.next->relay.least_delay() + member.next->entrance;
  }
}

void IssuedRing::settle(MessageFabric& fabric) {
  for (auto const& hop : hops_) fabric.count(hop);
  for (auto& member : members_) {
    fabric.count_entered(member.packet, member.arrived);
    member.relay.settle(static_cast<std::uint32_t>(member.first->passed), member.arrived);
  }
}

}  // namespace tessera::sim

// One link after another, in order of time.
#include "sim/model/fabric/message_fabric.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

LinkLanes::LaneOf lane_of(arch::Topology const& topology, arch::LinkId link) {
  return [&topology, link](AcceleratorId source) {
    return topology.lane(link, arch::NodeId{source.index()});
  };
}

}  // namespace

MessageFabric::MessageFabric(arch::Topology const& topology, Time hop_latency,
                             std::map<std::string, BusyHistogram>& utilisation)
    : topology_{topology},
      hop_latency_{hop_latency},
      routes_{topology},
      routers_{topology.node_names().size()} {
  EXPECTS(hop_latency > Time{0}, hop_latency);
  for (auto const id : topology.links().ids()) {
    auto const& link = topology.links()[id];
    lanes_.push_back({link, hop_latency, lane_of(topology, id), utilisation[link.name]});
  }
  for (auto const node : routers_.ids()) {
    bool const is_switch = node.index() >= topology.accelerators();
    if (is_switch || topology.passes_through(node)) routers_[node].emplace();
  }
}

void MessageFabric::enter(Message const& packet, Time head, Notices& heard) {
  EXPECTS(packet.kind == Message::Kind::packet, static_cast<int>(packet.kind));
  count_entered(packet, 1);
  go_on(under_way(packet), head + entrance(packet), heard);
}

/// Its index.
std::uint32_t MessageFabric::under_way(Message const& message) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(under_way_.size()));
    under_way_.emplace_back();
  }
  auto const index = unused_.back();
  unused_.pop_back();
  under_way_[index] = {message, routes_.of(message)};
  return index;
}

/// To the next link or to the end.
void MessageFabric::go_on(std::uint32_t index, Time head, Notices& heard) {
  auto const& ahead = under_way_[index].ahead;
  if (ahead.first == ahead.end) return deliver(index, head, heard);
  wait_for(routes_.link(ahead.first), index, head);
}

/// Of a node, if it has one.
Time MessageFabric::router_latency(arch::NodeId node) const {
  return routers_[node] ? hop_latency_ : Time{0};
}

void MessageFabric::count_passed(arch::NodeId node, Bytes bytes, std::int64_t messages) {
  if (auto& router = routers_[node]) router->count(bytes, messages);
}

void MessageFabric::wait_for(arch::LinkId link, std::uint32_t index, Time head) {
  waiting_.push_back({head, link, index});
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [this](auto const& a, auto const& b) { return comes_later(a, b); });
}

void MessageFabric::carry_next(Notices& heard) {
  EXPECTS(!waiting_.empty());
  std::pop_heap(waiting_.begin(), waiting_.end(),
                [this](auto const& a, auto const& b) { return comes_later(a, b); });
  auto const [head, link, index] = waiting_.back();
  waiting_.pop_back();
  carry(link, index, head, heard);
}

void MessageFabric::carry(arch::LinkId link, std::uint32_t index, Time head, Notices& heard) {
  statistics_[hops].add(1);
  auto& [message, ahead] = under_way_[index];
  auto const passage = lanes_[link].carry(message, head);
  if (passage.sent) heard.push_back({*passage.sent, message.source, told_to_sender(message)});
  move_on(message, passage);
  ++ahead.first;
  auto const node = topology_.links()[link].to;
  count_passed(node, message.bytes, 1);
  go_on(index, passage.head + router_latency(node), heard);
}

void MessageFabric::deliver(std::uint32_t index, Time head, Notices& heard) {
  auto const& message = under_way_[index].message;
  heard.push_back({head, message.destination, message});
  unused_.push_back(index);
}

MessageFabric::Hop MessageFabric::hop(arch::LinkId link, Message const& packet) {
  auto& lanes = lanes_[link];
  return {link, packet.bytes, lanes.lane(packet.source, packet.bytes),
          router_latency(topology_.links()[link].to), &lanes};
}

void MessageFabric::count(Hop const& hop) {
  statistics_[hops].add(hop.passed);
  hop.lanes->count(hop.bytes, hop.passed);
  count_passed(topology_.links()[hop.link].to, hop.bytes, hop.passed);
}

Time MessageFabric::entrance(Message const& packet) const {
  return router_latency(arch::NodeId{packet.source.index()});
}

void MessageFabric::count_entered(Message const& packet, std::int64_t packets) {
  statistics_[messages].add(packets);
  count_passed(arch::NodeId{packet.source.index()}, packet.bytes, packets);
}

void MessageFabric::put_back(Message const& message, Time head) {
  auto const index = under_way(message);
  auto& ahead = under_way_[index].ahead;
  ahead.first += message.hops;
  wait_for(routes_.link(ahead.first), index, head);
}

bool MessageFabric::comes_later(Waiting const& a, Waiting const& b) const {
  return is_carried_before(b.head, b.link, a.head, a.link, [&] {
    return under_way_[b.index].message < under_way_[a.index].message;
  });
}

}  // namespace tessera::sim

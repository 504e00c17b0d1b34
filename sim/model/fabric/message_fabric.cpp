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
      routers_{topology.node_names().size()},
      queues_{topology.links().size()},
      wakes_{topology.links().size()} {
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

void MessageFabric::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_interfaces && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

std::optional<Time> MessageFabric::advance(Time now, Outbox& out) {
  until_ = out.quiet_until();
  for (Message const& message : arrived_) take(message, now, out);
  arrived_.clear();
  auto next = wakes_.next_time();
  while (next != never && Time{next} <= until_) {
    carry_all(arch::LinkId{wakes_.pop()}, Time{next}, out);
    next = wakes_.next_time();
  }
  return next == never ? std::nullopt : std::optional<Time>{Time{next}};
}

void MessageFabric::take(Message const& message, Time now, Outbox& out) {
  statistics_[messages].add(1);
  auto const index = unused_index();
  under_way_[index] = {message, routes_.of(message)};
  reach(arch::NodeId{message.source.index()}, index, now, out);
}

std::uint32_t MessageFabric::unused_index() {
  if (unused_.empty()) {
    under_way_.emplace_back();
    return static_cast<std::uint32_t>(under_way_.size() - 1);
  }
  auto const index = unused_.back();
  unused_.pop_back();
  return index;
}

/// Through the node's router, if it has one, to the next link or to the end.
void MessageFabric::reach(arch::NodeId node, std::uint32_t index, Time now, Outbox& out) {
  auto const& [message, ahead] = under_way_[index];
  auto& router = routers_[node];
  if (router) router->count(message.bytes);
  auto const then = router ? now + hop_latency_ : now;
  if (ahead.first == ahead.end) return deliver(index, then, out);
  wait_for(routes_.link(ahead.first), index, then);
}

void MessageFabric::wait_for(arch::LinkId link, std::uint32_t index, Time head) {
  auto& queue = queues_[link];
  queue.push_back({head, index});
  std::push_heap(queue.begin(), queue.end(),
                 [this](auto const& a, auto const& b) { return comes_later(a, b); });
  wakes_.set_at_most(static_cast<std::uint32_t>(link.index()), head.value());
}

/// Messages whose heads are here `now`.
void MessageFabric::carry_all(arch::LinkId link, Time now, Outbox& out) {
  auto& queue = queues_[link];
  while (!queue.empty() && queue.front().head == now) {
    std::pop_heap(queue.begin(), queue.end(),
                  [this](auto const& a, auto const& b) { return comes_later(a, b); });
    auto const index = queue.back().index;
    queue.pop_back();
    carry(link, index, now, out);
  }
  if (queue.empty()) return;
  wakes_.set_at_most(static_cast<std::uint32_t>(link.index()), queue.front().head.value());
}

void MessageFabric::carry(arch::LinkId link, std::uint32_t index, Time now, Outbox& out) {
  statistics_[hops].add(1);
  auto& [message, ahead] = under_way_[index];
  auto const passage = lanes_[link].carry(message, now);
  if (passage.sent) notify(message.source, *passage.sent, told_to_sender(message), out);
  message = forwarded(message, passage);
  ++ahead.first;
  reach(topology_.links()[link].to, index, passage.head, out);
}

void MessageFabric::deliver(std::uint32_t index, Time at, Outbox& out) {
  auto const& message = under_way_[index].message;
  notify(message.destination, at, message, out);
  unused_.push_back(index);
}

/// Whoever hears it may answer from then on.
void MessageFabric::notify(AcceleratorId accelerator, Time at, Message const& message,
                           Outbox& out) {
  out.send(at, static_cast<Port>(accelerator.index()), message);
  until_ = std::min(until_, at);
}

bool MessageFabric::comes_later(Waiting const& a, Waiting const& b) const {
  if (a.head != b.head) return a.head > b.head;
  return under_way_[b.index].message < under_way_[a.index].message;
}

}  // namespace tessera::sim

// Reserving lanes.
#include "sim/model/fabric/link.hpp"

#include <algorithm>

namespace tessera::sim {

Link::Link(arch::Link const& spec, Time least_latency, LaneOf lane_of, BusyHistogram& utilisation)
    : lane_bandwidth_{spec.lane_bandwidth},
      latency_{std::max(spec.latency, least_latency)},
      least_latency_{least_latency},
      from_{spec.from.index()},
      lane_of_{std::move(lane_of)},
      meter_{utilisation},
      lane_free_(static_cast<std::size_t>(spec.lanes)) {
  EXPECTS(spec.lanes > 0 && lane_bandwidth_ > Bandwidth{0}, spec.lanes, lane_bandwidth_);
}

void Link::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == head && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

std::optional<Time> Link::advance(Time now, Outbox& out) {
  for (Message const& packet : arrived_) carry(packet, now, out);
  arrived_.clear();
  return std::nullopt;
}

void Link::carry(Message const& packet, Time now, Outbox& out) {
  Time& lane_free = lane_free_.at(static_cast<std::size_t>(lane_of_(packet.source)));
  Time const serialisation = packet.bytes / lane_bandwidth_;
  Time const begin = std::max(now, lane_free);
  Time const end = std::max(begin + serialisation, now + packet.tail);
  lane_free = end;

  meter_.add(end - serialisation, end, packet.bytes);

  Message forwarded = packet;
  forwarded.tail = end - begin;
  ++forwarded.hops;
  out.send(begin + latency_, forward, forwarded);
  if (packet.source.index() != from_) return;
  Message sent = packet;
  sent.kind = Message::Kind::sent;
  out.send(std::max(end, now + least_latency_), back, sent);
}

void Link::serialize(Time now, StateWriter& out) const {
  for (Time const free : lane_free_) out.put_future(free, now);
  for (Message const& message : arrived_) out.put(message);
}

void Link::shift(Time by) {
  for (Time& free : lane_free_) free += by;
}

}  // namespace tessera::sim

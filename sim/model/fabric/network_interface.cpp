// Cutting transfers into packets and putting them together again.
#include "sim/model/fabric/network_interface.hpp"

#include <algorithm>

#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

NetworkInterface::NetworkInterface(AcceleratorId accelerator, MessageClock clock,
                                   TaskGraph const& graph, arch::Topology const& topology,
                                   std::optional<Bandwidth> reduce_bandwidth)
    : accelerator_{accelerator},
      clock_{clock},
      graph_{graph},
      topology_{topology},
      reduce_bandwidth_{reduce_bandwidth} {}

void NetworkInterface::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port < inputs, port);
  arrived_.push_back(message);
}

std::optional<Time> NetworkInterface::advance(Time now, Outbox& out) {
  for (Message const& message : arrived_) take(message, now, out);
  arrived_.clear();
  return std::nullopt;
}

void NetworkInterface::take(Message const& message, Time now, Outbox& out) {
  switch (message.kind) {
    case Message::Kind::issue:
      return send(message, now, out);
    case Message::Kind::sent:
      return count_sent(message, now, out);
    case Message::Kind::packet:
      return receive(message, now, out);
    default:
      EXPECTS(false && "not a message for a network interface", static_cast<int>(message.kind));
  }
}

void NetworkInterface::send(Message const& issue, Time now, Outbox& out) {
  EXPECTS(issue.source == accelerator_, issue.task);
  auto const parts = topology_.cut(arch::NodeId{issue.source.index()},
                                   arch::NodeId{issue.destination.index()}, issue.bytes);
  Message packet = issue;
  packet.kind = Message::Kind::packet;
  packet.parts = static_cast<std::uint8_t>(parts.size());
  for (arch::MessagePart const& part : parts) {
    packet.turn = part.turn;
    packet.bytes = part.size;
    out.send(clock_.arrival(now), to_fabric, packet);
  }
  leaving_[issue.task] = packet.parts;
}

void NetworkInterface::count_sent(Message const& packet, Time now, Outbox& out) {
  auto const leaving = leaving_.find(packet.task);
  EXPECTS(leaving != leaving_.end(), packet.task);
  if (--leaving->second > 0) return;
  leaving_.erase(leaving);
  statistics_[transfers_sent].add(1);
  statistics_[bytes_sent].add(graph_.at(packet.task).bytes.value());

  Message sent = packet;
  sent.parts = 1;
  out.send(clock_.arrival(now), to_dispatcher, sent);
}

void NetworkInterface::receive(Message const& packet, Time now, Outbox& out) {
  EXPECTS(packet.destination == accelerator_, packet.task, packet.destination);
  Arrival& arrival = arriving_.try_emplace(packet.task, Arrival{packet.parts, now}).first->second;
  arrival.last_tail = std::max(arrival.last_tail, now + packet.tail);
  if (--arrival.missing > 0) return;

  Message done = packet;
  done.kind = Message::Kind::done;
  out.send(clock_.arrival(arrival.last_tail + adding(packet.task)), to_dispatcher, done);
  arriving_.erase(packet.task);
  count_received(packet.task);
}

/// Two operands are read, and the sum is written.
Time NetworkInterface::adding(TaskId task) const {
  Task const& transfer = graph_.at(task);
  if (!transfer.reduces || !reduce_bandwidth_) return Time{0};
  return 3 * transfer.bytes / *reduce_bandwidth_;
}

void NetworkInterface::count_received(TaskId task) {
  Task const& transfer = graph_.at(task);
  statistics_[transfers_received].add(1);
  statistics_[bytes_received].add(transfer.bytes.value());
  statistics_[words_received].add(words_of(transfer.bytes));
  if (transfer.reduces) statistics_[words_reduced].add(words_of(transfer.bytes));
}

void NetworkInterface::serialize(Time now, StateWriter& out) const {
  out.put_phase(clock_.clock(), now);
  out.put(static_cast<std::int64_t>(leaving_.size()));
  for (auto const& [task, packets] : leaving_) {
    out.put(static_cast<std::int64_t>(task.index()));
    out.put(packets);
  }
  for (auto const& [task, arrival] : arriving_) {
    out.put(static_cast<std::int64_t>(task.index()));
    out.put(arrival.missing);
    out.put_future(arrival.last_tail, now);
  }
  for (Message const& message : arrived_) out.put(message);
}

void NetworkInterface::shift(Time by) {
  for (auto& [task, arrival] : arriving_) arrival.last_tail += by;
}

}  // namespace tessera::sim

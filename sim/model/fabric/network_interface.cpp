// Cutting transfers into packets and putting them together again.
#include "sim/model/fabric/network_interface.hpp"

#include <algorithm>
#include <limits>

#include "sim/model/fabric/route_finder.hpp"

namespace tessera::sim {

namespace {

/// One is read while the one before leaves.
constexpr int blocks_under_way = 2;

std::size_t place_of(arch::Turn turn) { return static_cast<std::size_t>(turn); }

std::pair<TaskId, std::uint32_t> round_of(Message const& message) {
  return {message.task, message.round};
}

/// Into how many messages a packet is cut: at least one.
std::uint32_t messages_of(Bytes bytes, TransferEnds const& ends) {
  if (ends.memory == nullptr || bytes <= ends.block) return 1;
  auto const messages = ceil_ratio(bytes, ends.block);
  EXPECTS(messages <= std::numeric_limits<std::uint32_t>::max(), messages);
  return static_cast<std::uint32_t>(messages);
}

}  // namespace

NetworkInterface::NetworkInterface(AcceleratorId accelerator, MessageClock clock,
                                   TaskGraph const& graph, arch::Topology const& topology,
                                   TransferEnds const& ends)
    : accelerator_{accelerator}, clock_{clock}, graph_{graph}, topology_{topology}, ends_{ends} {}

void NetworkInterface::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port < inputs, port);
  arrived_.push_back(message);
}

std::optional<Time> NetworkInterface::advance(Time now, Outbox& out) {
  take_passed_on(now);
  for (Message const& message : arrived_) take(message, now, out);
  arrived_.clear();
  ask_memory(now, out);
  for (auto const& round : rounds_.take_due(now)) send(round, now, out);  // messages take no time
  auto const round = rounds_.next_due();
  if (due_.empty()) return round;
  auto const block = std::get<Time>(*due_.begin());
  return round ? std::min(*round, block) : block;
}

/// Rounds that may be sent now, in the order in which they would come from the dispatcher.
void NetworkInterface::take_passed_on(Time now) {
  auto const due = rounds_.take_due(now);
  if (due.empty()) return;
  arrived_.insert(arrived_.end(), due.begin(), due.end());
  std::sort(arrived_.begin(), arrived_.end());
}

void NetworkInterface::issue(Message const& issue, Time now, Outbox& out) {
  send(issue, now, out);
  auto const rounds = graph_.at(issue.task).rounds;
  if (rounds == 1 || issue.round > 0) return;
  for (auto const& round : rounds_.issue(issue, now, rounds)) {
    round.at == now ? send(round.issue, now, out) : send_later(round, out);
  }
}

/// Beside memory it is known what becomes of it then.
void NetworkInterface::send_later(PassedRounds::Round const& round, Outbox& out) {
  if (ends_.memory == nullptr) return send(round.issue, round.at, out);
  rounds_.schedule(round);
}

/// At `told` the dispatcher would be notified, and issue the next round at once.
void NetworkInterface::pass_on(Message const& done, Time told, Outbox& out) {
  auto const& transfer = graph_.at(done.task);
  auto const round = done.round + 1;
  if (round < transfer.rounds) {
    auto const next = rounds_.make_ready(transfer.next, round, clock_.arrival(told));
    if (next) send_later(*next, out);
  }
  auto const last = rounds_.count_arrived(done, told, transfer.rounds);
  if (last) out.send(last->at, to_dispatcher, last->message);
}

void NetworkInterface::take(Message const& message, Time now, Outbox& out) {
  switch (message.kind) {
    case Message::Kind::issue:
      return issue(message, now, out);
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
  auto const parts = parts_of(issue);
  auto packet = packet_of(issue);
  bool const is_whole = parts.size() == 1 && messages_of(issue.bytes, ends_) == 1;
  if (is_whole) return send_whole(packet, now, out);
  Leaving leaving;
  for (arch::MessagePart const& part : parts) {
    auto const messages = messages_of(part.size, ends_);
    leaving.unread.at(place_of(part.turn)) = {messages, part.size};
    leaving.messages += messages;
  }
  packet.parts = leaving.messages;
  for (arch::MessagePart const& part : parts) {
    packet.turn = part.turn;
    for (int i = 0; i < blocks_under_way; ++i) send_block(packet, leaving, now, out);
  }
  leaving_.emplace(round_of(issue), leaving);
}

/// Later rounds are of later exchange steps.
Message NetworkInterface::packet_of(Message const& issue) const {
  auto packet = issue;
  packet.kind = Message::Kind::packet;
  auto const rank = graph_.at(issue.task).rank;
  packet.rank = rank == 0 ? 0 : rank + issue.round * graph_.folding().accelerators();
  return packet;
}

/// In one message.
void NetworkInterface::send_whole(Message& packet, Time now, Outbox& out) {
  ++whole_;
  packet.parts = 1;
  auto const there = ends_.memory == nullptr
                         ? now
                         : ends_.memory->transfer_of_link(now, Access::read, packet.bytes);
  out.send(clock_.arrival(there), to_fabric, packet);
}

arch::MessageParts NetworkInterface::parts_of(Message const& issue) {
  auto const end = end_of(topology_, issue);
  auto const [known, is_new] = two_ways_.try_emplace(end, false);
  if (is_new) {
    known->second = topology_.has_two_ways(arch::NodeId{accelerator_.index()}, end);
  }
  return known->second ? arch::halves(issue.bytes)
                       : arch::MessageParts{{arch::Turn::positive, issue.bytes}};
}

/// The next of those that go the packet's way, if there is one.
void NetworkInterface::send_block(Message packet, Leaving& leaving, Time now, Outbox& out) {
  auto& unread = leaving.unread.at(place_of(packet.turn));
  if (unread.messages == 0) return;
  packet.bytes = unread.bytes;
  auto there = now;
  if (ends_.memory != nullptr) {
    packet.bytes = std::min(unread.bytes, ends_.block);
    there = ends_.memory->transfer_of_link(now, Access::read, packet.bytes);
  }
  --unread.messages;
  unread.bytes -= packet.bytes;
  out.send(clock_.arrival(there), to_fabric, packet);
}

void NetworkInterface::count_sent(Message const& message, Time now, Outbox& out) {
  if (message.parts == 1) {
    EXPECTS(whole_ > 0, message.task);
    --whole_;
    return finish_sending(message, now, out);
  }
  auto const leaving = leaving_.find(round_of(message));
  EXPECTS(leaving != leaving_.end(), message.task);
  auto& [messages, unread, sent] = leaving->second;
  sent.update(now, message);
  if (--messages > 0) {
    Message next = message;
    next.kind = Message::Kind::packet;
    send_block(next, leaving->second, now, out);
    return;
  }
  finish_sending(sent.message, sent.at, out);
  leaving_.erase(leaving);
}

/// A round has left at `now`, `last` the last of its messages.
void NetworkInterface::finish_sending(Message const& last, Time now, Outbox& out) {
  auto const& transfer = graph_.at(last.task);
  meter_.count_sent(transfer, 1);
  auto const told = clock_.arrival(now);
  auto sent = transfer.rounds == 1 ? std::optional{LatestMessage{told, last}}
                                   : rounds_.count_left(last, told);
  if (!sent) return;
  sent->message.parts = 1;
  out.send(sent->at, to_dispatcher, sent->message);
}

void NetworkInterface::receive(Message const& packet, Time now, Outbox& out) {
  EXPECTS(packet.destination == accelerator_, packet.task, packet.destination);
  auto const last = now + packet.tail;
  bool const is_beside_memory = ends_.memory == nullptr;
  if (is_beside_memory && packet.parts == 1) return finish_receiving(packet, last, out);
  auto& arrival =
      arriving_.try_emplace(round_of(packet), Arrival{packet.parts, {}, {}}).first->second;
  arrival.head.update(now, packet);
  if (is_beside_memory) return arrive(round_of(packet), last, out);
  auto const ask = graph_.at(packet.task).reduces ? Ask::read_of_summand : Ask::write;
  due_.emplace(last, round_of(packet), ask, packet.bytes);
}

/// For all blocks whose last byte, or whose other summand, is here.
void NetworkInterface::ask_memory(Time now, Outbox& out) {
  while (!due_.empty() && std::get<Time>(*due_.begin()) <= now) {
    auto const [time, round, ask, bytes] = *due_.begin();
    due_.erase(due_.begin());
    if (ask == Ask::read_of_summand) {
      auto const there = ends_.memory->transfer_of_link(now, Access::read, bytes);
      due_.emplace(there, round, Ask::write, bytes);
    } else {
      arrive(round, ends_.memory->transfer_of_link(now, Access::write, bytes), out);
    }
  }
}

/// One of its messages, at `last`.
void NetworkInterface::arrive(Round const& round, Time last, Outbox& out) {
  auto const arrival = arriving_.find(round);
  EXPECTS(arrival != arriving_.end(), round.first, round.second);
  auto& [missing, all, head] = arrival->second;
  all = std::max(all, last);
  if (--missing > 0) return;
  finish_receiving(head.message, all, out);
  arriving_.erase(arrival);
}

/// All of it is here, or in memory, at `last`.
void NetworkInterface::finish_receiving(Message const& packet, Time last, Outbox& out) {
  auto done = packet;
  done.kind = Message::Kind::done;
  auto const told = clock_.arrival(last + adding(packet.task));
  auto const& transfer = graph_.at(packet.task);
  meter_.count_received(transfer, 1);
  if (transfer.rounds > 1) return pass_on(done, told, out);
  out.send(told, to_dispatcher, done);
}

/// Two operands are read, and the sum is written.
Time NetworkInterface::adding(TaskId task) const {
  Task const& transfer = graph_.at(task);
  if (!transfer.reduces || !ends_.reduce_bandwidth) return Time{0};
  return 3 * bytes_of_round(transfer) / *ends_.reduce_bandwidth;
}

}  // namespace tessera::sim

// In order of time, hop after hop.
#include "sim/model/array/lone_rings.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

constexpr std::size_t most_patience = 15;

}  // namespace

bool LoneRings::carry(Time until) {
  if (let_by_ > 0) {
    --let_by_;
    return false;
  }
  if (!goes_on(fabric_.message(fabric_.waiting().front()))) return false;
  auto const carried = gather(until) ? carry_up_to(until) : 0;
  bool const pays = carried > members_.size();
  patience_ = pays ? 0 : std::min(2 * patience_ + 1, most_patience);
  let_by_ = patience_ * (1 + members_.size());
  return carried > 0;
}

/// Not the last of its rounds.
bool LoneRings::goes_on(Message const& message) const {
  return message.round + 1 < graph_.at(message.task).rounds;
}

/// All rings that can be carried; `until` comes before whatever else is in the fabric. False if
/// that is next.
bool LoneRings::gather(Time& until) {
  members_.clear();
  member_of_.clear();
  fronts_.clear();
  auto const& waiting = fabric_.waiting();
  if (!member_for(fabric_.message(waiting.front()))) return false;
  for (std::uint32_t position = 0; position < waiting.size(); ++position) {
    auto const [head, link, index] = waiting[position];
    auto const& message = fabric_.message(waiting[position]);
    if (auto const member = member_for(message)) {
      fronts_.push_back({head, message.tail, link, position, *member, message.round, message.hops});
    } else {
      until = std::min(until, head - Time{1});
    }
  }
  return true;
}

std::optional<std::uint32_t> LoneRings::member_for(Message const& message) {
  if (!goes_on(message)) return std::nullopt;
  auto const [known, is_new] = member_of_.try_emplace(message.task.index());
  if (!is_new) return known->second;
  auto const first = static_cast<std::uint32_t>(members_.size());
  if (!add_ring(message.task)) {
    members_.erase(members_.begin() + first, members_.end());
    return std::nullopt;
  }
  members_.back().next = first;
  for (auto member = first; member < members_.size(); ++member) {
    member_of_[members_[member].packet.task.index()] = member;
  }
  return static_cast<std::uint32_t>(members_.size() - 1);
}

/// The transfer `last` comes last.
bool LoneRings::add_ring(TaskId last) {
  auto incoming = last;
  do {
    auto const own = graph_.at(incoming).next;
    bool const comes_by_again = own != last && !member_of_.try_emplace(own.index()).second;
    if (comes_by_again) return false;  // no ring
    auto const& transfer = graph_.at(own);
    auto const relay = RoundRelay::find(*interfaces_[transfer.accelerator.index()], incoming, own);
    if (!relay) return false;
    auto const packet = relay->packet(0);
    auto const route = fabric_.route_of(packet);
    if (route.first == route.end) return false;
    auto const next = static_cast<std::uint32_t>(members_.size() + 1);
    members_.push_back({*relay, packet, route, transfer.rounds - 1, next});
    incoming = own;
  } while (incoming != last);
  return true;
}

/// How many messages that were.
std::size_t LoneRings::carry_up_to(Time until) {
  auto const later = [this](Front const& a, Front const& b) { return comes_later(a, b); };
  std::sort(fronts_.begin(), fronts_.end(), later);
  std::size_t carried = 0;
  for (;;) {
    auto next = fronts_.back();
    if (next.head > until || next.round == members_[next.member].last_round) break;
    ++carried;
    fronts_.pop_back();
    carry(next);
    fronts_.insert(std::upper_bound(fronts_.begin(), fronts_.end(), next, later), next);
  }
  if (carried > 0) settle();
  return carried;
}

/// Over its link and, if that was the last one, through the interface that passes it on.
void LoneRings::carry(Front& front) {
  auto& sender = members_[front.member];
  sender.packet.hops = front.hops;
  sender.packet.tail = front.tail;
  front.head = fabric_.carry_alone(front.link, sender.packet, front.head);
  front.hops = sender.packet.hops;
  front.tail = sender.packet.tail;
  if (front.hops == 1) ++sender.left;
  if (sender.route.first + front.hops == sender.route.end) pass_on(front);
  front.link = fabric_.link(members_[front.member].route.first + front.hops);
}

/// As the next round of the member that comes next.
void LoneRings::pass_on(Front& front) {
  front.member = members_[front.member].next;
  auto& member = members_[front.member];
  ++member.arrived;
  auto const departure = member.relay.departure(front.head + front.tail);
  front.head = fabric_.enter_alone(member.packet, departure);
  ++front.round;
  front.hops = 0;
  front.tail = Time{0};
}

/// Then all is as if each had been carried by itself.
void LoneRings::settle() {
  for (auto const& front : fronts_) fabric_.replace(front.position, message(front), front.head);
  fabric_.restore();
  for (auto& member : members_) member.relay.settle(member.left, member.arrived);
}

Message LoneRings::message(Front const& front) const {
  auto message = members_[front.member].relay.packet(front.round);
  message.hops = front.hops;
  message.tail = front.tail;
  return message;
}

/// As in the fabric, where content decides which of two is first on a link.
bool LoneRings::comes_later(Front const& a, Front const& b) const {
  if (a.head != b.head) return a.head > b.head;
  if (a.link != b.link) return b.link < a.link;
  return message(b) < message(a);
}

}  // namespace tessera::sim

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
  hops_.clear();
  member_of_.clear();
  fronts_.clear();
  auto const& waiting = fabric_.waiting();
  if (!member_for(fabric_.message(waiting.front()))) return false;
  for (std::uint32_t position = 0; position < waiting.size(); ++position) {
    auto const head = waiting[position].head;
    auto const& message = fabric_.message(waiting[position]);
    if (auto const member = member_for(message)) {
      fronts_.push_back({head, message.tail, position, *member, message.round, message.hops});
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
  auto const first_hop = static_cast<std::ptrdiff_t>(hops_.size());
  if (!add_ring(message.task)) {
    members_.erase(members_.begin() + first, members_.end());
    hops_.erase(hops_.begin() + first_hop, hops_.end());
    return std::nullopt;
  }
  members_.back().next = first;
  for (auto member = first; member < members_.size(); ++member) {
    members_[member].to_next = least_to_next(members_[member]);
    member_of_[members_[member].packet.task.index()] = member;
  }
  return static_cast<std::uint32_t>(members_.size() - 1);
}

/// The transfer `last` comes last.
bool LoneRings::add_ring(TaskId last) {
  auto const ring = static_cast<std::uint32_t>(members_.size());
  auto const rounds = graph_.at(last).rounds;
  auto incoming = last;
  do {
    auto const own = graph_.at(incoming).next;
    bool const comes_by_again = own != last && !member_of_.try_emplace(own.index()).second;
    if (comes_by_again) return false;  // no ring
    auto const& transfer = graph_.at(own);
    auto const relay = RoundRelay::find(*interfaces_[transfer.accelerator.index()], incoming, own);
    if (!relay || transfer.rounds != rounds) return false;
    auto const packet = relay->packet(0);
    auto const [first, end] = fabric_.route_of(packet);
    if (first == end) return false;
    auto const next = static_cast<std::uint32_t>(members_.size() + 1);
    members_.push_back({*relay, packet, fabric_.entrance(packet),
                        static_cast<std::uint32_t>(hops_.size()), end - first, rounds - 1, ring,
                        next});
    for (auto at = first; at < end; ++at) hops_.push_back(fabric_.hop(fabric_.link(at), packet));
    incoming = own;
  } while (incoming != last);
  return true;
}

/// Where it waits for nobody.
Time LoneRings::least_to_next(Member const& member) const {
  auto const& next = members_[member.next];
  Time latency{0};
  Time serialisation{0};
  for (std::uint32_t i = 0; i < member.hops; ++i) {
    auto const& hop = hops_[member.first_hop + i];
    latency += hop.latency();
    serialisation = std::max(serialisation, hop.lane.serialisation);
  }
  return latency + serialisation + next.relay.least_delay() + next.entrance;
}

/// How many messages that were.
std::size_t LoneRings::carry_up_to(Time until) {
  std::size_t carried = 0;
  if (are_apart()) {
    for (auto const& front : fronts_) until = std::min(until, before_last_round(front));
    auto const ring = [this](Front const& front) { return members_[front.member].ring; };
    std::sort(fronts_.begin(), fronts_.end(),
              [=](Front const& a, Front const& b) { return ring(a) < ring(b); });
    for (auto first = fronts_.begin(); first != fronts_.end();) {
      auto const end = std::find_if(
          first, fronts_.end(), [=, of = ring(*first)](auto const& it) { return ring(it) != of; });
      carried += carry(first, end, until);
      first = end;
    }
  } else {
    carried = carry(fronts_.begin(), fronts_.end(), until);
  }
  if (carried > 0) settle();
  return carried;
}

/// Is no link part of two rings?
bool LoneRings::are_apart() {
  links_.clear();
  for (auto const& member : members_) {
    for (std::uint32_t i = 0; i < member.hops; ++i) {
      links_.emplace_back(hops_[member.first_hop + i].link, member.ring);
    }
  }
  std::sort(links_.begin(), links_.end());
  return std::adjacent_find(links_.begin(), links_.end(), [](auto const& a, auto const& b) {
           return a.first == b.first && a.second != b.second;
         }) == links_.end();
}

/// Up to then it comes to no link as the last round.
Time LoneRings::before_last_round(Front const& front) const {
  auto member = front.member;
  auto left = members_[member].last_round - front.round;
  auto time = front.head - Time{1};
  if (front.hops > 0) --left, member = members_[member].next;
  for (; left > 0; --left, member = members_[member].next) time += members_[member].to_next;
  return time;
}

/// In order, of those that may meet.
std::size_t LoneRings::carry(Fronts::iterator first, Fronts::iterator end, Time until) {
  auto const later = [this](Front const& a, Front const& b) { return comes_later(a, b); };
  std::sort(first, end, later);
  for (std::size_t carried = 0;; ++carried) {
    auto next = *(end - 1);
    if (next.head > until || next.round == members_[next.member].last_round) return carried;
    carry(next);
    auto const place = std::upper_bound(first, end - 1, next, later);
    std::move_backward(place, end - 1, end);
    *place = next;
  }
}

/// Over its link and, if that was the last one, through the interface that passes it on.
void LoneRings::carry(Front& front) {
  auto const& sender = members_[front.member];
  auto const passage = hops_[sender.first_hop + front.hops].pass(front.head, front.tail);
  front.head = passage.head;
  front.tail = passage.tail;
  if (++front.hops == sender.hops) pass_on(front);
}

/// As the next round of the member that comes next.
void LoneRings::pass_on(Front& front) {
  front.member = members_[front.member].next;
  auto& member = members_[front.member];
  ++member.arrived;
  front.head = member.relay.departure(front.head + front.tail) + member.entrance;
  ++front.round;
  front.hops = 0;
  front.tail = Time{0};
}

/// Then all is as if each had been carried by itself.
void LoneRings::settle() {
  for (auto const& front : fronts_) fabric_.replace(front.position, message(front), front.head);
  fabric_.restore();
  for (auto const& hop : hops_) fabric_.count(hop);
  for (auto& member : members_) {
    auto const left = hops_[member.first_hop].passed;
    fabric_.count_entered(member.packet, member.arrived);
    member.relay.settle(static_cast<std::uint32_t>(left), member.arrived);
  }
}

arch::LinkId LoneRings::link(Front const& front) const {
  return hops_[members_[front.member].first_hop + front.hops].link;
}

Message LoneRings::message(Front const& front) const {
  auto message = members_[front.member].relay.packet(front.round);
  message.hops = static_cast<std::uint16_t>(front.hops);
  message.tail = front.tail;
  return message;
}

/// As in the fabric, where content decides which of two is first on a link.
bool LoneRings::comes_later(Front const& a, Front const& b) const {
  if (a.head != b.head) return a.head > b.head;
  if (link(a) != link(b)) return link(b) < link(a);
  return message(b) < message(a);
}

}  // namespace tessera::sim

// In order of time, round after round.
#include "sim/model/array/lone_rings.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::sim {

namespace {

constexpr std::size_t most_patience = 15;

}  // namespace

bool LoneRings::carry(Time until) {
  if (let_by_ > 0) {
    --let_by_;
    return false;
  }
  bool const has_carried = gather(until) && carry_up_to(until);
  patience_ = has_carried ? 0 : std::min(2 * patience_ + 1, most_patience);
  let_by_ = patience_;
  return has_carried;
}

/// All rings that can be carried; `until` comes before whatever else is in the fabric. False if
/// that is next.
bool LoneRings::gather(Time& until) {
  members_.clear();
  member_of_.clear();
  fronts_.clear();
  auto const& waiting = fabric_.waiting();
  if (!member_for(fabric_.message(waiting.front()))) return false;
  for (std::size_t position = 0; position < waiting.size(); ++position) {
    auto const head = waiting[position].head;
    auto const& message = fabric_.message(waiting[position]);
    if (auto const member = member_for(message)) {
      fronts_.push_back({head, position, *member, message.round});
    } else {
      until = std::min(until, head - Time{1});
    }
  }
  return true;
}

std::optional<std::size_t> LoneRings::member_for(Message const& message) {
  if (message.round + 1 >= graph_.at(message.task).rounds) return std::nullopt;
  auto const [known, is_new] = member_of_.try_emplace(message.task.index());
  if (!is_new) return known->second;
  auto const first = members_.size();
  if (!add_ring(message.task)) {
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
    return std::nullopt;
  }
  members_.back().next = first;
  for (auto member = first; member < members_.size(); ++member) {
    member_of_[members_[member].packet.task.index()] = member;
  }
  return members_.size() - 1;
}

/// The transfer `last` comes last.
bool LoneRings::add_ring(TaskId last) {
  auto incoming = last;
  do {
    auto const own = graph_.at(incoming).next;
    if (!add(incoming, own)) return false;
    incoming = own;
  } while (incoming != last);
  return true;
}

/// A member that passes `incoming` on as `own`.
bool LoneRings::add(TaskId incoming, TaskId own) {
  auto const& transfer = graph_.at(own);
  auto const relay = RoundRelay::find(*interfaces_[transfer.accelerator.index()], incoming, own);
  if (!relay) return false;
  auto const packet = relay->packet(0);
  auto const link = fabric_.only_link(packet);
  if (!link) return false;
  bool const is_taken = std::any_of(members_.begin(), members_.end(),
                                    [&](Member const& other) { return other.link == *link; });
  if (is_taken) return false;
  members_.push_back({*relay, packet, *link, transfer.rounds - 1, members_.size() + 1});
  return true;
}

bool LoneRings::carry_up_to(Time until) {
  // On a link rounds come in their order.
  auto const comes_later = [](Front const& a, Front const& b) {
    return std::tie(a.head, a.round) > std::tie(b.head, b.round);
  };
  std::make_heap(fronts_.begin(), fronts_.end(), comes_later);
  bool has_carried = false;
  for (;;) {
    auto const& next = fronts_.front();
    if (next.head > until || next.round == members_[next.member].last_round) break;
    has_carried = true;
    std::pop_heap(fronts_.begin(), fronts_.end(), comes_later);
    carry(fronts_.back());
    std::push_heap(fronts_.begin(), fronts_.end(), comes_later);
  }
  if (has_carried) settle();
  return has_carried;
}

/// Over its link, and through the interface that passes it on.
void LoneRings::carry(Front& front) {
  auto& sender = members_[front.member];
  auto& next = members_[sender.next];
  auto const arrived = fabric_.carry_alone(sender.link, sender.packet, front.head);
  ++sender.left;
  ++next.arrived;
  front.head = fabric_.enter_alone(next.packet, next.relay.departure(arrived));
  front.member = sender.next;
  ++front.round;
}

/// Then all is as if each had been carried by itself.
void LoneRings::settle() {
  for (auto const& [head, position, index, round] : fronts_) {
    auto const& member = members_[index];
    fabric_.replace(position, member.relay.packet(round), member.link, head);
  }
  fabric_.restore();
  for (auto& member : members_) member.relay.settle(member.left, member.arrived);
}

}  // namespace tessera::sim

// In order of time, hop after hop.
#include "sim/model/array/rings_under_way.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace tessera::sim {

namespace {

/// To take over a ring that has fewer left before its last one costs more than it saves.
constexpr std::uint32_t fewest_rounds = 3;

/// Among so many rounds the next place is found by going from one to the next.
constexpr std::size_t few = 8;

}  // namespace

RingsUnderWay::RingsUnderWay(TaskGraph const& graph, std::vector<NetworkInterface*> interfaces,
                             arch::Topology const& topology, MessageFabric& fabric)
    : graph_{graph},
      interfaces_{std::move(interfaces)},
      fabric_{fabric},
      owners_{topology.links().size()} {}

void RingsUnderWay::issued(TaskId transfer) {
  if (graph_.at(transfer).rounds > fewest_rounds && is_complete(transfer)) {
    complete_.push_back(transfer);
  }
}

/// Have the other transfers of its ring been issued as well?
bool RingsUnderWay::is_complete(TaskId transfer) const {
  auto member = transfer;
  for (std::size_t members = 0; members < graph_.size(); ++members) {
    member = graph_.at(member).next;
    if (member == transfer) return true;
    auto const sender = graph_.at(member).accelerator;
    if (!RoundRelay::is_issued(*interfaces_[sender.index()], member)) return false;
  }
  return false;  // no ring
}

bool RingsUnderWay::take_over() {
  if (complete_.empty()) return false;
  std::vector<std::pair<IssuedRing::Pointer, Rounds>> rings;
  std::unordered_map<std::size_t, std::pair<std::size_t, IssuedRing::Member*>> member_of;
  for (auto const transfer : std::exchange(complete_, {})) {
    auto ring = IssuedRing::find(graph_, interfaces_, fabric_, transfer);
    if (!ring) continue;
    for (auto& member : ring->members()) {
      member_of.try_emplace(member.packet.task.index(), rings.size(), &member);
    }
    rings.emplace_back(std::move(ring), Rounds{});
  }
  fabric_.take_out([&](Time head, Message const& message) {
    auto const found = member_of.find(message.task.index());
    if (found == member_of.end()) return false;
    auto const [index, member] = found->second;
    auto& [ring, rounds] = rings[index];
    rounds.emplace_back(*ring, *member, message, head);
    return true;
  });
  for (auto& [ring, rounds] : rings) {
    bool const is_whole = rounds.size() == ring->members().size();
    if (is_whole && have_left(rounds, fewest_rounds)) {
      add(std::move(ring), rounds);
    } else {
      put_back(rounds);
    }
  }
  return true;
}

/// To the loop of those that have links in common with it.
void RingsUnderWay::add(IssuedRing::Pointer ring, Rounds const& rounds) {
  auto const index = loop_for(*ring);
  for (auto const& hop : ring->hops()) {
    auto& [loop, senders] = owners_[hop.link];
    loop = index;
    ++senders;
  }
  auto& loop = loops_[index];
  add(rounds, loop);
  auto const due = due_of(rounds);
  set_due(index, std::min(loop.due, due));
  loop.rings.push_back({std::move(ring), due});
}

void RingsUnderWay::add(Rounds const& rounds, Loop& loop) {
  loop.rounds.insert(loop.rounds.end(), rounds.begin(), rounds.end());
  loop.are_in_order = false;
}

RingsUnderWay::LoopIndex RingsUnderWay::loop_for(IssuedRing const& ring) {
  std::optional<LoopIndex> common;
  for (auto const& hop : ring.hops()) {
    auto const& [loop, senders] = owners_[hop.link];
    if (senders == 0) continue;
    if (!common) common = loop;
    if (loop != *common) merge(loop, *common);
  }
  if (common) return *common;
  if (unused_.empty()) {
    unused_.push_back(static_cast<LoopIndex>(loops_.size()));
    loops_.emplace_back();
  }
  auto const index = unused_.back();
  unused_.pop_back();
  return index;
}

void RingsUnderWay::merge(LoopIndex from, LoopIndex to) {
  auto& loop = loops_[to];
  for (auto& ring : std::exchange(loops_[from].rings, {})) {
    for (auto const& hop : ring.issued->hops()) owners_[hop.link].loop = to;
    loop.rings.push_back(std::move(ring));
  }
  add(std::exchange(loops_[from].rounds, {}), loop);
  set_due(to, std::min(loop.due, loops_[from].due));
  set_due(from, never);
  unused_.push_back(from);
}

void RingsUnderWay::set_due(LoopIndex index, Tick due) {
  auto& known = loops_[index].due;
  if (known == due) return;
  due_.erase({known, index});
  known = due;
  if (due != never) due_.emplace(due, index);
}

void RingsUnderWay::carry_before(MessageFabric::Waiting const& next) {
  auto const& [loop, senders] = owners_[next.link];
  if (senders == 0) return;
  carry(loops_[loop], [&](RingRound const& round) {
    return is_carried_before(round.head, round.hop->link, next.head, next.link,
                             [&] { return round.message() < fabric_.message(next); });
  });
}

/// In order, for as long as the next one `goes`.
template <typename Goes>
void RingsUnderWay::carry(Loop& loop, Goes goes) {
  auto& rounds = loop.rounds;
  auto const later = [](RingRound const& a, RingRound const& b) { return a.comes_later(b); };
  if (!std::exchange(loop.are_in_order, true)) std::sort(rounds.begin(), rounds.end(), later);
  auto const last = rounds.end() - 1;
  while (goes(*last)) {
    auto next = *last;
    next.go_on();
    auto place = last;
    if (rounds.size() > few) {
      place = std::upper_bound(rounds.begin(), last, next, later);
      std::move_backward(place, last, rounds.end());
    } else {
      for (; place != rounds.begin() && next.comes_later(*(place - 1)); --place) {
        *place = *(place - 1);
      }
    }
    *place = next;
  }
}

void RingsUnderWay::give_back() {
  auto const [now, index] = *due_.begin();
  auto& loop = loops_[index];
  carry(loop, [now = Time{now}](RingRound const& round) { return round.head < now; });
  auto& rings = loop.rings;
  auto const left = std::remove_if(rings.begin(), rings.end(), [&, now = now](Ring& ring) {
    return ring.due == now && leaves(loop, ring);
  });
  rings.erase(left, rings.end());
  auto due = never;
  for (auto const& ring : rings) due = std::min(due, ring.due);
  set_due(index, due);
  if (rings.empty()) unused_.push_back(index);
}

/// Does a ring that is due? Where rounds have waited, they may have more left than that.
bool RingsUnderWay::leaves(Loop& loop, Ring& ring) {
  auto const is_of_ring = [issued = ring.issued.get()](RingRound const& round) {
    return round.ring == issued;
  };
  auto& all = loop.rounds;
  Rounds rounds;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rounds), is_of_ring);
  if (have_left(rounds, 2)) {
    ring.due = due_of(rounds);
    return false;
  }
  all.erase(std::remove_if(all.begin(), all.end(), is_of_ring), all.end());
  put_back(rounds);
  for (auto const& hop : ring.issued->hops()) --owners_[hop.link].senders;
  ring.issued->settle(fabric_);
  return true;
}

void RingsUnderWay::put_back(Rounds const& rounds) {
  for (auto const& round : rounds) fabric_.put_back(round.message(), round.head);
}

bool RingsUnderWay::have_left(Rounds const& rounds, std::uint32_t least) {
  return std::all_of(rounds.begin(), rounds.end(),
                     [least](RingRound const& round) { return round.rounds_left() >= least; });
}

Tick RingsUnderWay::due_of(Rounds const& rounds) {
  auto due = never;
  for (auto const& round : rounds) due = std::min(due, round.least_to_last().value());
  return due;
}

}  // namespace tessera::sim

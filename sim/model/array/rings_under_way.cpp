// In order of time, hop after hop.
#include "sim/model/array/rings_under_way.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace tessera::sim {

namespace {

/// To take over a ring that has fewer left before its last one costs more than it saves.
constexpr std::uint32_t fewest_rounds = 3;

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
  rings.reserve(complete_.size());
  sought_.clear();
  for (auto const transfer : complete_) {
    auto ring = IssuedRing::find(graph_, interfaces_, fabric_, transfer);
    if (!ring) continue;
    for (auto& member : ring->members()) {
      sought_.push_back({member.packet.task, rings.size(), &member});
    }
    auto const members = ring->members().size();
    rings.emplace_back(std::move(ring), Rounds{}).second.reserve(members);
  }
  complete_.clear();
  std::sort(sought_.begin(), sought_.end());
  fabric_.take_out([&](Time head, Message const& message) {
    auto const found = std::lower_bound(sought_.begin(), sought_.end(), Sought{message.task});
    if (found == sought_.end() || found->transfer != message.task) return false;
    auto& [ring, rounds] = rings[found->ring];
    rounds.emplace_back(*ring, *found->member, message, head);
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
  loop.rounds.add(rounds);
  auto const due = due_of(rounds);
  set_due(index, std::min(loop.due, due));
  loop.rings.push_back({std::move(ring), due});
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
  loop.rounds.add(std::exchange(loops_[from].rounds, {}).all());
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
  loops_[loop].rounds.carry([&](RingRound const& round) {
    return is_carried_before(round.head, round.hop->link, next.head, next.link,
                             [&] { return round.message() < fabric_.message(next); });
  });
}

void RingsUnderWay::give_back() {
  auto const [now, index] = *due_.begin();
  auto& loop = loops_[index];
  auto& rings = loop.rings;
  if (is_alone(loop)) {
    courses_.carry(*rings.front().issued, loop.rounds, Time{now});
  } else {
    loop.rounds.carry_until(Time{now});
  }
  auto const left = std::remove_if(rings.begin(), rings.end(), [&, now = now](Ring& ring) {
    return ring.due == now && leaves(loop, ring);
  });
  rings.erase(left, rings.end());
  auto due = never;
  for (auto const& ring : rings) due = std::min(due, ring.due);
  set_due(index, due);
  if (rings.empty()) unused_.push_back(index);
}

/// Has it one ring, whose links carry the rounds of one transfer each?
bool RingsUnderWay::is_alone(Loop const& loop) const {
  if (loop.rings.size() != 1) return false;
  auto const& hops = loop.rings.front().issued->hops();
  return std::all_of(hops.begin(), hops.end(),
                     [this](auto const& hop) { return owners_[hop.link].senders == 1; });
}

/// Does a ring that is due? Where rounds have waited, they may have more left than that.
bool RingsUnderWay::leaves(Loop& loop, Ring& ring) {
  auto const rounds = loop.rounds.of(*ring.issued);
  if (have_left(rounds, 2)) {
    ring.due = due_of(rounds);
    return false;
  }
  loop.rounds.remove(*ring.issued);
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

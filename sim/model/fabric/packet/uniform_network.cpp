// What happens in a tick. Sets of queues are words: a queue's bit is its rank in its router.
//
// Functions that say always_inline run for every packet and hop, where a call costs as much as what it does. So does a branch that is
// as likely as not: in some of them a choice is an index or a product.
#include "sim/model/fabric/packet/uniform_network.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/model/fabric/packet/bit_set.hpp"
#include "sim/model/fabric/packet/way_hash.hpp"

namespace tessera::sim {

using detail::bit;
using detail::first_from;
using detail::lowest;

inline void UniformNetwork::wake_after(Tick ticks) {
  pending_ |= bit(static_cast<std::uint32_t>(ticks));
}

inline void UniformNetwork::mark_due(std::uint32_t output, Tick time) {
  due_[ring_place(time) * due_words_ + output / 64] |= bit(output % 64);
  wake_after(time - now_);
}

void UniformNetwork::send(Tick now, FabricPacket const& packet) {
  EXPECTS(packet.size == packet_size_ && packet.destination < sources_.size(), packet.size,
          packet.destination);
  EXPECTS(now >= now_ && next_event() >= now, now, now_);
  move_to(now);
  auto const index = packets_.add(now, sent_++, packet);
  if (index >= passengers_.size()) passengers_.resize(2 * std::size_t{index} + 1);
  passengers_[index] = {packet.destination, 0, none};
  auto& source = sources_.at(packet.source);
  if (source.is_empty() && may_inject(packet.source)) return inject(packet.source, index);
  if (source.is_empty()) mark_due(packet.source, std::max(now, busy_until_[packet.source]));
  source.push(packets_, index);
}

Tick UniformNetwork::next_event() { return pending_ == 0 ? never : now_ + lowest(pending_); }

void UniformNetwork::advance(Tick until, std::vector<FabricDelivery>& out) {
  out_ = &out;
  for (auto next = next_event(); next < until; next = next_event()) {
    move_to(next);
    run_tick();
  }
  out_ = nullptr;
}

/// Nothing happens before `time`, so no credits are sent.
void UniformNetwork::move_to(Tick time) {
  constexpr Tick bits = 64;
  auto const ticks = time - now_;
  pending_ = ticks < bits ? pending_ >> static_cast<unsigned>(ticks) : 0;
  for (auto tick = std::max(now_, time - bits); tick < time; ++tick) {
    credits_by_[ring_place(tick)] = credits_sent_;
  }
  now_ = time;
}

void UniformNetwork::run_tick() {
  pending_ &= ~bit(0);
  if (full_ways_ > 0 || credits_sent_ - credits_taken_ > most_credits_) take_credits();
  if (lasts_a_tick()) std::fill(busy_.begin(), busy_.end(), 0);
  auto* const due = due_.data() + ring_place(now_) * due_words_;
  take_arrivals(due);
  for (std::uint32_t word = 0; word < due_words_; ++word) {
    for (auto left = std::exchange(due[word], 0); left != 0; left &= left - 1) {
      auto const output = word * 64 + lowest(left);
      if (output < sources_.size()) {
        inject_next(output);
      } else {
        choose(output);
      }
    }
  }
  if (full_ways_ > 0) wait_for_credit();
}

[[gnu::always_inline]] inline void UniformNetwork::take_arrivals(std::uint64_t* due) {
  auto& arriving = arriving_[ring_place(now_)];
  for (auto const queue : arriving) {
    if (queues_[queue].arrived++ > 0) continue;
    auto const output = look_at_first(queue);
    due[output / 64] |= bit(output % 64);
  }
  arriving.clear();
}

/// Those that are known by now. That can wait until room is short.
void UniformNetwork::take_credits() {
  auto const known = credits_by_[ring_place(now_ - lags_.room)];
  for (; credits_taken_ < known; ++credits_taken_) {
    auto const queue = credits_[credits_taken_ & credit_mask_];
    if (queues_[queue].credits++ == 0) open(own_way_[queue]);
  }
}

/// Somebody does: the next one that is under way wakes the network.
void UniformNetwork::wait_for_credit() {
  credits_by_[ring_place(now_)] = credits_sent_;
  for (Tick ticks = 1; ticks <= lags_.room; ++ticks) {
    if (credits_by_[ring_place(now_ + ticks - lags_.room)] > credits_taken_) {
      return wake_after(ticks);
    }
  }
}

/// There is room again: what wants to go there may.
void UniformNetwork::open(std::uint32_t index) {
  auto& way = ways_[index];
  if (!way.is_full) return;
  way.is_full = false;
  --full_ways_;
  routers_[outputs_[way.output].router].blocked &= ~queues_for(way);
  mark_due(way.output, now_);
}

void UniformNetwork::close_if_full(Way& way) {
  take_credits();
  for (auto queue = way.first; queue <= way.last; ++queue) {
    if (queues_[queue].credits > 0) return;
  }
  way.is_full = true;
  ++full_ways_;
  routers_[outputs_[way.output].router].blocked |= queues_for(way);
}

/// Those whose first packets take a way. None if it is an endpoint's.
std::uint64_t UniformNetwork::queues_for(Way const& way) const {
  auto const& output = outputs_[way.output];
  std::uint64_t queues = 0;
  for (auto left = output.wanted; left != 0; left &= left - 1) {
    auto const rank = lowest(left);
    auto const& queue = queues_[routers_[output.router].first_queue + rank];
    if (&ways_[queue.way] == &way) queues |= bit(rank);
  }
  return queues;
}

/// The output that the first packet of a queue wants. It keeps its class if it stays in its lane
/// (arch::Interconnect::class_after).
[[gnu::always_inline]] inline std::uint32_t UniformNetwork::look_at_first(std::uint32_t index) {
  auto& queue = queues_[index];
  auto& router = routers_[queue.router];
  auto which = next_way_[queue.router * sources_.size() + passengers_[queue.first].destination];
  if (which == several) which = one_of_several(queue);
  queue.way = router.first_way + which;
  auto const& hop = ways_[queue.way];
  auto const stays = static_cast<std::uint32_t>(hop.lane == queue.lane);
  queue.way += stays * (std::uint32_t{queue.lane_class} - hop.vc_class);
  auto const& way = ways_[queue.way];
  auto const rank = index - router.first_queue;
  outputs_[way.output].wanted |= bit(rank);
  router.blocked |= std::uint64_t{way.is_full} << rank;
  return way.output;
}

std::uint8_t UniformNetwork::one_of_several(Queue const& queue) const {
  arch::VertexId const vertex{sources_.size() + queue.router};
  auto const hops =
      interconnect_->hops(vertex, arch::VertexId{passengers_[queue.first].destination});
  auto const& hop = hops.first[way_hash(packets_[queue.first].serial, vertex.index()) % hops.count];
  auto const way = first_way_[hop.channel] + hop.vc_class;
  return static_cast<std::uint8_t>(way - routers_[queue.router].first_way);
}

/// Once a tick: which are busy.
void UniformNetwork::look_at_ports(std::uint32_t index) {
  auto& router = routers_[index];
  if (router.looked == now_) return;
  router.looked = now_;
  router.free_again = never;
  busy_[index] = 0;
  for (std::uint32_t rank = 0; rank < router.queues; rank += spec_.virtual_channels) {
    auto const until = port_busy_until_[router.first_queue + rank];
    if (until <= now_) continue;
    busy_[index] |= port_mask_ << rank;
    router.free_again = std::min(router.free_again, until);
  }
}

/// Who lost, and who is next, may go when its wires are free again.
[[gnu::always_inline]] inline void UniformNetwork::choose(std::uint32_t index) {
  auto& output = outputs_[index];
  auto& router = routers_[output.router];
  auto free_again = now_ + lags_.free;
  if (!lasts_a_tick()) {
    look_at_ports(output.router);
    if (busy_until_[index] > now_) return mark_due(index, busy_until_[index]);
    free_again = std::min(free_again, router.free_again);
  }
  auto& busy = busy_[output.router];
  auto const may_go = output.wanted & ~router.blocked;
  auto const able = may_go & ~busy;
  if (able == 0) {
    if (may_go != 0) mark_due(index, free_again);
    return;
  }
  auto const rank = best_of(able, output, router);
  auto const from = router.first_queue + rank;
  auto const& queue = queues_[from];
  output.turn = static_cast<std::uint8_t>(rank + 1);
  output.wanted &= ~bit(rank);
  busy |= port_mask_ << queue.port_rank;
  if (!lasts_a_tick()) {
    busy_until_[index] = now_ + lags_.free;
    port_busy_until_[router.first_queue + queue.port_rank] = now_ + lags_.free;
  }
  if (may_go != bit(rank)) mark_due(index, now_ + lags_.free);
  start(from, output);
}

[[gnu::always_inline]] inline std::uint32_t UniformNetwork::best_of(std::uint64_t queues,
                                                                    Output const& output,
                                                                    Router const& router) const {
  if (spec_.arbitration == Arbitration::round_robin) return first_from(queues, output.turn);
  auto best = lowest(queues);
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  for (auto left = queues; left != 0; left &= left - 1) {
    auto const index = router.first_queue + lowest(left);
    auto const serial = packets_[queues_[index].first].serial;
    if (serial > oldest) continue;
    oldest = serial;
    best = lowest(left);
  }
  return best;
}

[[gnu::always_inline]] inline void UniformNetwork::start(std::uint32_t from, Output& output) {
  auto& queue = queues_[from];
  auto& way = ways_[queue.way];
  credits_[credits_sent_++ & credit_mask_] = from;
  auto const packet = take_first(queue);
  if (--queue.arrived > 0) mark_due(look_at_first(from), now_ + lags_.free);
  transmit(packet, output, way);
}

[[gnu::always_inline]] inline void UniformNetwork::append(Queue& queue, std::uint32_t packet) {
  auto const is_empty = queue.first == none;
  std::array<std::uint32_t*, 2> const places = {&passengers_[queue.last].next, &queue.first};
  *places[is_empty ? 1 : 0] = packet;
  queue.last = packet;
}

[[gnu::always_inline]] inline std::uint32_t UniformNetwork::take_first(Queue& queue) {
  auto const packet = queue.first;
  auto const next = passengers_[packet].next;
  queue.first = packet == queue.last ? none : next;
  return packet;
}

void UniformNetwork::inject_next(std::uint32_t endpoint) {
  auto& source = sources_[endpoint];
  if (source.is_empty() || !may_inject(endpoint)) return;
  inject(endpoint, source.pop(packets_));
  if (!source.is_empty()) mark_due(endpoint, busy_until_[endpoint]);
}

void UniformNetwork::inject(std::uint32_t endpoint, std::uint32_t packet) {
  packets_[packet].injected = now_;
  busy_until_[endpoint] = now_ + lags_.free;
  transmit(packet, outputs_[endpoint], ways_[endpoint]);
}

/// Last of all that a start does: the listener may send.
[[gnu::always_inline]] inline void UniformNetwork::tell_passage(Output const& output,
                                                                std::uint32_t tag) {
  if (!on_passage_) return;
  on_passage_({output.channel, tag, now_, now_ + lags_.free, true, packet_size_});
}

[[gnu::always_inline]] inline void UniformNetwork::transmit(std::uint32_t packet, Output& output,
                                                            Way& way) {
  ++output.packets;
  auto const tag = packets_[packet].tag;
  if (output.ends_at_endpoint) {
    deliver(packet);
    return tell_passage(output, tag);
  }
  auto const after = [&](std::uint32_t queue) { return queue == way.last ? way.first : queue + 1; };
  auto index = std::clamp(output.next_queue, way.first, way.last);
  if (queues_[index].credits == 0) take_credits();
  while (queues_[index].credits == 0) index = after(index);
  output.next_queue = after(index);
  auto& queue = queues_[index];
  append(queue, packet);
  ++passengers_[packet].hops;
  arriving_[ring_place(now_ + lags_.arrival)].push_back(index);
  wake_after(lags_.arrival);
  if (--queue.credits == 0) close_if_full(way);
  tell_passage(output, tag);
}

/// The last bit arrives after as long as upstream of a router waits for room.
[[gnu::always_inline]] inline void UniformNetwork::deliver(std::uint32_t packet) {
  auto delivery = packets_.remove(packet, now_ + lags_.room);
  delivery.hops = passengers_[packet].hops;
  out_->push_back(delivery);
  ++delivered_;
}

}  // namespace tessera::sim

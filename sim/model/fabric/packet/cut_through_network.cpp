// One wake-up per packet and hop; what a router does when it wakes is in cut_through_router.cpp.
#include "sim/model/fabric/packet/cut_through_network.hpp"

#include <algorithm>

#include "sim/model/fabric/packet/way_hash.hpp"

namespace tessera::sim {

namespace {

constexpr std::uint32_t least_slots = 1;  // of a queue in use

}  // namespace

CutThroughNetwork::CutThroughNetwork(arch::Interconnect const& interconnect, CutThroughSpec spec)
    : interconnect_{&interconnect},
      spec_{std::move(spec)},
      wakes_{interconnect.vertices()},
      sources_(interconnect.endpoints()),
      active_(interconnect.vertices()),
      best_(interconnect.channels().size()) {
  EXPECTS(spec_.virtual_channels >= interconnect.classes(), spec_.virtual_channels,
          interconnect.classes());
  EXPECTS(spec_.buffer_packets > 0 && spec_.pipeline >= 0, spec_.buffer_packets, spec_.pipeline);
  EXPECTS(spec_.switching != Switching::wormhole);
  EXPECTS(spec_.channels.size() == interconnect.channels().size(), spec_.channels.size());
  lay_out(interconnect);
}

void CutThroughNetwork::lay_out(arch::Interconnect const& interconnect) {
  auto const vcs = spec_.virtual_channels;
  auto const queues = interconnect.channels().size() * vcs;
  queues_.resize(queues);
  slots_.reserve(queues);  // memory that is not used is not touched
  channels_.reserve(interconnect.channels().size());
  for (auto const id : interconnect.channels().ids()) {
    auto const& channel = interconnect.channels()[id];
    auto const& timing = spec_.channels[id];
    EXPECTS(timing.ticks >= 0 && timing.units > 0, timing.ticks, timing.units);
    auto const is_half_duplex = timing.duplex == arch::Duplex::half;
    EXPECTS(timing.duplex == spec_.channels[interconnect.way_back(id)].duplex, id);
    EXPECTS(timing.ticks > 0 || !is_half_duplex, id);
    EXPECTS(timing.latency + spec_.pipeline > 0 || interconnect.is_endpoint(channel.from) ||
                interconnect.is_endpoint(channel.to),
            timing.latency, spec_.pipeline);
    auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                             [&](Kind const& known) { return known.timing == timing; });
    if (kind == kinds_.end()) kind = kinds_.insert(kind, {timing, 0, 0});
    ChannelState state;
    state.from = static_cast<std::uint32_t>(channel.from.index());
    state.to = static_cast<std::uint32_t>(channel.to.index());
    state.classes = channel.classes;
    state.lane = channel.lane;
    state.ends_at_endpoint = interconnect.is_endpoint(channel.to);
    state.kind = static_cast<std::uint32_t>(kind - kinds_.begin());
    state.latency = timing.latency;
    state.is_wide = timing.ticks == 0;
    state.is_way_out = state.is_wide && state.ends_at_endpoint;
    state.is_half_duplex = is_half_duplex;
    for (std::uint32_t vc = 0; vc < vcs; ++vc) {
      auto& queue = queues_[id.index() * vcs + vc];
      queue.port = static_cast<std::uint32_t>(id.index());
      queue.rank = active_[state.to].queues++;
      queue.vc_class = static_cast<std::uint8_t>(((vc + 1) * channel.classes - 1) / vcs);
      queue.class_end = queue.port * vcs + (queue.vc_class + 1U) * vcs / channel.classes;
    }
    channels_.push_back(state);
  }
  std::uint32_t first = 0;
  for (auto& active : active_) {
    active.first = first;
    first += active.queues;
  }
  active_queues_.resize(first);
  wanted_.reserve(channels_.size());
}

void CutThroughNetwork::set_size(Kind& kind, std::uint32_t size) {
  kind.size = size;
  kind.duration = tessera::detail::multiply_divide_ceil(size, kind.timing.ticks, kind.timing.units);
}

void CutThroughNetwork::send(Tick now, FabricPacket const& packet) {
  EXPECTS(packet.size > 0 && packet.destination < sources_.size(), packet.size, packet.destination);
  auto const index = packets_.add(now, sent_++, packet);
  auto& source = sources_.at(packet.source);
  if (source.is_empty()) {
    wakes_.set_at_most(packet.source,
                       std::max(now, channels_[injection(packet.source)].busy_until));
  }
  source.push(packets_, index);
}

void CutThroughNetwork::advance(Tick until, std::vector<FabricDelivery>& out) {
  out_ = &out;
  while (wakes_.next_time() < until) {
    auto const vertex = wakes_.pop();
    auto const now = wakes_.now();
    if (vertex < sources_.size()) {
      wake_endpoint(vertex, now);
    } else if (!std::exchange(active_[vertex].is_due, true)) {
      due_.push_back(vertex);
    }
    if (wakes_.next_time() > now) wake_due_routers(now);
    if (!asking_.empty() && wakes_.next_time() > now) serve_wires(now);
  }
  out_ = nullptr;
}

void CutThroughNetwork::wake_endpoint(std::uint32_t endpoint, Tick now) {
  auto& source = sources_[endpoint];
  if (source.is_empty()) return;
  auto const channel = injection(endpoint);
  auto const way = first_queue(channel, 0);
  auto const start = std::max(
      {now, packets_[source.first()].created, channels_[channel].busy_until, credit_at(way)});
  if (start > now) {
    if (start != never) wakes_.set(endpoint, start);
    return;
  }
  if (channels_[channel].is_half_duplex && !serves_wires_) return ask_for_wire(channel, now);
  auto const packet = source.pop(packets_);
  packets_[packet].injected = now;
  transmit(packet, channel, way, now);
  if (!source.is_empty()) wakes_.set(endpoint, channels_[channel].busy_until);
}

void CutThroughNetwork::transmit(std::uint32_t packet, std::uint32_t channel, std::uint32_t way,
                                 Tick now) {
  auto& output = channels_[channel];
  auto const size = packets_[packet].size;
  auto const taken = duration(output, size);
  output.busy_until = now + taken;
  if (output.is_half_duplex) take_wire(channel, output.busy_until);
  ++output.count.packets;
  output.count.units += size;
  output.count.busy += taken;
  if (on_passage_) {
    on_passage_({arch::ChannelId{channel}, packets_[packet].tag, now, now + taken, true, size});
  }
  if (output.ends_at_endpoint) {
    deliver(packet, now + taken + output.latency);
    return;
  }
  auto const last = queues_[way].class_end - 1;
  auto index = std::clamp(output.next_queue, way, last);
  while (queues_[index].credit > now) index = index == last ? way : index + 1;
  output.next_queue = index == last ? way : index + 1;
  enqueue(packet, index, now, taken);
}

/// Twice as many: the new ones are filled next, since what was emptied may not be known upstream.
void CutThroughNetwork::add_slots(Queue& queue) {
  auto const more = std::min(std::max(2 * queue.slots, least_slots), spec_.buffer_packets);
  auto const first = static_cast<std::uint32_t>(slots_.size());
  slots_.resize(first + more);
  for (std::uint32_t place = 0; place < queue.slots; ++place) {
    auto const& slot = slots_[queue.first + (queue.head + place) % queue.slots];
    slots_[first + (place < queue.count ? place : more - queue.slots + place)] = slot;
  }
  queue.first = first;
  queue.slots = more;
  queue.head = 0;
  queue.tail = queue.count;
}

CutThroughNetwork::Slot& CutThroughNetwork::fill_slot(Queue& queue, Tick now) {
  if (queue.slots == 0 || slots_[queue.first + queue.tail].credit_time > now) add_slots(queue);
  auto& slot = slots_[queue.first + queue.tail];
  slot.credit_time = never;
  queue.tail = queue.tail + 1 == queue.slots ? 0 : queue.tail + 1;
  auto const is_whole = queue.slots == spec_.buffer_packets;
  queue.credit = is_whole ? slots_[queue.first + queue.tail].credit_time : 0;
  return slot;
}

/// A packet that starts `now` upstream and whose bits take `taken` to arrive.
void CutThroughNetwork::enqueue(std::uint32_t packet, std::uint32_t index, Tick now, Tick taken) {
  auto& queue = queues_[index];
  auto const& port = channels_[queue.port];
  auto& it = packets_[packet];
  ++it.hops;
  auto const hops = interconnect_->hops(arch::VertexId{port.to}, arch::VertexId{it.destination});
  auto const& hop = hops.first[hops.count == 1 ? 0 : way_hash(it.serial, port.to) % hops.count];
  auto const channel = static_cast<std::uint32_t>(hop.channel.index());
  auto const& output = channels_[channel];
  auto const stays = output.lane != 0 && output.lane == port.lane;
  auto const slower = spec_.switching == Switching::store_and_forward ? taken
                      : output.kind == port.kind
                          ? 0
                          : std::max<Tick>(0, taken - duration(output, it.size));
  auto& slot = fill_slot(queue, now);
  slot.ready = now + port.latency + spec_.pipeline + slower;
  slot.packet = packet;
  slot.channel = channel;
  slot.way = first_queue(channel, stays ? queue.vc_class : hop.vc_class);
  if (queue.count++ > 0) return;
  show_head(queue, slot);
  auto& active = active_[port.to];
  queue.active = active.first + active.count++;
  active_queues_[queue.active] = index;
  active.next_arrival = std::min(active.next_arrival, slot.ready);
  wakes_.set_at_most(port.to, slot.ready);
}

void CutThroughNetwork::show_head(Queue& queue, Slot const& slot) {
  queue.ready = slot.ready;
  queue.channel = slot.channel;
  queue.way = slot.way;
}

/// The head leaves; its last bit is gone at `gone`.
void CutThroughNetwork::leave(std::uint32_t index, Tick gone) {
  auto& queue = queues_[index];
  auto const& port = channels_[queue.port];
  queue.head = queue.head + 1 == queue.slots ? 0 : queue.head + 1;
  if (gone + port.latency > wakes_.now()) {
    return_credit(queue, gone + port.latency);
  } else {
    returned_.push_back(index);
  }
  if (--queue.count > 0) {
    show_head(queue, slots_[queue.first + queue.head]);
  } else {
    fall_asleep(queue, active_[port.to]);
  }
}

/// Upstream may fill the slot before the head from `known` on. Packets that leave on several
/// channels at once may be gone in another order than they left: room is filled as it comes.
void CutThroughNetwork::return_credit(Queue& queue, Tick known) {
  auto const before = [&](std::uint32_t place) { return (place == 0 ? queue.slots : place) - 1; };
  auto& port = channels_[queue.port];
  auto place = before(queue.head);
  for (; port.is_wide && place != queue.tail; place = before(place)) {
    auto const earlier = slots_[queue.first + before(place)].credit_time;
    if (earlier <= known) break;
    slots_[queue.first + place].credit_time = earlier;
  }
  slots_[queue.first + place].credit_time = known;
  if (queue.slots == spec_.buffer_packets)
    queue.credit = slots_[queue.first + queue.tail].credit_time;
  if (port.upstream_waits || port.is_wide) {
    port.upstream_waits = false;
    wakes_.set_at_most(port.from, known);
  }
}

/// An empty queue is none of those of its router that are not.
void CutThroughNetwork::fall_asleep(Queue const& queue, Active& active) {
  auto place = queue.active;
  if (place < active.first + active.awake) {
    auto const last_awake = active.first + --active.awake;
    move_active(last_awake, place);
    place = last_awake;
  }
  auto const last = active.first + --active.count;
  if (place != last) move_active(last, place);
}

void CutThroughNetwork::deliver(std::uint32_t packet, Tick time) {
  out_->push_back(packets_.remove(packet, time));
  ++delivered_;
}

}  // namespace tessera::sim

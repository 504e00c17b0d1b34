#include "test/support/fabric/cut_through_twin.hpp"

#include <algorithm>
#include <array>

#include "sim/model/fabric/packet/way_hash.hpp"

namespace tessera::test {

namespace {

constexpr auto from_endpoint = static_cast<std::size_t>(-1);
constexpr auto nobody = static_cast<std::size_t>(-1);

}  // namespace

CutThroughTwin::CutThroughTwin(arch::Interconnect const& interconnect,
                               sim::CutThroughSpec const& spec)
    : interconnect_{&interconnect},
      spec_{spec},
      sources_(interconnect.endpoints()),
      queues_(interconnect.channels().size() * spec.virtual_channels),
      credits_(queues_.size(), spec.buffer_packets),
      outputs_(interconnect.channels().size()),
      port_busy_(outputs_.size(), false),
      turn_(outputs_.size(), 0),
      next_vc_(outputs_.size(), 0),
      wire_turn_(outputs_.size() / 2) {
  for (std::size_t wire = 0; wire < wire_turn_.size(); ++wire) wire_turn_[wire] = 2 * wire;
}

sim::Tick CutThroughTwin::flit_time(std::size_t channel) const {
  return spec_.channels[arch::ChannelId{channel}].ticks;
}

void CutThroughTwin::send(sim::Tick now, sim::FabricPacket const& packet) {
  sources_[packet.source].push_back(packets_.size());
  Packet it;
  it.it = packet;
  it.times.tag = packet.tag;
  it.times.created = now;
  it.serial = packets_.size();
  packets_.push_back(it);
}

void CutThroughTwin::step(std::vector<sim::FabricDelivery>& out) {
  out_ = &out;
  arrive();
  finish_transmissions();
  do {
    while (choose()) {
    }
  } while (choose_on_wires());
  send_flits();
  ++now_;
}

void CutThroughTwin::arrive() {
  for (auto it = flits_.begin(); it != flits_.end() && it->first <= now_; it = flits_.erase(it)) {
    auto& queue = queues_[it->second.queue];
    auto found = std::find_if(queue.begin(), queue.end(),
                              [&](auto const& b) { return b.packet == it->second.packet; });
    if (found == queue.end()) {
      enter(it->second.packet, it->second.queue, it->first);
      queues_[it->second.queue].back().arrived = 1;
    } else {
      ++found->arrived;
    }
  }
  take_credits();
}

void CutThroughTwin::take_credits() {
  for (auto it = back_.begin(); it != back_.end() && it->first <= now_; it = back_.erase(it)) {
    ++credits_[it->second];
  }
}

void CutThroughTwin::enter(std::size_t packet, std::size_t queue, sim::Tick first_arrived) {
  Buffered buffered;
  buffered.packet = packet;
  buffered.first_arrived = first_arrived;
  route(buffered, queue);
  queues_[queue].push_back(buffered);
  ++packets_[packet].times.hops;
}

void CutThroughTwin::route(Buffered& buffered, std::size_t queue) const {
  arch::ChannelId const port{queue / spec_.virtual_channels};
  auto const vc = queue % spec_.virtual_channels;
  auto const& channel = interconnect_->channels()[port];
  std::uint8_t vc_class = 0;
  while ((vc_class + 1U) * spec_.virtual_channels / channel.classes <= vc) ++vc_class;
  auto const& packet = packets_[buffered.packet];
  auto const hops = interconnect_->hops(channel.to, arch::VertexId{packet.it.destination});
  auto const& hop =
      hops.first[hops.count == 1 ? 0
                                 : sim::way_hash(packet.serial, channel.to.index()) % hops.count];
  buffered.channel = hop.channel.index();
  buffered.vc_class = interconnect_->class_after(port, vc_class, hop);
}

/// A packet whose last flit's time on the channel is over frees the channel, its input port and its
/// slot.
void CutThroughTwin::finish_transmissions() {
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    auto& output = outputs_[channel];
    if (!output.active) continue;
    auto const size = packets_[output.packet].it.size;
    if (output.sent < size || now_ < output.started + size * flit_time(channel)) continue;
    output.active = false;
    if (output.from_queue == from_endpoint) continue;
    auto const port = output.from_queue / spec_.virtual_channels;
    port_busy_[port] = false;
    if (is_wire(port)) queues_[output.from_queue].pop_front();
    back_.emplace(now_ + spec_.channels[arch::ChannelId{port}].latency, output.from_queue);
  }
  take_credits();  // one over a wire without latency is there at once
}

bool CutThroughTwin::has_room(std::size_t channel, std::uint8_t vc_class) const {
  auto const& it = interconnect_->channels()[arch::ChannelId{channel}];
  if (interconnect_->is_endpoint(it.to)) return true;
  for (std::size_t vc = vc_class * spec_.virtual_channels / it.classes;
       vc < (vc_class + 1U) * spec_.virtual_channels / it.classes; ++vc) {
    if (credits_[channel * spec_.virtual_channels + vc] > 0) return true;
  }
  return false;
}

bool CutThroughTwin::may_start(std::size_t queue, std::size_t channel) const {
  auto const port = queue / spec_.virtual_channels;
  if (queues_[queue].empty() || port_busy_[port]) return false;
  auto const& head = queues_[queue].front();
  if (head.packet != heads_[queue]) return false;
  if (head.channel != channel || !has_room(channel, head.vc_class)) return false;
  // The pipeline is over, and the bits still to come will be in time: the last must not be needed
  // before it is through the pipeline, too.
  auto const size = packets_[head.packet].it.size;
  if (spec_.switching == sim::Switching::store_and_forward &&
      now_ < head.first_arrived + size * flit_time(port) + spec_.pipeline) {
    return false;
  }
  auto const all_in = head.first_arrived + size * flit_time(port) + spec_.pipeline;
  return now_ >= head.first_arrived + spec_.pipeline && now_ + size * flit_time(channel) >= all_in;
}

/// Endpoints that are routers fill their queues; then each free output may choose a head, but no
/// packet that becomes one meanwhile. Did anything start?
bool CutThroughTwin::choose() {
  bool started = false;
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    auto const from = interconnect_->channels()[arch::ChannelId{channel}].from;
    while (!is_wire(channel) && interconnect_->is_endpoint(from) && inject(channel)) started = true;
  }
  look_at_heads();
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    if (is_free(channel) && !is_half_duplex(channel) && choose_for(channel)) started = true;
  }
  take_credits();
  return started;
}

/// A half-duplex wire that is free asks one end, and if that does not start the other one.
bool CutThroughTwin::choose_on_wires() {
  bool started = false;
  for (std::size_t wire = 0; wire < wire_turn_.size(); ++wire) {
    std::array<std::size_t, 2> ends = {2 * wire, 2 * wire + 1};
    if (!is_half_duplex(ends[0]) || !is_free(ends[0]) || !is_free(ends[1])) continue;
    if (wire_turn_[wire] == ends[1]) std::swap(ends[0], ends[1]);
    look_at_heads();
    if (choose_for(ends[0])) {
      wire_turn_[wire] = ends[1];
    } else if (choose_for(ends[1])) {
      wire_turn_[wire] = ends[0];
    } else {
      continue;
    }
    started = true;
  }
  return started;
}

void CutThroughTwin::look_at_heads() {
  heads_.assign(queues_.size(), nobody);
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    if (!queues_[queue].empty()) heads_[queue] = queues_[queue].front().packet;
  }
}

bool CutThroughTwin::inject(std::size_t channel) {
  auto const from = interconnect_->channels()[arch::ChannelId{channel}].from;
  if (sources_[from.index()].empty() || !has_room(channel, 0)) return false;
  auto const packet = sources_[from.index()].front();
  sources_[from.index()].pop_front();
  packets_[packet].times.injected = now_;
  begin(packet, channel, 0, from_endpoint);
  return true;
}

bool CutThroughTwin::choose_for(std::size_t channel) {
  auto const from = interconnect_->channels()[arch::ChannelId{channel}].from;
  if (!interconnect_->is_endpoint(from)) return choose_for_router(channel);
  return is_wire(channel) && inject(channel);
}

bool CutThroughTwin::choose_for_router(std::size_t channel) {
  auto const router = interconnect_->channels()[arch::ChannelId{channel}].from;
  std::vector<std::size_t> candidates;
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    arch::ChannelId const port{queue / spec_.virtual_channels};
    if (interconnect_->channels()[port].to == router && may_start(queue, channel)) {
      candidates.push_back(queue);
    }
  }
  if (candidates.empty()) return false;
  auto chosen = candidates.front();
  if (spec_.arbitration == sim::Arbitration::oldest_first) {
    chosen = *std::min_element(candidates.begin(), candidates.end(), [&](auto a, auto b) {
      return packets_[queues_[a].front().packet].serial <
             packets_[queues_[b].front().packet].serial;
    });
  } else {
    auto const after = std::lower_bound(candidates.begin(), candidates.end(), turn_[channel]);
    if (after != candidates.end()) chosen = *after;
  }
  turn_[channel] = chosen + 1;
  auto const head = queues_[chosen].front();
  auto const port = chosen / spec_.virtual_channels;
  port_busy_[port] = is_wire(port) && is_wire(channel);
  if (!is_wire(port) || !is_wire(channel)) queues_[chosen].pop_front();
  begin(head.packet, channel, head.vc_class, chosen);
  return true;
}

void CutThroughTwin::begin(std::size_t packet, std::size_t channel, std::uint8_t vc_class,
                           std::size_t queue) {
  if (!is_wire(channel)) return pass_at_once(packet, channel, vc_class, queue);
  auto& output = outputs_[channel];
  output = {true, packet, queue, 0, now_, 0};
  auto const& it = interconnect_->channels()[arch::ChannelId{channel}];
  if (!interconnect_->is_endpoint(it.to)) output.to_queue = reserve(channel, vc_class);
}

/// The queue that it goes to.
std::size_t CutThroughTwin::reserve(std::size_t channel, std::uint8_t vc_class) {
  auto const vcs = spec_.virtual_channels;
  auto const classes = interconnect_->channels()[arch::ChannelId{channel}].classes;
  auto const first = static_cast<std::size_t>(vc_class * vcs / classes);
  auto const count = (vc_class + 1U) * vcs / classes - first;
  auto vc = next_vc_[channel] < first           ? first
            : next_vc_[channel] < first + count ? next_vc_[channel]
                                                : first + count - 1;
  while (credits_[channel * vcs + vc] == 0) vc = first + (vc - first + 1) % count;
  --credits_[channel * vcs + vc];
  next_vc_[channel] = first + (vc - first + 1) % count;
  return channel * vcs + vc;
}

/// From an endpoint into the router that it is, or out of it.
void CutThroughTwin::pass_at_once(std::size_t packet, std::size_t channel, std::uint8_t vc_class,
                                  std::size_t queue) {
  if (queue == from_endpoint) {
    enter(packet, reserve(channel, vc_class), now_);
    return;
  }
  auto const port = queue / spec_.virtual_channels;
  back_.emplace(now_ + spec_.channels[arch::ChannelId{port}].latency, queue);
  packets_[packet].times.delivered = now_;
  out_->push_back(packets_[packet].times);
}

/// A packet that cuts through must not run out of flits.
void CutThroughTwin::expect_there(Transmission const& output) const {
  if (output.from_queue == from_endpoint || !is_wire(output.from_queue / spec_.virtual_channels)) {
    return;
  }
  auto const& head = queues_[output.from_queue].front();
  ENSURES(head.packet == output.packet && output.sent < head.arrived, output.sent, head.arrived);
}

void CutThroughTwin::send_flits() {
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    auto& output = outputs_[channel];
    if (!output.active) continue;
    auto& packet = packets_[output.packet];
    if (output.sent == packet.it.size ||
        now_ != output.started + output.sent * flit_time(channel)) {
      continue;
    }
    expect_there(output);
    ++output.sent;
    auto const tail = output.sent == packet.it.size;
    auto const latency = spec_.channels[arch::ChannelId{channel}].latency;
    if (!interconnect_->is_endpoint(interconnect_->channels()[arch::ChannelId{channel}].to)) {
      flits_.emplace(now_ + latency, Flit{output.packet, output.to_queue, channel, tail});
    } else if (tail) {
      packet.times.delivered = now_ + flit_time(channel) + latency;
      out_->push_back(packet.times);
    }
  }
}

}  // namespace tessera::test

#include "test/support/fabric/cut_through_twin.hpp"

#include <algorithm>
#include <array>

#include "sim/model/fabric/way_hash.hpp"

namespace tessera::test {

namespace {

constexpr auto from_endpoint = static_cast<std::size_t>(-1);

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
  arrive();
  finish_transmissions();
  choose();
  send_flits(out);
  ++now_;
}

void CutThroughTwin::arrive() {
  for (auto it = flits_.begin(); it != flits_.end() && it->first <= now_; it = flits_.erase(it)) {
    auto& queue = queues_[it->second.queue];
    auto found = std::find_if(queue.begin(), queue.end(),
                              [&](auto const& b) { return b.packet == it->second.packet; });
    if (found == queue.end()) {
      Buffered buffered;
      buffered.packet = it->second.packet;
      buffered.first_arrived = now_;
      route(buffered, it->second.queue);
      queue.push_back(buffered);
      ++packets_[buffered.packet].times.hops;
      found = queue.end() - 1;
    }
    ++found->arrived;
  }
  for (auto it = back_.begin(); it != back_.end() && it->first <= now_; it = back_.erase(it)) {
    ++credits_[it->second];
  }
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
    queues_[output.from_queue].pop_front();
    back_.emplace(now_ + spec_.channels[arch::ChannelId{port}].latency, output.from_queue);
  }
  // A credit over a wire without latency is there at once.
  for (auto it = back_.begin(); it != back_.end() && it->first <= now_; it = back_.erase(it)) {
    ++credits_[it->second];
  }
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

/// A half-duplex wire that is free asks one end, and if that does not start the other one.
void CutThroughTwin::choose() {
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    if (is_free(channel) && !is_half_duplex(channel)) choose_for(channel);
  }
  for (std::size_t wire = 0; wire < wire_turn_.size(); ++wire) {
    std::array<std::size_t, 2> ends = {2 * wire, 2 * wire + 1};
    if (!is_half_duplex(ends[0]) || !is_free(ends[0]) || !is_free(ends[1])) continue;
    if (wire_turn_[wire] == ends[1]) std::swap(ends[0], ends[1]);
    choose_for(ends[0]);
    if (is_free(ends[0])) choose_for(ends[1]);
    if (!is_free(ends[0])) wire_turn_[wire] = ends[1];
    if (!is_free(ends[1])) wire_turn_[wire] = ends[0];
  }
}

void CutThroughTwin::choose_for(std::size_t channel) {
  auto const from = interconnect_->channels()[arch::ChannelId{channel}].from;
  if (!interconnect_->is_endpoint(from)) {
    choose_for_router(channel);
  } else if (!sources_[from.index()].empty() && has_room(channel, 0)) {
    auto const packet = sources_[from.index()].front();
    sources_[from.index()].pop_front();
    packets_[packet].times.injected = now_;
    begin(packet, channel, 0, from_endpoint);
  }
}

void CutThroughTwin::choose_for_router(std::size_t channel) {
  auto const router = interconnect_->channels()[arch::ChannelId{channel}].from;
  std::vector<std::size_t> candidates;
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    arch::ChannelId const port{queue / spec_.virtual_channels};
    if (interconnect_->channels()[port].to == router && may_start(queue, channel)) {
      candidates.push_back(queue);
    }
  }
  if (candidates.empty()) return;
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
  port_busy_[chosen / spec_.virtual_channels] = true;
  begin(head.packet, channel, head.vc_class, chosen);
}

void CutThroughTwin::begin(std::size_t packet, std::size_t channel, std::uint8_t vc_class,
                           std::size_t queue) {
  auto& output = outputs_[channel];
  output = {true, packet, queue, 0, now_, 0};
  auto const& it = interconnect_->channels()[arch::ChannelId{channel}];
  if (interconnect_->is_endpoint(it.to)) return;
  auto const vcs = spec_.virtual_channels;
  auto const first = static_cast<std::size_t>(vc_class * vcs / it.classes);
  auto const count = (vc_class + 1U) * vcs / it.classes - first;
  auto vc = next_vc_[channel] < first           ? first
            : next_vc_[channel] < first + count ? next_vc_[channel]
                                                : first + count - 1;
  while (credits_[channel * vcs + vc] == 0) vc = first + (vc - first + 1) % count;
  --credits_[channel * vcs + vc];
  next_vc_[channel] = first + (vc - first + 1) % count;
  output.to_queue = channel * vcs + vc;
}

void CutThroughTwin::send_flits(std::vector<sim::FabricDelivery>& out) {
  for (std::size_t channel = 0; channel < outputs_.size(); ++channel) {
    auto& output = outputs_[channel];
    if (!output.active) continue;
    auto& packet = packets_[output.packet];
    if (output.sent == packet.it.size ||
        now_ != output.started + output.sent * flit_time(channel)) {
      continue;
    }
    ++output.sent;
    auto const tail = output.sent == packet.it.size;
    auto const latency = spec_.channels[arch::ChannelId{channel}].latency;
    if (!interconnect_->is_endpoint(interconnect_->channels()[arch::ChannelId{channel}].to)) {
      flits_.emplace(now_ + latency, Flit{output.packet, output.to_queue, channel, tail});
    } else if (tail) {
      packet.times.delivered = now_ + flit_time(channel) + latency;
      out.push_back(packet.times);
    }
  }
}

}  // namespace tessera::test

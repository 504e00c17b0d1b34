// The cycle, and the flits and credits between routers; what a router does in its cycle is in wormhole_router.cpp.
#include "sim/model/fabric/packet/wormhole_network.hpp"

#include <algorithm>

#include "sim/model/fabric/packet/bit_set.hpp"

namespace tessera::sim {

using detail::bit;
using detail::lowest;

bool WormholeNetwork::takes(arch::Interconnect const& interconnect,
                            std::uint32_t virtual_channels) {
  IdVector<arch::VertexId, std::size_t> inputs{interconnect.vertices()};
  auto most = std::size_t{0};
  for (auto const& channel : interconnect.channels()) {
    if (!interconnect.is_endpoint(channel.to)) most = std::max(most, ++inputs[channel.to]);
  }
  return most * virtual_channels <= most_virtual_channels &&
         virtual_channels >= interconnect.classes() && !interconnect.has_half_duplex();
}

WormholeNetwork::WormholeNetwork(arch::Interconnect const& interconnect, WormholeSpec const& spec)
    : interconnect_{&interconnect},
      spec_{spec},
      vcs_{spec.virtual_channels},
      counts_{interconnect.channels().size()} {
  EXPECTS(takes(interconnect, vcs_), vcs_);
  EXPECTS(spec_.buffer_flits > 0 && spec_.credit_delay >= 0, spec_.buffer_flits,
          spec_.credit_delay);
  EXPECTS(spec_.pipeline >= least_wormhole_pipeline, spec_.pipeline);
  EXPECTS(spec_.latency.size() == interconnect.channels().size(), spec_.latency.size());
  lay_out();
}

void WormholeNetwork::lay_out() {
  auto const& net = *interconnect_;
  auto const channels = net.channels().size();
  inputs_.resize(channels * vcs_);
  outputs_.resize(channels * vcs_);
  buffers_.resize(channels * vcs_ * spec_.buffer_flits);
  want_.assign(channels * net.classes(), 0);
  grants_.assign(channels * vcs_, 0);
  routers_.resize(net.vertices());
  sources_.resize(net.endpoints());
  Tick longest = 0;
  for (auto const id : net.channels().ids()) {
    auto const& channel = net.channels()[id];
    auto const index = static_cast<std::uint32_t>(id.index());
    ChannelState state;
    state.from = static_cast<std::uint32_t>(channel.from.index());
    state.to = static_cast<std::uint32_t>(channel.to.index());
    state.from_endpoint = net.is_endpoint(channel.from);
    state.to_endpoint = net.is_endpoint(channel.to);
    state.classes = channel.classes;
    state.latency = static_cast<std::uint32_t>(spec_.latency[id]);
    state.stages = static_cast<std::uint32_t>(
        state.to_endpoint ? 0 : spec_.pipeline - least_wormhole_pipeline);
    state.free = static_cast<std::uint32_t>(bit(vcs_) - 1);
    state.input_number = static_cast<std::uint32_t>(routers_[state.to].inputs.size());
    state.output_number = static_cast<std::uint32_t>(routers_[state.from].outputs.size());
    routers_[state.to].inputs.push_back(index);
    routers_[state.from].outputs.push_back(index);
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      auto& input = inputs_[index * vcs_ + vc];
      input.port = index;
      input.bit = static_cast<std::uint8_t>(state.input_number * vcs_ + vc);
      input.own_class = static_cast<std::uint8_t>(((vc + 1) * channel.classes - 1) / vcs_);
      outputs_[index * vcs_ + vc].credits = spec_.buffer_flits;
    }
    if (state.from_endpoint) sources_[state.from].channel = index;
    longest = std::max(longest, spec_.latency[id] + state.stages);
    channels_.push_back(state);
  }
  std::size_t ring = 1;
  while (ring <= static_cast<std::size_t>(longest + spec_.credit_delay + 2)) ring *= 2;
  arrivals_.resize(ring);
  awake_routers_.resize(net.vertices() / 64 + 1);
  next_routers_.resize(awake_routers_.size());
  awake_sources_.resize(net.endpoints() / 64 + 1);
}

void WormholeNetwork::mark(std::vector<std::uint64_t>& set, std::size_t index) const {
  set[index / 64] |= bit(static_cast<std::uint32_t>(index % 64));
}

void WormholeNetwork::send(Tick now, FabricPacket const& packet) {
  EXPECTS(now >= now_ && now <= next_event(), now, now_);
  EXPECTS(packet.size > 0 && packet.destination < sources_.size(), packet.size, packet.destination);
  now_ = now;
  auto const index = packets_.add(now, sent_++, packet);
  auto& source = sources_.at(packet.source);
  if (source.packets.is_empty()) wake_source(packet.source);
  source.packets.push(packets_, index);
}

Tick WormholeNetwork::next_event() {
  if (is_awake()) return now_;
  if (in_flight_ == 0) return never;
  auto next = now_;
  while (at(next).flits.empty() && at(next).credits.empty()) ++next;
  return next;
}

/// Cycles in which nothing arrives, no source may send and no router is awake change nothing.
void WormholeNetwork::advance(Tick until, std::vector<FabricDelivery>& out) {
  out_ = &out;
  for (auto next = next_event(); next < until; next = next_event()) {
    now_ = next;
    cycle();
  }
  if (until != never) now_ = std::max(now_, until);
  out_ = nullptr;
}

void WormholeNetwork::cycle() {
  take_arrivals();
  for (std::size_t word = 0; word < awake_sources_.size(); ++word) {
    for (auto set = awake_sources_[word]; set != 0; set &= set - 1) {
      inject(static_cast<std::uint32_t>(word * 64) + lowest(set));
    }
  }
  for (std::size_t word = 0; word < awake_routers_.size(); ++word) {
    for (auto set = awake_routers_[word]; set != 0; set &= set - 1) {
      auto const router = word * 64 + lowest(set);
      if (run_router(routers_[router])) mark(next_routers_, router);
    }
    awake_routers_[word] = 0;
  }
  awake_routers_.swap(next_routers_);
  ++now_;
  ENSURES(in_flight_ > 0 || is_empty() || is_awake(), now_);  // or nothing would ever move again
}

bool WormholeNetwork::is_awake() const {
  auto const is_any = [](std::uint64_t set) { return set != 0; };
  return std::any_of(awake_routers_.begin(), awake_routers_.end(), is_any) ||
         std::any_of(awake_sources_.begin(), awake_sources_.end(), is_any);
}

void WormholeNetwork::take_arrivals() {
  auto& arrivals = after(0);
  in_flight_ -= arrivals.flits.size() + arrivals.credits.size();
  for (auto const& arriving : arrivals.flits) take_flit(arriving);
  for (auto const output : arrivals.credits) take_credit(output);
  arrivals.flits.clear();
  arrivals.credits.clear();
}

void WormholeNetwork::take_flit(ArrivingFlit const& arriving) {
  auto& input = inputs_[arriving.input];
  auto const& port = channels_[input.port];
  if (port.to_endpoint) {
    eject(arriving);
    return;
  }
  auto place = input.head + input.count;
  if (place >= spec_.buffer_flits) place -= spec_.buffer_flits;
  buffers_[arriving.input * spec_.buffer_flits + place] = arriving.flit;
  if (++input.count > 1) return;
  if (input.state == Input::State::idle) {
    ask_for_channel(arriving.input);
  } else {
    request_switch(arriving.input);
  }
}

void WormholeNetwork::take_credit(std::uint32_t output) {
  auto& it = outputs_[output];
  auto const& channel = channels_[output / vcs_];
  if (++it.credits > 1) return;
  if (channel.from_endpoint) {
    if (!sources_[channel.from].packets.is_empty()) wake_source(channel.from);
    return;
  }
  auto const free = (channel.free >> (output % vcs_)) & 1U;
  if (free == 0) request_switch(it.holder);
}

void WormholeNetwork::eject(ArrivingFlit const& arriving) {
  auto const channel = arriving.input / vcs_;
  after(1 + channels_[channel].latency + spec_.credit_delay).credits.push_back(arriving.input);
  ++in_flight_;
  if (!arriving.flit.tail) return;
  out_->push_back(packets_.remove(arriving.flit.packet, now_));
  ++delivered_;
}

/// Finds a virtual channel for the next packet: the first after the last one that is free and not
/// full.
bool WormholeNetwork::choose_injection(Source& source) {
  auto const& channel = channels_[source.channel];
  for (std::uint32_t step = 1; step <= vcs_; ++step) {
    auto const vc = (source.last_vc + step) % vcs_;
    if ((channel.free >> vc & 1U) == 0 || outputs_[source.channel * vcs_ + vc].credits == 0)
      continue;
    source.last_vc = vc;
    return true;
  }
  return false;
}

void WormholeNetwork::inject(std::uint32_t endpoint) {
  auto& source = sources_[endpoint];
  auto& packet = packets_[source.packets.first()];
  auto& channel = channels_[source.channel];
  auto const is_head = source.left == 0;
  if (is_head) {
    if (!choose_injection(source)) return let_source_sleep(endpoint);
    source.left = packet.size;
    packet.injected = now_;
    channel.free &= ~static_cast<std::uint32_t>(bit(source.last_vc));
  }
  auto const output = source.channel * vcs_ + source.last_vc;
  if (outputs_[output].credits == 0) return let_source_sleep(endpoint);
  auto const is_tail = --source.left == 0;
  send_flit(output, {source.packets.first(), is_head, is_tail}, 1);
  if (!is_tail) return;
  source.packets.pop(packets_);
  if (source.packets.is_empty()) let_source_sleep(endpoint);
}

/// Until a packet or a credit comes.
void WormholeNetwork::let_source_sleep(std::uint32_t endpoint) {
  awake_sources_[endpoint / 64] &= ~bit(endpoint % 64);
}

/// Sends a flit into a virtual channel; the last one frees it.
void WormholeNetwork::send_flit(std::uint32_t output, Flit flit, Tick delay) {
  auto const index = output / vcs_;
  auto& channel = channels_[index];
  --outputs_[output].credits;
  if (flit.tail) channel.free |= static_cast<std::uint32_t>(bit(output % vcs_));
  auto& packet = packets_[flit.packet];
  if (flit.head && !channel.to_endpoint) ++packet.hops;
  after(delay + channel.latency + channel.stages).flits.push_back({output, flit});
  ++in_flight_;
  auto& count = counts_[arch::ChannelId{index}];
  ++count.units;
  ++count.busy;
  if (flit.tail) ++count.packets;
  if (!on_passage_) return;
  auto const begin = now_ + delay - 1;  // a router's flits cross the switch before
  on_passage_({arch::ChannelId{index}, packet.tag, begin, begin + 1, flit.tail,
               flit.tail ? packet.bytes : 0});
}

}  // namespace tessera::sim

// The two allocators of a router, for virtual channels and for the switch. Sets of inputs and outputs are the bits of a word, so a
// cycle of a router is a few operations per flit that moves.
#include <utility>

#include "sim/model/fabric/packet/bit_set.hpp"
#include "sim/model/fabric/packet/way_hash.hpp"
#include "sim/model/fabric/packet/wormhole_network.hpp"

namespace tessera::sim {

using detail::bit;
using detail::first_from;
using detail::lowest;

/// Of a set of a router's inputs the one whose packet is oldest. Requires one.
std::uint32_t WormholeNetwork::oldest(Router const& router, std::uint64_t inputs) const {
  auto const rank = [&](std::uint32_t number) {
    return age_rank(router.inputs[number / vcs_] * vcs_ + number % vcs_);
  };
  auto best = lowest(inputs);
  for (auto set = inputs & (inputs - 1); set != 0; set &= set - 1) {
    if (rank(lowest(set)) < rank(best)) best = lowest(set);
  }
  return best;
}

/// Of a set of outputs that granted a port, the one to which its oldest packet goes.
std::uint32_t WormholeNetwork::oldest_output(Router const& router, std::uint32_t port_number,
                                             std::uint64_t outputs) const {
  auto const of_port = (bit(vcs_) - 1) << (port_number * vcs_);
  std::uint64_t asking = 0;
  for (auto set = outputs; set != 0; set &= set - 1) {
    asking |= channels_[router.outputs[lowest(set)]].requests & of_port;
  }
  auto const number = oldest(router, asking);
  return channels_[inputs_[router.inputs[number / vcs_] * vcs_ + number % vcs_].channel]
      .output_number;
}

/// The head at the front of an input looks up where it goes, and waits for a virtual channel.
void WormholeNetwork::ask_for_channel(std::uint32_t index) {
  auto& input = inputs_[index];
  auto const& flit = buffers_[index * spec_.buffer_flits + input.head];
  auto const router = channels_[input.port].to;
  auto const& packet = packets_[flit.packet];
  auto const hops = interconnect_->hops(arch::VertexId{router}, arch::VertexId{packet.destination});
  auto const& hop = hops.first[hops.count == 1 ? 0 : way_hash(packet.serial, router) % hops.count];
  input.vc_class = interconnect_->class_after(arch::ChannelId{input.port}, input.own_class, hop);
  input.channel = static_cast<std::uint32_t>(hop.channel.index());
  input.state = Input::State::waiting;
  want_[input.channel * interconnect_->classes() + input.vc_class] |= bit(input.bit);
  ++channels_[input.channel].waiting;
  routers_[router].wanted |= bit(channels_[input.channel].output_number);
  mark(awake_routers_, router);
}

/// An active input asks for the switch if it has a flit and a credit.
void WormholeNetwork::request_switch(std::uint32_t index) {
  auto const& input = inputs_[index];
  if (input.count == 0 || outputs_[input.output].credits == 0) return;
  auto& channel = channels_[input.channel];
  channel.requests |= bit(input.bit);
  routers_[channel.from].requested |= bit(channel.output_number);
  mark(awake_routers_, channel.from);
}

void WormholeNetwork::withdraw(std::uint32_t index) {
  auto const& input = inputs_[index];
  auto& channel = channels_[input.channel];
  channel.requests &= ~bit(input.bit);
  if (channel.requests == 0) routers_[channel.from].requested &= ~bit(channel.output_number);
}

/// A cycle of a router; true when something moved, so that the next one may differ.
bool WormholeNetwork::run_router(Router& router) {
  activated_.clear();
  if (router.wanted != 0) allocate_channels(router);
  auto const moved = router.requested != 0 && allocate_switch(router);
  for (auto const input : activated_) {
    inputs_[input].state = Input::State::active;
    request_switch(input);
  }
  return moved || !activated_.empty();
}

/// iSLIP between waiting inputs and free virtual channels: grants, then each input accepts one.
void WormholeNetwork::allocate_channels(Router& router) {
  granted_.clear();
  for (auto wanted = router.wanted; wanted != 0; wanted &= wanted - 1) {
    grant_channels(router, router.outputs[lowest(wanted)]);
  }
  auto const all = static_cast<std::uint32_t>(router.inputs.size()) * vcs_;
  auto const outputs = static_cast<std::uint32_t>(router.outputs.size()) * vcs_;
  for (auto const index : granted_) {
    auto& input = inputs_[index];
    auto& channel = channels_[input.channel];
    auto const first = channel.output_number * vcs_;
    auto const pointer = input.pointer > first ? input.pointer - first : 0;
    auto const vc = first_from(std::exchange(grants_[index], 0), pointer);
    input.output = input.channel * vcs_ + vc;
    input.pointer = (first + vc + 1) % outputs;
    auto& output = outputs_[input.output];
    output.pointer = (input.bit + 1U) % all;
    output.holder = index;
    channel.free &= ~static_cast<std::uint32_t>(bit(vc));
    want_[input.channel * interconnect_->classes() + input.vc_class] &= ~bit(input.bit);
    if (--channel.waiting == 0) router.wanted &= ~bit(channel.output_number);
    activated_.push_back(index);
  }
}

void WormholeNetwork::grant_channels(Router& router, std::uint32_t channel) {
  auto const& state = channels_[channel];
  for (auto free = state.free; free != 0; free &= free - 1) {
    auto const vc = lowest(free);
    auto const vc_class = ((vc + 1) * state.classes - 1) / vcs_;
    auto const want = want_[channel * interconnect_->classes() + vc_class];
    if (want == 0) continue;
    auto const number = goes_by_age() ? oldest(router, want)
                                      : first_from(want, outputs_[channel * vcs_ + vc].pointer);
    auto const input = router.inputs[number / vcs_] * vcs_ + number % vcs_;
    if (grants_[input] == 0) granted_.push_back(input);
    grants_[input] |= static_cast<std::uint32_t>(bit(vc));
  }
}

/// iSLIP between input ports and outputs; true when a flit moved.
bool WormholeNetwork::allocate_switch(Router& router) {
  std::uint64_t inputs = 0;
  auto const group = bit(vcs_) - 1;
  for (auto requested = router.requested; requested != 0; requested &= requested - 1) {
    auto const output = lowest(requested);
    auto const& channel = channels_[router.outputs[output]];
    std::uint64_t asking = 0;
    for (auto set = channel.requests; set != 0;) {
      auto const input = lowest(set) / vcs_;
      asking |= bit(input);
      set &= ~(group << (input * vcs_));
    }
    auto const input = goes_by_age() ? oldest(router, channel.requests) / vcs_
                                     : first_from(asking, channel.grant_pointer);
    granted_outputs_[input] |= bit(output);
    inputs |= bit(input);
  }
  auto const moved = inputs != 0;
  for (; inputs != 0; inputs &= inputs - 1) {
    auto const input = lowest(inputs);
    auto const port = router.inputs[input];
    auto const granted = std::exchange(granted_outputs_[input], 0);
    auto const output = goes_by_age() ? oldest_output(router, input, granted)
                                      : first_from(granted, channels_[port].accept_pointer);
    auto const channel = router.outputs[output];
    channels_[port].accept_pointer =
        output + 1 == static_cast<std::uint32_t>(router.outputs.size()) ? 0 : output + 1;
    channels_[channel].grant_pointer =
        input + 1 == static_cast<std::uint32_t>(router.inputs.size()) ? 0 : input + 1;
    traverse(port, channel);
  }
  return moved;
}

/// The switch is set from an input port to a channel: one of the port's inputs sends a flit.
void WormholeNetwork::traverse(std::uint32_t port, std::uint32_t channel) {
  auto& in = channels_[port];
  auto const asking = channels_[channel].requests >> (in.input_number * vcs_) & (bit(vcs_) - 1);
  auto const vc = goes_by_age() ? oldest(routers_[in.to], asking << (in.input_number * vcs_)) % vcs_
                                : first_from(asking, in.vc_pointer);
  in.vc_pointer = vc + 1 == vcs_ ? 0 : vc + 1;
  auto const index = port * vcs_ + vc;
  auto& input = inputs_[index];
  auto const flit = buffers_[index * spec_.buffer_flits + input.head];
  input.head = input.head + 1 == spec_.buffer_flits ? 0 : input.head + 1;
  --input.count;
  send_flit(input.output, flit, 2);
  after(1 + in.latency + (in.from_endpoint ? 0 : spec_.credit_delay)).credits.push_back(index);
  ++in_flight_;
  if (flit.tail || input.count == 0 || outputs_[input.output].credits == 0) withdraw(index);
  if (!flit.tail) return;
  input.state = Input::State::idle;
  if (input.count > 0) ask_for_channel(index);
}

}  // namespace tessera::sim

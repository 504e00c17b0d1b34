// From a file's routers and wires to the figures of a model.
#include "sim/model/fabric/packet/make_network.hpp"

#include <algorithm>

#include "sim/model/fabric/packet/circuit_network.hpp"
#include "sim/model/fabric/packet/uniform_network.hpp"

namespace tessera::sim {

namespace {

[[nodiscard]] Bandwidth fastest_of(arch::Interconnect const& interconnect) {
  Bandwidth fastest{0};
  for (auto const& channel : interconnect.channels()) {
    if (!channel.is_internal) fastest = std::max(fastest, channel.wire.bandwidth);
  }
  return fastest;
}

/// Everything but the channels.
[[nodiscard]] CutThroughSpec spec_of(arch::PacketSpec const& packets) {
  CutThroughSpec spec;
  spec.virtual_channels = static_cast<std::uint32_t>(packets.router.virtual_channels);
  spec.buffer_packets = static_cast<std::uint32_t>(packets.router.buffer_packets);
  spec.pipeline = packets.router.pipeline.value();
  spec.arbitration = packets.router.arbitration;
  spec.switching = packets.switching;
  return spec;
}

}  // namespace

CutThroughSpec wired_network(arch::PacketSpec const& packets,
                             arch::Interconnect const& interconnect) {
  auto spec = spec_of(packets);
  spec.channels = wire_timing(interconnect);
  return spec;
}

CutThroughSpec clocked_network(arch::PacketSpec const& packets,
                               arch::Interconnect const& interconnect) {
  auto const fastest = fastest_of(interconnect);
  auto spec = spec_of(packets);
  spec.pipeline = arch::flit_cycles(packets.router.pipeline, packets.flit, fastest);
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) {
      spec.channels.push_back({0, 1, 0});
    } else {
      auto const& wire = channel.wire;
      spec.channels.push_back({fastest.value(), wire.bandwidth.value(),
                               arch::flit_cycles(wire.latency, packets.flit, fastest),
                               wire.duplex});
    }
  }
  return spec;
}

WormholeSpec wormhole_network(arch::PacketSpec const& packets,
                              arch::Interconnect const& interconnect) {
  auto const cycles = [&, wire = fastest_of(interconnect)](Time time) {
    return arch::flit_cycles(time, packets.flit, wire);
  };
  WormholeSpec spec;
  spec.virtual_channels = static_cast<std::uint32_t>(packets.router.virtual_channels);
  spec.buffer_flits = static_cast<std::uint32_t>(packets.buffer_flits());
  spec.pipeline = std::max(least_wormhole_pipeline, cycles(packets.router.pipeline));
  spec.arbitration = packets.router.arbitration;
  for (auto const& channel : interconnect.channels()) {
    spec.latency.push_back(channel.is_internal ? 0 : cycles(channel.wire.latency));
  }
  return spec;
}

TickClock flit_clock(arch::PacketSpec const& packets, arch::Interconnect const& interconnect) {
  return {packets.flit.value() * 8 * picoseconds_per_second, fastest_of(interconnect).value()};
}

double cycle_seconds(arch::PacketSpec const& packets, arch::Interconnect const& interconnect) {
  return static_cast<double>(packets.flit.value() * 8) /
         static_cast<double>(fastest_of(interconnect).value());
}

NetworkModels builtin_network_models() {
  NetworkModels models{"model of routers"};
  models.add<CircuitNetwork>("circuit", "a packet has all links of its way at once");
  return models;
}

WiredNetwork make_wired_network(NetworkParts const& parts, NetworkModels const& models) {
  auto const& [packets, interconnect] = parts;
  if (packets.model) return {make_model(models, *packets.model, parts)};
  if (packets.switching == Switching::wormhole) {
    return {
        std::make_unique<WormholeNetwork>(interconnect, wormhole_network(packets, interconnect)),
        flit_clock(packets, interconnect), packets.flit};
  }
  return {std::make_unique<CutThroughNetwork>(interconnect, wired_network(packets, interconnect))};
}

std::unique_ptr<PacketNetwork> make_clocked_network(arch::PacketSpec const& packets,
                                                    arch::Interconnect const& interconnect,
                                                    std::uint32_t packet_flits) {
  if (packets.switching == Switching::wormhole) {
    return std::make_unique<WormholeNetwork>(interconnect, wormhole_network(packets, interconnect));
  }
  return make_cut_through_network(interconnect, clocked_network(packets, interconnect),
                                  packet_flits);
}

std::unique_ptr<PacketNetwork> make_cut_through_network(arch::Interconnect const& interconnect,
                                                        CutThroughSpec const& spec,
                                                        std::uint32_t packet_size) {
  if (UniformNetwork::takes(interconnect, spec, packet_size)) {
    return std::make_unique<UniformNetwork>(interconnect, spec, packet_size);
  }
  return std::make_unique<CutThroughNetwork>(interconnect, spec);
}

}  // namespace tessera::sim

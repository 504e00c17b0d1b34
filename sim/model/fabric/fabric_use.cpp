#include "sim/model/fabric/fabric_use.hpp"

#include <algorithm>

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
[[nodiscard]] CutThroughSpec spec_of(arch::RouterSpec const& router) {
  CutThroughSpec spec;
  spec.virtual_channels = static_cast<std::uint32_t>(router.virtual_channels);
  spec.buffer_packets = static_cast<std::uint32_t>(router.buffer_packets);
  spec.pipeline = router.pipeline.value();
  return spec;
}

}  // namespace

arch::InterconnectCounts counts_of(arch::Interconnect const& interconnect,
                                   IdVector<arch::ChannelId, ChannelTiming> const& channels,
                                   FabricUse const& use, FabricUnits const& units) {
  arch::InterconnectCounts counts;
  for (auto const id : interconnect.channels().ids()) {
    auto const& channel = interconnect.channels()[id];
    auto const carried = use.channels[id].units;
    if (!interconnect.is_endpoint(channel.from)) {
      counts.flits_through_routers += tessera::detail::multiply_divide_ceil(carried, 1, units.flit);
    }
    if (channel.is_internal) continue;
    auto const& timing = channels[id];
    auto const room = tessera::detail::multiply_divide_ceil(use.end, timing.units, timing.ticks);
    counts.bits_over_links += carried * units.bits;
    auto on_wire = carried;
    if (timing.duplex == arch::Duplex::half) {
      auto const back = arch::Interconnect::way_back(id);
      if (back < id) continue;  // the room of their wire counts once
      on_wire += use.channels[back].units;
    }
    counts.idle_bits += std::max<std::int64_t>(0, room - on_wire) * units.bits;
  }
  return counts;
}

CutThroughSpec wired_network(arch::RouterSpec const& router,
                             arch::Interconnect const& interconnect) {
  auto spec = spec_of(router);
  spec.channels = wire_timing(interconnect);
  return spec;
}

CutThroughSpec clocked_network(arch::InterconnectSpec const& fabric,
                               arch::Interconnect const& interconnect) {
  auto const fastest = fastest_of(interconnect).value();
  auto const flit = fabric.flit.value() * 8 * picoseconds_per_second;
  auto const cycles = [&](Time time) {
    return tessera::detail::multiply_divide_ceil(time.value(), fastest, flit);
  };
  auto spec = spec_of(fabric.packets.router);
  spec.pipeline = cycles(fabric.packets.router.pipeline);
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) {
      spec.channels.push_back({0, 1, 0});
    } else {
      auto const& wire = channel.wire;
      spec.channels.push_back({fastest, wire.bandwidth.value(), cycles(wire.latency), wire.duplex});
    }
  }
  return spec;
}

double cycle_seconds(arch::InterconnectSpec const& fabric, arch::Interconnect const& interconnect) {
  return static_cast<double>(fabric.flit.value() * 8) /
         static_cast<double>(fastest_of(interconnect).value());
}

}  // namespace tessera::sim

// Small arrays with round numbers, for runs whose times can be worked out by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "arch/array/array_spec.hpp"

namespace tessera::sim {

/// 1 GHz everywhere (1 clock = 1000 ps), one MAC per cycle, lanes of 8 Gb/s (1 byte per ns), link
/// latency 5 ns, ideal memory.
[[nodiscard]] inline arch::ArraySpec small_array(
    std::int64_t accelerators,
    arch::FabricSpec::Topology topology = arch::FabricSpec::Topology::htree) {
  arch::ArraySpec array;
  array.name = "small";
  array.accelerators = accelerators;
  array.groups = {{accelerators, {Frequency{1'000'000'000}, arch::MacRateUnitSpec{}, {}, {}}}};
  array.fabric.topology = topology;
  array.fabric.clock = Frequency{1'000'000'000};
  array.fabric.latency = Time{5'000};
  array.fabric.link_bandwidth = Bandwidth{8'000'000'000};
  array.energy.multiply = Energy{4e-12};
  array.energy.add = Energy{1e-12};
  array.energy.buffer_access = Energy{5e-12};
  array.energy.memory_access = Energy{640e-12};
  array.energy.link_word = Energy{100e-12};
  return array;
}

/// The same on a network: "mesh:4x4"; accelerators are their routers, except in trees and stars.
[[nodiscard]] inline arch::ArraySpec small_network(std::string const& topology) {
  auto spec = arch::topology_from(topology, {Bandwidth{8'000'000'000}, Time{5'000}});
  if (spec.kind != arch::TopologySpec::Kind::dragonfly) spec.port.reset();
  auto array = small_array(static_cast<std::int64_t>(spec.endpoints()));
  array.fabric.topology = arch::FabricSpec::Topology::network;
  array.fabric.graph = std::make_shared<arch::Interconnect const>(spec);
  return array;
}

/// The same in packets of 64 bytes and a header, through routers with a pipeline of one clock.
[[nodiscard]] inline arch::ArraySpec small_packets(std::string const& topology,
                                                   Bytes header = Bytes{0}) {
  auto array = small_network(topology);
  arch::RouterSpec router;
  router.pipeline = Time{1'000};
  router.virtual_channels = 2;
  router.buffer_packets = 4;
  array.fabric.packets = arch::PacketSpec{Bytes{64}, header, router};
  return array;
}

/// The same flit by flit, 4 bytes in a cycle of 4 ns; links of 5 ns take two of them, routers
/// three.
[[nodiscard]] inline arch::ArraySpec small_wormhole(std::string const& topology,
                                                    Bytes header = Bytes{0}) {
  auto array = small_packets(topology, header);
  auto& packets = *array.fabric.packets;
  packets.switching = arch::Switching::wormhole;
  packets.flit = Bytes{4};
  packets.router.virtual_channels = std::max<std::int64_t>(2, array.fabric.graph->classes());
  packets.router.buffer_flits = 16;
  return array;
}

}  // namespace tessera::sim

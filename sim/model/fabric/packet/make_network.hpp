// Networks as files describe them: the one place that chooses a model for arrays, probes, suites and the bench.
#pragma once

#include <memory>

#include "sim/model/fabric/packet/cut_through_network.hpp"
#include "sim/model/fabric/packet/tick_clock.hpp"
#include "sim/model/fabric/packet/wormhole_network.hpp"
#include "sim/model/protocol/model_registry.hpp"

namespace tessera::sim {

/// Those routers on those wires, in picoseconds and bytes. Not of wormhole switching.
[[nodiscard]] CutThroughSpec wired_network(arch::PacketSpec const& packets,
                                           arch::Interconnect const& interconnect);

/// The same in flits and cycles, of which the fastest link takes one per flit. Latencies are
/// rounded up to whole cycles.
[[nodiscard]] CutThroughSpec clocked_network(arch::PacketSpec const& packets,
                                             arch::Interconnect const& interconnect);

/// Wormhole routers, which know flits and cycles only; latencies likewise.
[[nodiscard]] WormholeSpec wormhole_network(arch::PacketSpec const& packets,
                                            arch::Interconnect const& interconnect);

/// The cycle in which the fastest link takes a flit.
[[nodiscard]] TickClock flit_clock(arch::PacketSpec const& packets,
                                   arch::Interconnect const& interconnect);

/// How long such a cycle is, in seconds.
[[nodiscard]] double cycle_seconds(arch::PacketSpec const& packets,
                                   arch::Interconnect const& interconnect);

/// What the routers of an array's file are built with. Sizes of their packets are in bytes, times
/// in picoseconds. Both outlive them.
struct NetworkParts {
  arch::PacketSpec const& packets;
  arch::Interconnect const& interconnect;
};

using NetworkModels = ModelRegistry<PacketNetwork, NetworkParts>;
/// Those that an array's file may name in its `switching`.
[[nodiscard]] NetworkModels builtin_network_models();

/// A network in time, as arrays have it.
struct WiredNetwork {
  std::unique_ptr<PacketNetwork> network;
  TickClock clock = {};
  Bytes unit{1};  ///< in which it counts the sizes of packets: a byte or a flit
};

/// Empty, for packets of any size; keeps references to its parts. Throws ConfigError for routers
/// that are none of `models`, and for keys that are wrong.
[[nodiscard]] WiredNetwork make_wired_network(
    NetworkParts const& parts, NetworkModels const& models = builtin_network_models());

/// The same model in flits and cycles, for packets of so many flits each.
[[nodiscard]] std::unique_ptr<PacketNetwork> make_clocked_network(
    arch::PacketSpec const& packets, arch::Interconnect const& interconnect,
    std::uint32_t packet_flits);

/// For packets of one size the fastest of the implementations that take them; the times are the
/// same.
[[nodiscard]] std::unique_ptr<PacketNetwork> make_cut_through_network(
    arch::Interconnect const& interconnect, CutThroughSpec const& spec, std::uint32_t packet_size);

}  // namespace tessera::sim

// A fabric as a file: topology, routers and the energy of its events. The schema is tessera.interconnect/1; arch/presets/fabrics shows
// every key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/interconnect/interconnect.hpp"
#include "arch/interconnect/topology_rule.hpp"
#include "arch/interconnect/topology_spec.hpp"

namespace tessera::arch {

struct RouterSpec {
  Time pipeline{0};  ///< from a packet's first bit in to its first bit out
  std::int64_t virtual_channels = 2;
  std::int64_t buffer_packets = 4;  ///< of a virtual channel
  Paths paths = Paths::one;
};

/// A network that carries packets, and has credits for them.
struct PacketSpec {
  Bytes packet{256};  ///< the data of the largest; messages are cut into such
  Bytes header{0};    ///< that every packet carries besides, tail included
  RouterSpec router;
};

/// Energy of one event.
struct InterconnectEnergy {
  Energy router_flit{0};  ///< a flit through a router: buffer, crossbar, arbiter
  Energy link_bit{0};     ///< a bit over a link
  Energy idle_bit{0};     ///< the time of a bit on an idle link, whose SerDes goes on running
};

struct InterconnectSpec {
  std::string name;
  std::string description;
  Bytes flit{16};
  TopologySpec topology;
  PacketSpec packets;
  InterconnectEnergy energy;
};

/// What a run counted on its wires and in its routers.
struct InterconnectCounts {
  std::int64_t flits_through_routers = 0;
  std::int64_t bits_over_links = 0;
  std::int64_t idle_bits = 0;  ///< that links could have carried meanwhile
};
[[nodiscard]] Energy energy_of(InterconnectCounts const& counts, InterconnectEnergy const& each);

/// A fabric with its graph, which is connected and free of deadlock.
struct Fabric {
  InterconnectSpec spec;
  Interconnect interconnect;
};

/// Reads a fabric by path or preset name, and builds its graph. Throws ConfigError only, also for a
/// graph that is not connected, is too large, or has too few virtual channels for its routing.
[[nodiscard]] Fabric load_fabric(std::string const& name_or_path,
                                 std::vector<std::string> const& overrides = {});
[[nodiscard]] std::vector<BuiltinEntry> builtin_interconnects();

/// The keys `packet`, `header` and `router` of a fabric, here or in an array's file.
[[nodiscard]] PacketSpec packets_from(ConfigMap& fabric);
void write_packets(ConfigNode& fabric, PacketSpec const& packets);

/// The graph of a fabric's `topology`, with those routers. Throws ConfigError like load_fabric().
[[nodiscard]] Interconnect interconnect_with(ConfigMap& fabric, TopologySpec const& topology,
                                             RouterSpec const& router);

/// Why that many virtual channels are too few for an interconnect's routing, and which channels
/// would wait for each other; empty when they are not.
[[nodiscard]] std::string virtual_channel_problem(Interconnect const& interconnect,
                                                  std::int64_t virtual_channels);

}  // namespace tessera::arch

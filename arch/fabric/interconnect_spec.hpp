// A fabric as a file: topology, routers and the energy of its events. The schema is tessera.interconnect/1; arch/presets/fabrics shows
// every key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/base/model_choice.hpp"
#include "arch/fabric/interconnect.hpp"
#include "arch/fabric/topology_rule.hpp"
#include "arch/fabric/topology_spec.hpp"

namespace tessera::arch {

/// When a packet goes on to the next router, and what there must be room for.
enum class Switching : std::uint8_t {
  cut_through,  ///< when its first bit is there, into room for all of it (Kermani and Kleinrock
                ///< 1979)
  store_and_forward,  ///< when its last bit is there, into room for all of it
  wormhole,           ///< flit by flit, into room for a flit (Dally 1992)
};

/// As files and command lines call them.
[[nodiscard]] std::vector<std::pair<std::string, Switching>> const& switchings();

/// Who goes first when several packets want the same channel.
enum class Arbitration : std::uint8_t {
  round_robin,
  oldest_first,  ///< by the time of creation, then by the order of sending
};

[[nodiscard]] std::vector<std::pair<std::string, Arbitration>> const& arbitrations();

struct RouterSpec {
  /// From a packet's first bit in to its first bit out. Of wormhole switching at least three cycles
  /// (virtual channel, switch, crossing), of a flit each.
  Time pipeline{0};
  std::int64_t virtual_channels = 2;
  std::int64_t buffer_packets = 4;  ///< of a virtual channel
  /// Of a virtual channel with wormhole switching, in place of `buffer_packets` of the largest.
  std::optional<std::int64_t> buffer_flits = {};
  Arbitration arbitration = Arbitration::round_robin;
  Paths paths = Paths::one;
};

/// A network that carries packets, and has credits for them.
struct PacketSpec {
  Bytes packet{256};  ///< the data of the largest; messages are cut into such
  Bytes header{0};    ///< that every packet carries besides, tail included
  RouterSpec router;
  Switching switching = Switching::cut_through;
  Bytes flit{16};  ///< what a link of wormhole switching carries in a cycle
  /// Routers that somebody added, in place of `switching`; `router` is theirs to use.
  std::optional<ModelChoice> model = {};

  /// Flits of so many bytes.
  [[nodiscard]] std::int64_t flits(Bytes bytes) const {
    return tessera::detail::multiply_divide_ceil(bytes.value(), 1, flit.value());
  }
  /// Flits that a virtual channel of wormhole switching has room for.
  [[nodiscard]] std::int64_t buffer_flits() const {
    return router.buffer_flits.value_or(router.buffer_packets * flits(packet + header));
  }
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
/// The file behind load_fabric(), not read yet.
[[nodiscard]] ConfigNode interconnect_config(std::string const& name_or_path,
                                             std::vector<std::string> const& overrides = {});
/// The keys of a fabric beside its topology, every one written out.
[[nodiscard]] ConfigNode to_config(InterconnectSpec const& spec, ConfigNode const& topology);
[[nodiscard]] std::vector<BuiltinEntry> builtin_interconnects();

/// The keys `packet`, `header`, `flit` and `router` of a fabric, here or in an array's file. What
/// is of another switching may stand there, so that a file can be tried with each of them.
[[nodiscard]] PacketSpec packets_from(ConfigMap& fabric, Switching switching);
/// The same of routers that somebody added, which need no `router` and have no `flit`.
[[nodiscard]] PacketSpec packets_from(ConfigMap& fabric, ModelChoice model);
void write_packets(ConfigNode& fabric, PacketSpec const& packets);

/// The graph of a fabric's `topology`, with those routers. Throws ConfigError like load_fabric().
[[nodiscard]] Interconnect interconnect_with(ConfigMap& fabric, TopologySpec const& topology,
                                             PacketSpec const& packets);

/// The most virtual channels that all inputs, or outputs, of a wormhole router have together: its
/// allocators work on sets of so many.
inline constexpr std::int64_t most_wormhole_channels = 64;

/// How many cycles such a time lasts in which a wire carries a flit each, rounded up.
[[nodiscard]] std::int64_t flit_cycles(Time time, Bytes flit, Bandwidth wire);

/// What keeps wormhole routers from an interconnect; empty when nothing does.
[[nodiscard]] std::string wormhole_problem(Interconnect const& interconnect,
                                           PacketSpec const& packets);

/// Why that many virtual channels are too few for an interconnect's routing, and which channels
/// would wait for each other; empty when they are not.
[[nodiscard]] std::string virtual_channel_problem(Interconnect const& interconnect,
                                                  std::int64_t virtual_channels);

}  // namespace tessera::arch

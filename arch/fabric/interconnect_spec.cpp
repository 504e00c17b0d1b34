// Reading of tessera.interconnect/1.
#include "arch/fabric/interconnect_spec.hpp"

#include <algorithm>
#include <limits>

#include "arch/base/config_name.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr std::int64_t most_buffer_flits = 65536;
constexpr std::int64_t most_hop_cycles = std::int64_t{1} << 20;
constexpr std::int64_t most = 4096;  ///< of virtual channels, and of packets or flits in a buffer

Names<Paths> const path_choices = {{"one", Paths::one}, {"equal-cost", Paths::equal_cost}};

[[nodiscard]] std::int64_t count(ConfigMap& map, std::string const& key) {
  auto const value = map.required<std::int64_t>(key);
  if (value < 1 || value > most) {
    throw map.node(key).error("must be from 1 to " + std::to_string(most));
  }
  return value;
}

[[nodiscard]] RouterSpec read_router(ConfigMap map, Switching switching) {
  RouterSpec router;
  bool const has_flits = map.find("buffer_flits") != nullptr;
  bool const goes_by_flits = switching == Switching::wormhole && has_flits;
  map.require({"pipeline", "virtual_channels", goes_by_flits ? "buffer_flits" : "buffer_packets"},
              {"buffer_packets", "buffer_flits", "arbitration", "paths"});
  router.pipeline = map.required<Time>("pipeline");
  router.virtual_channels = count(map, "virtual_channels");
  if (map.find("buffer_packets") != nullptr) router.buffer_packets = count(map, "buffer_packets");
  if (has_flits) router.buffer_flits = count(map, "buffer_flits");
  router.arbitration = map.choice<Arbitration>("arbitration", arbitrations(), router.arbitration);
  router.paths = map.choice<Paths>("paths", path_choices, router.paths);
  map.finish();
  if (switching != Switching::wormhole) router.buffer_flits.reset();
  return router;
}

/// Can a packet be at the next router in the instant in which it came to one?
[[nodiscard]] bool has_hop_without_time(Interconnect const& interconnect,
                                        RouterSpec const& router) {
  auto const& channels = interconnect.channels();
  return router.pipeline == Time{0} &&
         std::any_of(channels.begin(), channels.end(), [&](Channel const& channel) {
           return channel.wire.latency == Time{0} && !interconnect.is_endpoint(channel.from) &&
                  !interconnect.is_endpoint(channel.to);
         });
}

[[nodiscard]] bool has_unlimited_link(Interconnect const& interconnect) {
  auto const& channels = interconnect.channels();
  return std::any_of(channels.begin(), channels.end(), [](Channel const& channel) {
    return !channel.is_internal && channel.wire.bandwidth == unlimited_bandwidth;
  });
}

[[nodiscard]] bool has_lanes(Interconnect const& interconnect) {
  auto const& channels = interconnect.channels();
  return std::any_of(channels.begin(), channels.end(),
                     [](Channel const& channel) { return channel.wire.lanes > 1; });
}

/// Wires' only: inside of a node there is none.
[[nodiscard]] bool has_links_of_several_rates(Interconnect const& interconnect) {
  std::optional<Bandwidth> first;
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) continue;
    if (first.value_or(channel.wire.bandwidth) != channel.wire.bandwidth) return true;
    first = channel.wire.bandwidth;
  }
  return false;
}

/// Through a router, or over a link.
[[nodiscard]] std::int64_t longest_hop_cycles(Interconnect const& interconnect,
                                              PacketSpec const& packets) {
  std::int64_t longest = 0;
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) continue;
    auto const slowest = std::max(channel.wire.latency, packets.router.pipeline);
    longest = std::max(longest, flit_cycles(slowest, packets.flit, channel.wire.bandwidth));
  }
  return longest;
}

/// Inputs of the router that has most; each has an output that leads back.
[[nodiscard]] std::int64_t most_ports(Interconnect const& interconnect) {
  IdVector<VertexId, std::int64_t> inputs{interconnect.vertices()};
  std::int64_t most_inputs = 0;
  for (auto const& channel : interconnect.channels()) {
    if (!interconnect.is_endpoint(channel.to)) {
      most_inputs = std::max(most_inputs, ++inputs[channel.to]);
    }
  }
  return most_inputs;
}

[[nodiscard]] InterconnectEnergy read_energy(ConfigMap map) {
  map.require({"router_flit", "link_bit", "idle_bit"});
  InterconnectEnergy const energy{map.required<Energy>("router_flit"),
                                  map.required<Energy>("link_bit"),
                                  map.required<Energy>("idle_bit")};
  map.finish();
  return energy;
}

[[nodiscard]] std::vector<BuiltinConfig> fabric_files() {
  return files_in("fabrics", preset_files());
}

/// Of a size whose time at a bit per second still counts in picoseconds.
[[nodiscard]] Bytes flit_of(ConfigMap& map) {
  Bytes const largest{1 << 20};
  auto const flit = positive<Bytes>(map, "flit");
  if (flit > largest) throw map.node("flit").error("is more than 1 MiB (no flit is that large)");
  return flit;
}

/// Of the largest packet.
void read_sizes(ConfigMap& fabric, PacketSpec& packets) {
  Bytes const largest{std::numeric_limits<std::uint32_t>::max()};
  packets.packet = positive<Bytes>(fabric, "packet");
  packets.header = fabric.optional<Bytes>("header", packets.header);
  if (packets.packet > largest) {
    throw fabric.node("packet").error("is 4 GiB or more (no packet is that large)");
  }
  if (packets.header > largest - packets.packet) {
    throw fabric.node("header").error("makes packets of 4 GiB or more (no packet is that large)");
  }
}

/// That its routers stay free of deadlock, and have what their switching needs.
void check_routers(ConfigMap& fabric, Interconnect const& interconnect, PacketSpec const& packets) {
  auto const& router = packets.router;
  auto const problem = virtual_channel_problem(interconnect, router.virtual_channels);
  auto node = fabric.node("router").as_map();
  if (!problem.empty()) throw node.node("virtual_channels").error(problem);
  if (packets.switching == Switching::wormhole) {
    auto const reason = wormhole_problem(interconnect, packets);
    if (!reason.empty()) throw fabric.node("topology").error(reason);
  } else if (has_hop_without_time(interconnect, router)) {
    throw node.node("pipeline")
        .error("is zero, and so is the latency of a link between routers (a hop must take time)");
  }
}

[[nodiscard]] InterconnectSpec read_fabric(ConfigMap map) {
  map.expect_schema("tessera.interconnect/1", "a fabric",
                    {"name", "flit", "packet", "topology", "router", "energy"});
  InterconnectSpec spec;
  spec.name = read_name(map.node("name"));
  spec.description = map.optional<std::string>("description", {});
  spec.packets =
      packets_from(map, map.choice<Switching>("switching", switchings(), spec.packets.switching));
  spec.topology = topology_from(map.node("topology"));
  spec.energy = read_energy(map.node("energy").as_map());
  map.finish();
  return spec;
}

}  // namespace

Energy energy_of(InterconnectCounts const& counts, InterconnectEnergy const& each) {
  return counts.flits_through_routers * each.router_flit + counts.bits_over_links * each.link_bit +
         counts.idle_bits * each.idle_bit;
}

ConfigNode interconnect_config(std::string const& name_or_path,
                               std::vector<std::string> const& overrides) {
  return load_config({"fabric", "fabric", fabric_files(), {}, "tessera list fabrics"}, name_or_path,
                     overrides);
}

ConfigNode to_config(InterconnectSpec const& spec, ConfigNode const& topology) {
  auto energy = ConfigNode::map();
  energy.add("router_flit", to_text(spec.energy.router_flit))
      .add("link_bit", to_text(spec.energy.link_bit))
      .add("idle_bit", to_text(spec.energy.idle_bit));
  auto node = ConfigNode::map();
  node.add("schema", "tessera.interconnect/1")
      .add("name", spec.name)
      .add("description", spec.description)
      .add("topology", topology);
  write_packets(node, spec.packets);
  if (spec.packets.switching != Switching::wormhole) node.add("flit", to_text(spec.packets.flit));
  return node.add("energy", std::move(energy));
}

Fabric load_fabric(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  auto const node = interconnect_config(name_or_path, overrides);
  auto spec = read_fabric(node.as_map());
  auto map = node.as_map();
  auto interconnect = interconnect_with(map, spec.topology, spec.packets);
  return {std::move(spec), std::move(interconnect)};
}

std::vector<std::pair<std::string, Switching>> const& switchings() {
  static std::vector<std::pair<std::string, Switching>> const all = {
      {"cut-through", Switching::cut_through},
      {"store-and-forward", Switching::store_and_forward},
      {"wormhole", Switching::wormhole}};
  return all;
}

std::vector<std::pair<std::string, Arbitration>> const& arbitrations() {
  static std::vector<std::pair<std::string, Arbitration>> const all = {
      {"round-robin", Arbitration::round_robin}, {"oldest-first", Arbitration::oldest_first}};
  return all;
}

PacketSpec packets_from(ConfigMap& fabric, Switching switching) {
  PacketSpec packets;
  packets.switching = switching;
  fabric.require(switching == Switching::wormhole ? Keys{"packet", "flit", "router"}
                                                  : Keys{"packet", "router"},
                 {"header", "flit"});
  read_sizes(fabric, packets);
  if (fabric.find("flit") != nullptr) packets.flit = flit_of(fabric);
  packets.router = read_router(fabric.node("router").as_map(), switching);
  if (switching == Switching::wormhole && packets.buffer_flits() > most_buffer_flits) {
    throw fabric.node("router").error(
        "has room for " + std::to_string(packets.buffer_flits()) +
        " flits in each virtual channel (wormhole routers have at most " +
        std::to_string(most_buffer_flits) + "); use a smaller buffer_packets, or buffer_flits");
  }
  return packets;
}

PacketSpec packets_from(ConfigMap& fabric, ModelChoice model) {
  PacketSpec packets;
  packets.model = std::move(model);
  fabric.require({"packet"}, {"header", "flit", "router"});
  read_sizes(fabric, packets);
  if (fabric.find("flit") != nullptr) packets.flit = flit_of(fabric);
  if (auto const* const node = fabric.find("router")) {
    packets.router = read_router(node->as_map(), packets.switching);
  }
  return packets;
}

void write_packets(ConfigNode& fabric, PacketSpec const& packets) {
  auto router = ConfigNode::map();
  router.add("pipeline", to_text(packets.router.pipeline))
      .add("virtual_channels", std::to_string(packets.router.virtual_channels));
  if (auto const flits = packets.router.buffer_flits) {
    router.add("buffer_flits", std::to_string(*flits));
  } else {
    router.add("buffer_packets", std::to_string(packets.router.buffer_packets));
  }
  router.add("arbitration", name_of(arbitrations(), packets.router.arbitration))
      .add("paths", name_of(path_choices, packets.router.paths));
  auto const switching = packets.model
                             ? to_config(*packets.model)
                             : ConfigNode::scalar(name_of(switchings(), packets.switching));
  fabric.add("switching", switching)
      .add("packet", to_text(packets.packet))
      .add("header", to_text(packets.header));
  if (packets.switching == Switching::wormhole) fabric.add("flit", to_text(packets.flit));
  fabric.add("router", std::move(router));
}

Interconnect interconnect_with(ConfigMap& fabric, TopologySpec const& topology,
                               PacketSpec const& packets) {
  auto interconnect = interconnect_at(fabric.node("topology"), topology, packets.router.paths);
  if (has_unlimited_link(interconnect)) {
    throw fabric.node("topology")
        .error(
            "has links of unlimited bandwidth (packets take turns on a link); give it a bandwidth");
  }
  if (has_lanes(interconnect)) {
    throw fabric.node("topology")
        .error(
            "has links of several lanes, which are for whole messages (packets take turns on a "
            "link); leave 'lanes' out");
  }
  if (topology.half_way == HalfWay::both) {
    throw fabric.node("topology")
        .as_map()
        .node("half_way")
        .error(
            "is for whole messages, which are cut in two; let packets choose with router.paths: "
            "equal-cost");
  }
  if (!packets.model) check_routers(fabric, interconnect, packets);
  return interconnect;
}

std::int64_t flit_cycles(Time time, Bytes flit, Bandwidth wire) {
  return tessera::detail::multiply_divide_ceil(time.value(), wire.value(),
                                               flit.value() * 8 * picoseconds_per_second);
}

std::string wormhole_problem(Interconnect const& interconnect, PacketSpec const& packets) {
  if (interconnect.has_half_duplex()) {
    return "has half-duplex links, but wormhole routers carry flits both ways at once; use "
           "switching cut-through";
  }
  if (has_links_of_several_rates(interconnect)) {
    return "has links of several bandwidths, but each carries a flit per cycle with wormhole "
           "switching; give them one bandwidth, or use switching cut-through";
  }
  auto const longest = longest_hop_cycles(interconnect, packets);
  if (longest > most_hop_cycles) {
    return "has a hop of " + std::to_string(longest) + " cycles of a flit, more than " +
           std::to_string(most_hop_cycles) + "; use larger flits, or switching cut-through";
  }
  auto const virtual_channels = packets.router.virtual_channels;
  auto const ports = most_ports(interconnect);
  if (ports * virtual_channels <= most_wormhole_channels) return {};
  auto const fitting = most_wormhole_channels / ports;
  return "has a router of " + std::to_string(ports) + " ports with " +
         std::to_string(virtual_channels) + " virtual channels each, but wormhole routers have " +
         std::to_string(most_wormhole_channels) + " in all; use " +
         (fitting >= interconnect.classes() ? std::to_string(fitting) + " or fewer, or " : "") +
         "switching cut-through";
}

std::string virtual_channel_problem(Interconnect const& interconnect,
                                    std::int64_t virtual_channels) {
  auto const needed = std::to_string(interconnect.classes());
  if (virtual_channels >= interconnect.classes()) return {};
  auto const circle = interconnect.find_deadlock(virtual_channels);
  return std::to_string(virtual_channels) +
         (virtual_channels == 1 ? " is too few" : " are too few") +
         " (the routing of this topology keeps " + needed + " classes of packets apart" +
         (circle.empty() ? "" : "; in fewer virtual channels they deadlock: " + circle) +
         "); use " + needed + " or more";
}

std::vector<BuiltinEntry> builtin_interconnects() { return described_once<fabric_files>(); }

}  // namespace tessera::arch

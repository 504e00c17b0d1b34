// Reading of tessera.interconnect/1.
#include "arch/interconnect/interconnect_spec.hpp"

#include <algorithm>
#include <limits>

#include "arch/base/config_name.hpp"
#include "arch/config_words.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr std::int64_t most = 4096;  ///< of virtual channels and packets in a buffer

Names<Paths> const path_choices = {{"one", Paths::one}, {"equal-cost", Paths::equal_cost}};

[[nodiscard]] std::int64_t count(ConfigMap& map, std::string const& key) {
  auto const value = map.required<std::int64_t>(key);
  if (value < 1 || value > most) {
    throw map.node(key).error("must be from 1 to " + std::to_string(most));
  }
  return value;
}

[[nodiscard]] RouterSpec read_router(ConfigMap map) {
  RouterSpec router;
  map.require({"pipeline", "virtual_channels", "buffer_packets"}, {"paths"});
  router.pipeline = map.required<Time>("pipeline");
  router.virtual_channels = count(map, "virtual_channels");
  router.buffer_packets = count(map, "buffer_packets");
  router.paths = map.choice<Paths>("paths", path_choices, router.paths);
  map.finish();
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

[[nodiscard]] InterconnectSpec read_fabric(ConfigMap map) {
  map.expect_schema("tessera.interconnect/1", "a fabric",
                    {"name", "flit", "packet", "topology", "router", "energy"});
  InterconnectSpec spec;
  spec.name = read_name(map.node("name"));
  spec.description = map.optional<std::string>("description", {});
  spec.flit = positive<Bytes>(map, "flit");
  spec.packets = packets_from(map);
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

Fabric load_fabric(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  auto const node = load_config({"fabric", "fabric", fabric_files()}, name_or_path, overrides);
  auto spec = read_fabric(node.as_map());
  auto map = node.as_map();
  auto interconnect = interconnect_with(map, spec.topology, spec.packets.router);
  return {std::move(spec), std::move(interconnect)};
}

PacketSpec packets_from(ConfigMap& fabric) {
  PacketSpec packets;
  Bytes const largest{std::numeric_limits<std::uint32_t>::max()};
  fabric.require({"packet", "router"}, {"header"});
  packets.packet = positive<Bytes>(fabric, "packet");
  packets.header = fabric.optional<Bytes>("header", packets.header);
  if (packets.packet > largest) {
    throw fabric.node("packet").error("is 4 GiB or more (no packet is that large)");
  }
  if (packets.header > largest - packets.packet) {
    throw fabric.node("header").error("makes packets of 4 GiB or more (no packet is that large)");
  }
  packets.router = read_router(fabric.node("router").as_map());
  return packets;
}

void write_packets(ConfigNode& fabric, PacketSpec const& packets) {
  auto router = ConfigNode::map();
  router.add("pipeline", to_text(packets.router.pipeline))
      .add("virtual_channels", std::to_string(packets.router.virtual_channels))
      .add("buffer_packets", std::to_string(packets.router.buffer_packets))
      .add("paths", name_of(path_choices, packets.router.paths));
  fabric.add("packet", to_text(packets.packet))
      .add("header", to_text(packets.header))
      .add("router", std::move(router));
}

Interconnect interconnect_with(ConfigMap& fabric, TopologySpec const& topology,
                               RouterSpec const& router) {
  auto interconnect = interconnect_at(fabric.node("topology"), topology, router.paths);
  if (has_unlimited_link(interconnect)) {
    throw fabric.node("topology")
        .error(
            "has links of unlimited bandwidth (packets take turns on a link); give it a bandwidth");
  }
  auto const problem = virtual_channel_problem(interconnect, router.virtual_channels);
  auto node = fabric.node("router").as_map();
  if (!problem.empty()) throw node.node("virtual_channels").error(problem);
  if (has_hop_without_time(interconnect, router)) {
    throw node.node("pipeline")
        .error("is zero, and so is the latency of a link between routers (a hop must take time)");
  }
  return interconnect;
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

std::vector<BuiltinEntry> builtin_interconnects() { return described(fabric_files()); }

}  // namespace tessera::arch

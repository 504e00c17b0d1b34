// Reading of tessera.interconnect/1.
#include "arch/interconnect/interconnect_spec.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr std::int64_t most = 4096;  ///< of virtual channels and packets in a buffer

[[nodiscard]] std::int64_t count(ConfigMap& map, std::string const& key) {
  auto const value = map.required<std::int64_t>(key);
  if (value < 1 || value > most) {
    throw map.node(key).error("must be from 1 to " + std::to_string(most));
  }
  return value;
}

[[nodiscard]] Bytes size(ConfigMap& map, std::string const& key) {
  auto const value = map.required<Bytes>(key);
  if (value < Bytes{1}) throw map.node(key).error("is zero; it must be more");
  return value;
}

[[nodiscard]] RouterSpec read_router(ConfigMap map) {
  RouterSpec router;
  router.pipeline = map.required<Time>("pipeline");
  router.virtual_channels = count(map, "virtual_channels");
  router.buffer_packets = count(map, "buffer_packets");
  router.paths = map.choice<Paths>(
      "paths", {{"one", Paths::one}, {"equal-cost", Paths::equal_cost}}, router.paths);
  map.finish();
  return router;
}

[[nodiscard]] InterconnectEnergy read_energy(ConfigMap map) {
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
  map.expect_schema("tessera.interconnect/1", "a fabric");
  InterconnectSpec spec;
  spec.name = map.required<std::string>("name");
  spec.description = map.optional<std::string>("description", {});
  spec.flit = size(map, "flit");
  spec.packet = size(map, "packet");
  spec.topology = topology_from(map.node("topology"));
  spec.router = read_router(map.node("router").as_map());
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
  auto interconnect =
      interconnect_at(node.as_map().node("topology"), spec.topology, spec.router.paths);
  auto const problem = virtual_channel_problem(interconnect, spec.router.virtual_channels);
  auto router = node.as_map().node("router").as_map();
  if (!problem.empty()) throw router.node("virtual_channels").error(problem);
  return {std::move(spec), std::move(interconnect)};
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

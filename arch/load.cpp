// Reading and writing of tessera.array/1.
#include "arch/load.hpp"

#include <algorithm>
#include <set>

#include "arch/accelerator_config.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config_name.hpp"
#include "arch/config_words.hpp"
#include "arch/energy_config.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr char const* array_schema = "tessera.array/1";
constexpr std::int64_t most_accelerators = 4096;
constexpr std::size_t most_ways = 13;  // every part of a group talks to every other one

using FabricKind = FabricSpec::Topology;
using Overlap = ExecutionSpec::Overlap;

// The words of the file, in both directions.
Names<FabricKind> const topologies = {{"htree", FabricKind::htree}, {"torus", FabricKind::torus}};
Names<FabricSpec::Levels> const link_levels = {{"halved", FabricSpec::Levels::halved},
                                               {"alike", FabricSpec::Levels::alike}};
Names<Overlap> const overlaps = {{"none", Overlap::none},
                                 {"communication", Overlap::communication}};

[[nodiscard]] std::int64_t read_accelerators(ConfigMap& map) {
  auto const count = map.required<std::int64_t>("accelerators");
  auto const refused = [&](std::string const& problem) {
    return map.node("accelerators").error(std::to_string(count) + " accelerators " + problem);
  };
  if (count < 1 || count > most_accelerators) {
    throw refused("are out of range (the largest array that is simulated has " +
                  std::to_string(most_accelerators) + "); use a number from 1 to " +
                  std::to_string(most_accelerators));
  }
  auto const ways = Hierarchy{static_cast<std::size_t>(count)}.ways();
  if (!ways.empty() && ways.front() > most_ways) {  // the largest factor is the first
    throw refused("do not form a hierarchy of small groups (" + std::to_string(ways.front()) +
                  " parts at one level would all talk to each other); use a number without prime "
                  "factors over " +
                  std::to_string(most_ways) + ", best a power of two");
  }
  return count;
}

[[nodiscard]] std::optional<Bandwidth> read_group_bandwidth(ConfigMap& group) {
  auto const* const node = group.find("link");
  if (node == nullptr) return std::nullopt;
  auto link = node->as_map();
  auto const bandwidth = read_link_bandwidth(link);
  link.finish();
  return bandwidth;
}

/// `accelerator` for all of them, or `groups` of them.
[[nodiscard]] std::vector<AcceleratorGroup> read_groups(ConfigMap& map, std::int64_t accelerators) {
  auto const* const list = map.find("groups");
  if (list == nullptr) {
    return {{accelerators, read_accelerator(map.node("accelerator").as_map())}};
  }
  std::vector<AcceleratorGroup> groups;
  std::int64_t sum = 0;
  for (auto const& node : list->as_list()) {
    auto group = node.as_map();
    group.require({"count", "accelerator"});
    auto const count = group.required<std::int64_t>("count");
    if (count < 1 || count > accelerators) {
      throw group.node("count").error("must be from 1 to " + std::to_string(accelerators));
    }
    groups.push_back(
        {count, read_accelerator(group.node("accelerator").as_map()), read_group_bandwidth(group)});
    group.finish();
    sum += count;
  }
  if (sum != accelerators) {
    throw list->error("hold " + std::to_string(sum) + " accelerators, but the array has " +
                      std::to_string(accelerators));
  }
  return groups;
}

/// Without a wire between them, an accelerator is its router, and cannot be two.
[[nodiscard]] bool share_a_router(Interconnect const& graph) {
  std::set<VertexId> routers;
  for (std::size_t endpoint = 0; endpoint < graph.endpoints(); ++endpoint) {
    auto const router = graph.own_router(VertexId{endpoint});
    if (router && !routers.insert(*router).second) return true;
  }
  return false;
}

/// A key of a fabric in packets, if it has any.
[[nodiscard]] ConfigNode const* packet_key(ConfigMap& map) {
  for (auto const* const key : {"packet", "header", "router"}) {
    if (auto const* const node = map.find(key)) return node;
  }
  return nullptr;
}

/// The simulator's links (sim/model/link.hpp) and the planners' counts of load are one-way.
void expect_full_duplex(ConfigNode const& topology) {
  if (topology.kind() == ConfigNode::Kind::scalar) return;
  if (topology.kind() == ConfigNode::Kind::list) {
    for (auto const& item : topology.as_list()) expect_full_duplex(item);
    return;
  }
  for (auto const& [key, value] : topology.entries()) {
    if (key == "duplex" && value.text() == "half") {
      throw value.error(
          "half duplex is for the probes of fabrics (links of an array carry both ways at once); "
          "leave it out");
    }
    expect_full_duplex(value);
  }
}

/// Any graph of links, as in a fabric's file, with an endpoint for each accelerator; with the
/// packets and routers of such a file, or without.
void read_network(ConfigMap& map, std::int64_t accelerators, FabricSpec& fabric) {
  auto const& node = map.node("topology");
  fabric.topology = FabricKind::network;
  fabric.network = node;
  auto const spec = topology_from(node);
  expect_full_duplex(node);
  if (spec.endpoints() != static_cast<std::size_t>(accelerators)) {
    throw node.error("has " + std::to_string(spec.endpoints()) + " endpoints, but the array has " +
                     std::to_string(accelerators) +
                     " accelerators; change the shape or 'accelerators'");
  }
  if (packet_key(map) != nullptr) fabric.packets = packets_from(map);
  fabric.graph = std::make_shared<Interconnect const>(
      fabric.packets ? interconnect_with(map, spec, fabric.packets->router)
                     : interconnect_at(node, spec));
  if (share_a_router(*fabric.graph)) {
    throw node.error("has several accelerators at one router; add 'port', the link between them");
  }
}

/// Packets move at a network's own pace: their routers and links have latencies of their own.
void refuse_instant_packets(ConfigMap& map, FabricSpec const& fabric) {
  if (!fabric.packets || fabric.hop_latency == Cycles{1}) return;
  throw map.node("hop").error("is for whole messages (packets have 'router'); leave it out");
}

/// "htree" or "torus", which `link` describes; the name of another graph is not enough.
[[nodiscard]] FabricKind read_topology(ConfigMap& map) {
  auto const& node = map.node("topology");
  auto const& known = topology_names();
  bool const is_simple = node.text() == "htree" || node.text() == "torus";
  if (!is_simple && std::find(known.begin(), known.end(), node.text()) != known.end()) {
    throw node.error("'" + node.text() + "' needs a shape and links of its own; write {kind: " +
                     node.text() + ", shape: [...], link: {bandwidth: ..., latency: ...}}");
  }
  return map.choice("topology", topologies);
}

/// Where links have lanes for every sender there is nothing to interleave.
void refuse_packets(ConfigMap& map) {
  auto const* const key = packet_key(map);
  if (key == nullptr) return;
  auto const& topology = map.node("topology").text();
  auto const kind = topology == "htree" ? "tree" : topology;
  throw key->error("is for a topology map ('" + topology +
                   "' carries whole messages); write topology: {kind: " + kind +
                   ", shape: [...], link: {bandwidth: ..., latency: ...}}");
}

[[nodiscard]] FabricSpec read_fabric(ConfigMap map, std::int64_t accelerators) {
  FabricSpec fabric;
  auto const* const topology = map.find("topology");
  bool const is_network = topology != nullptr && topology->kind() == ConfigNode::Kind::map;
  if (topology != nullptr && !is_network) fabric.topology = read_topology(map);
  map.require(is_network ? Keys{"clock"} : Keys{"topology", "clock", "link"});
  fabric.clock = read_clock(map);
  if (is_network) {
    read_network(map, accelerators, fabric);
    fabric.hop_latency = read_latency_cycles(map, "hop");
    refuse_instant_packets(map, fabric);
    if (auto const* const link = map.find("link")) {
      throw link->error("is for htree and torus (a topology map has its own links); leave it out");
    }
    map.finish();
    return fabric;
  }
  refuse_packets(map);
  auto link = map.node("link").as_map();
  link.require({"bandwidth", "latency"});
  fabric.bandwidth = read_link_bandwidth(link);
  fabric.latency = read_latency(link);
  fabric.levels = link.choice("levels", link_levels, fabric.levels);
  if (fabric.topology == FabricKind::torus && fabric.levels == FabricSpec::Levels::alike) {
    throw link.node("levels").error("is for an H-tree (a torus has no levels); leave it out");
  }
  link.finish();
  fabric.hop_latency = read_latency_cycles(map, "hop");
  map.finish();
  return fabric;
}

[[nodiscard]] ExecutionSpec read_execution(ConfigMap map) {
  ExecutionSpec execution;
  execution.overlap = map.choice("overlap", overlaps, execution.overlap);
  map.finish();
  return execution;
}

/// The finest lane must be a whole number of bit/s, or the lanes would not add up to the links.
void check_lanes(ArraySpec const& array, Bandwidth of_links, ConfigNode const& bandwidth) {
  if (of_links == unlimited_bandwidth) return;
  auto const lanes = array.lanes_at_root();
  auto const whole = of_links.value();
  if (whole % lanes == 0) return;
  auto const below = whole / lanes * lanes;
  throw bandwidth.error(in_quotes(to_text(of_links)) + " does not divide into " +
                        std::to_string(lanes) + " lanes of a whole number of b/s (" +
                        std::to_string(array.accelerators) + " accelerators); use " +
                        std::to_string(below + lanes) + " b/s");
}

/// Every link leads to one group or joins the two halves at the root, where planners tell them
/// apart (partition/price/traffic.hpp).
void check_group_links(ArraySpec const& array, ConfigNode const& root) {
  for (std::size_t i = 0; i < array.groups.size(); ++i) {
    auto const& own = array.groups[i].link_bandwidth;
    if (!own) continue;
    auto const link = root.as_map().node("groups").as_list()[i].as_map().node("link");
    bool const are_halves = array.groups.size() == 2 &&
                            2 * array.groups[i].count == array.accelerators &&
                            array.hierarchy().ways(0) == 2;
    if (!are_halves || array.fabric.topology != FabricKind::htree) {
      throw link.error(
          "is for an H-tree whose two halves are its groups (there every link leads to one group); "
          "leave it out");
    }
    check_lanes(array, *own, link.as_map().node("bandwidth"));
  }
}

/// A fabric in packets works ahead of what accelerators send it.
void check_dispatch(ArraySpec const& array, ConfigNode const& root) {
  if (!array.fabric.packets) return;
  for (auto const& group : array.groups) {
    if (group.accelerator.dispatch_latency > Cycles{0}) continue;
    throw root.as_map().node("fabric").as_map().node("packet").error(
        "does not go with accelerators whose 'dispatch' takes no time; give that a latency of 1");
  }
}

/// The presets that are arrays; memories and cores have folders of their own.
[[nodiscard]] std::vector<BuiltinConfig> array_files() { return files_in("", preset_files()); }

/// One accelerator for all, or groups of them.
void write_accelerators(ConfigNode& node, ArraySpec const& spec) {
  node.add("accelerators", std::to_string(spec.accelerators));
  if (spec.groups.size() == 1) {
    node.add("accelerator", accelerator_config(spec.groups.front().accelerator));
    return;
  }
  auto groups = ConfigNode::list();
  for (auto const& [count, accelerator, link_bandwidth] : spec.groups) {
    auto group = ConfigNode::map();
    group.add("count", std::to_string(count)).add("accelerator", accelerator_config(accelerator));
    if (link_bandwidth) {
      auto link = ConfigNode::map();
      group.add("link", link.add("bandwidth", link_bandwidth_text(*link_bandwidth)));
    }
    groups.append(std::move(group));
  }
  node.add("groups", std::move(groups));
}

[[nodiscard]] ConfigNode write_fabric(FabricSpec const& fabric) {
  auto node = ConfigNode::map();
  if (fabric.topology == FabricKind::network) {
    node.add("topology", fabric.network).add("clock", to_text(fabric.clock));
    if (fabric.packets) write_packets(node, *fabric.packets);
    write_latency_cycles(node, "hop", fabric.hop_latency);
    return node;
  }
  auto link = ConfigNode::map();
  link.add("bandwidth", link_bandwidth_text(fabric.bandwidth))
      .add("latency", to_text(fabric.latency));
  if (fabric.levels != FabricSpec{}.levels) link.add("levels", name_of(link_levels, fabric.levels));
  node.add("topology", name_of(topologies, fabric.topology))
      .add("clock", to_text(fabric.clock))
      .add("link", std::move(link));
  write_latency_cycles(node, "hop", fabric.hop_latency);
  return node;
}

}  // namespace

ArraySpec array_from(ConfigNode const& node) {
  auto map = node.as_map();
  auto const* const accelerator = map.find("groups") == nullptr ? "accelerator" : "groups";
  map.expect_schema(array_schema, "an array",
                    {"name", "accelerators", accelerator, "fabric", "energy"});
  ArraySpec array;
  array.name = read_name(map.node("name"));
  array.description = map.optional<std::string>("description", {});
  array.accelerators = read_accelerators(map);
  array.groups = read_groups(map, array.accelerators);
  array.fabric = read_fabric(map.node("fabric").as_map(), array.accelerators);
  if (auto const* const execution = map.find("execution")) {
    array.execution = read_execution(execution->as_map());
  }
  array.energy = read_energy(map.node("energy").as_map(), array.groups);
  if (auto const* const planner = map.find("planner")) {
    static_cast<void>(planner->as_map());  // must be one
    array.planner = *planner;
  }
  map.finish();
  check_dispatch(array, node);
  check_group_links(array, node);
  if (array.fabric.topology != FabricKind::network) {
    check_lanes(array, array.fabric.bandwidth,
                node.as_map().node("fabric").as_map().node("link").as_map().node("bandwidth"));
  }
  return array;
}

ConfigNode to_config(ArraySpec const& spec) {
  auto execution = ConfigNode::map();
  execution.add("overlap", name_of(overlaps, spec.execution.overlap));
  auto node = ConfigNode::map();
  node.add("schema", array_schema).add("name", spec.name).add("description", spec.description);
  write_accelerators(node, spec);
  node.add("fabric", write_fabric(spec.fabric))
      .add("execution", std::move(execution))
      .add("energy", energy_config(spec));
  if (!spec.planner.entries().empty()) node.add("planner", spec.planner);
  return node;
}

ArraySpec load(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return array_from(
      load_config({"array", "arch", array_files(), expand_components}, name_or_path, overrides));
}

std::vector<BuiltinEntry> builtin_arrays() { return described(array_files()); }

}  // namespace tessera::arch

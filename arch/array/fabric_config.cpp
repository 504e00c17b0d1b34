#include "arch/array/fabric_config.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "arch/array/topology.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch {

namespace {

using FabricKind = FabricSpec::Topology;

// The words of the file, in both directions.
Names<FabricKind> const topologies = {{"htree", FabricKind::htree}, {"torus", FabricKind::torus}};
Names<FabricSpec::Levels> const link_levels = {{"halved", FabricSpec::Levels::halved},
                                               {"alike", FabricSpec::Levels::alike}};

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
  for (auto const* const key : {"packet", "header", "flit", "router"}) {
    if (auto const* const node = map.find(key)) return node;
  }
  return nullptr;
}

/// The simulator's links (sim/model/fabric/link.hpp) and the planners' counts of load are one-way.
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

/// The routers that a map in place of a word names: {kind: model, model: ..., keys: ...}.
[[nodiscard]] ModelChoice read_router_model(ConfigMap switching) {
  switching.require({"kind", "model"});
  static_cast<void>(switching.choice<bool>("kind", {{"model", true}}));
  auto model = read_model(switching);
  switching.finish();
  return model;
}

/// How an array's network carries what it carries: in packets, or none of them in whole messages.
/// With packets by cut-through, unless the file says `switching`.
[[nodiscard]] std::optional<PacketSpec> read_packets(ConfigMap& map) {
  auto const* const written = map.find("switching");
  if (written != nullptr && written->kind() == ConfigNode::Kind::map) {
    return packets_from(map, read_router_model(written->as_map()));
  }
  std::vector<std::pair<std::string, std::optional<Switching>>> choices = {{"message", {}}};
  choices.insert(choices.end(), switchings().begin(), switchings().end());
  auto const* const key = packet_key(map);
  std::optional<Switching> switching;
  if (key != nullptr) switching = PacketSpec{}.switching;
  switching = map.choice<std::optional<Switching>>("switching", choices, switching);
  if (key == nullptr && !switching) return std::nullopt;
  auto const packets = packets_from(map, switching.value_or(PacketSpec{}.switching));
  return switching ? std::optional<PacketSpec>{packets} : std::nullopt;
}

/// Any graph of links, as in a fabric's file, with an endpoint for each accelerator; with the
/// packets and routers of such a file, or without.
void read_network(ConfigMap& map, std::int64_t accelerators, FabricSpec& fabric) {
  auto const& node = map.node("topology");
  fabric.topology = FabricKind::network;
  fabric.network = node;
  auto const spec = topology_from(node);
  bool const is_grid =
      spec.kind == TopologySpec::Kind::mesh || spec.kind == TopologySpec::Kind::torus;
  if (is_grid && spec.members.empty()) {
    fabric.grid = spec.shape;
    fabric.numbering = spec.numbering;
  }
  if (spec.members.empty()) fabric.tree = children_by_level(spec);
  expect_full_duplex(node);
  if (spec.endpoints() != static_cast<std::size_t>(accelerators)) {
    throw node.error("has " + std::to_string(spec.endpoints()) + " endpoints, but the array has " +
                     std::to_string(accelerators) +
                     " accelerators; change the shape or 'accelerators'");
  }
  fabric.packets = read_packets(map);
  fabric.half_way = spec.half_way;
  auto const paths = spec.half_way == HalfWay::both ? Paths::equal_cost : Paths::one;
  fabric.graph = std::make_shared<Interconnect const>(
      fabric.packets ? interconnect_with(map, spec, *fabric.packets)
                     : interconnect_at(node, spec, paths));
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
  auto const* key = map.find("switching");
  bool const is_word = key != nullptr && key->kind() == ConfigNode::Kind::scalar;
  if (is_word && key->text() == "message") key = nullptr;
  if (key == nullptr) key = packet_key(map);
  if (key == nullptr) return;
  auto const& topology = map.node("topology").text();
  auto const kind = topology == "htree" ? "tree" : topology;
  throw key->error("is for a topology map ('" + topology +
                   "' carries whole messages); write topology: {kind: " + kind +
                   ", shape: [...], link: {bandwidth: ..., latency: ...}}");
}

/// The bandwidth that is written in `link`, and where.
struct Written {
  Bandwidth bandwidth;
  ConfigNode const& node;
};

/// Where links are alike the finest lane must be a whole number of bit/s, or the lanes would not
/// add up to the links.
void check_lanes(ArraySpec const& array, Written const& written) {
  auto const lanes = array.lanes_at_root();
  auto const whole = written.bandwidth.value();
  if (whole % lanes == 0) return;
  auto const below = whole / lanes * lanes;
  bool const has_above = below <= std::numeric_limits<std::int64_t>::max() - lanes;
  throw written.node.error(in_quotes(to_text(written.bandwidth)) + " does not divide into " +
                           std::to_string(lanes) + " lanes of a whole number of b/s (" +
                           std::to_string(array.accelerators) + " accelerators); use " +
                           std::to_string(has_above ? below + lanes : below) + " b/s");
}

/// In the largest unit of bits that keeps it whole: "125 Mb/s".
[[nodiscard]] std::string in_bits(Bandwidth bandwidth) {
  auto value = bandwidth.value();
  std::string prefix;
  for (std::string const larger : {"k", "M", "G", "T"}) {
    if (value % 1000 != 0) break;
    value /= 1000;
    prefix = larger;
  }
  return std::to_string(value) + ' ' + prefix + "b/s";
}

/// An H-tree whose links halve has as many lanes at the root as accelerators below it.
void check_root(ArraySpec const& array, Written const& written) {
  auto const lanes = array.lanes_at_root();
  Bandwidth const most{std::numeric_limits<std::int64_t>::max() / lanes};
  if (array.fabric.topology != FabricKind::htree || written.bandwidth <= most) return;
  throw written.node.error("makes links at the root of the H-tree, " + std::to_string(lanes) +
                           " times as wide, of more b/s than can be counted; use " + in_bits(most) +
                           " or less");
}

[[nodiscard]] Remark remark_on(ArraySpec const& array, Written const& written, Bandwidth own) {
  bool const is_htree = array.fabric.topology == FabricKind::htree;
  std::string const link = is_htree ? "an accelerator's own link" : "each link of the torus";
  auto const text = in_quotes(written.node.text()) +
                    " is of an H-tree's links at the root (tessera.array/1); " + link + " has " +
                    in_bits(own) + ", which tessera.array/2 writes 'bandwidth: " + in_bits(own) +
                    "'";
  return {written.node.where(), written.node.error(text).what()};
}

/// One link's own, of what is written.
[[nodiscard]] Bandwidth settled(ArraySpec& array, Written const& written, WrittenBandwidth of) {
  if (written.bandwidth == unlimited_bandwidth) return unlimited_bandwidth;
  if (array.fabric.levels == FabricSpec::Levels::alike) {
    check_lanes(array, written);
    return written.bandwidth;
  }
  if (of == WrittenBandwidth::own) {
    check_root(array, written);
    return written.bandwidth;
  }
  auto const own = array.own_share_of_root(written.bandwidth);
  if (own == Bandwidth{0}) {
    throw written.node.error("leaves less than 1 b/s for each of " +
                             std::to_string(array.accelerators) + " accelerators; use more");
  }
  if (own != written.bandwidth) array.remarks.push_back(remark_on(array, written, own));
  return own;
}

/// Every link leads to one group or joins the two halves at the root, where planners tell them
/// apart (partition/price/traffic.hpp).
void check_group_link(ArraySpec const& array, std::size_t group, ConfigNode const& link) {
  bool const are_halves = array.groups.size() == 2 &&
                          2 * array.groups[group].count == array.accelerators &&
                          array.hierarchy().ways(0) == 2;
  if (are_halves && array.fabric.topology == FabricKind::htree) return;
  throw link.error(
      "is for an H-tree whose two halves are its groups (there every link leads to one group); "
      "leave it out");
}

}  // namespace

FabricSpec read_fabric(ConfigMap map, std::int64_t accelerators) {
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
  fabric.link_bandwidth = read_link_bandwidth(link);
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

std::optional<Bandwidth> read_group_bandwidth(ConfigMap& group) {
  auto const* const node = group.find("link");
  if (node == nullptr) return std::nullopt;
  auto link = node->as_map();
  auto const bandwidth = read_link_bandwidth(link);
  link.finish();
  return bandwidth;
}

void settle_links(ArraySpec& array, ConfigNode const& root, WrittenBandwidth written) {
  for (std::size_t i = 0; i < array.groups.size(); ++i) {
    auto& own = array.groups[i].link_bandwidth;
    if (!own) continue;
    auto const& link = root.as_map().node("groups").as_list()[i].as_map().node("link");
    check_group_link(array, i, link);
    own = settled(array, {*own, link.as_map().node("bandwidth")}, written);
  }
  if (array.fabric.topology == FabricKind::network) return;
  auto const& link = root.as_map().node("fabric").as_map().node("link");
  auto& own = array.fabric.link_bandwidth;
  own = settled(array, {own, link.as_map().node("bandwidth")}, written);
  if (array.fabric.topology == FabricKind::torus) array.fabric.graph = torus_graph(array);
}

ConfigNode fabric_config(FabricSpec const& fabric) {
  auto node = ConfigNode::map();
  if (fabric.topology == FabricKind::network) {
    node.add("topology", fabric.network).add("clock", to_text(fabric.clock));
    if (fabric.packets) write_packets(node, *fabric.packets);
    write_latency_cycles(node, "hop", fabric.hop_latency);
    return node;
  }
  auto link = ConfigNode::map();
  link.add("bandwidth", link_bandwidth_text(fabric.link_bandwidth))
      .add("latency", to_text(fabric.latency));
  if (fabric.levels != FabricSpec{}.levels) link.add("levels", name_of(link_levels, fabric.levels));
  node.add("topology", name_of(topologies, fabric.topology))
      .add("clock", to_text(fabric.clock))
      .add("link", std::move(link));
  write_latency_cycles(node, "hop", fabric.hop_latency);
  return node;
}

}  // namespace tessera::arch

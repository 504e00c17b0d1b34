// Reading of the `topology` map of a file.
#include <algorithm>
#include <limits>

#include "arch/base/config_words.hpp"
#include "arch/fabric/topology_shape.hpp"

namespace tessera::arch {

namespace {

using Kind = TopologySpec::Kind;
using detail::most_places;

Names<Numbering> const numberings = {{"by-dimension", Numbering::by_dimension},
                                     {"by-level", Numbering::by_level}};
Names<HalfWay> const half_ways = {{"one", HalfWay::one}, {"both", HalfWay::both}};

[[nodiscard]] WireSpec read_wire(ConfigNode const& node) {
  auto map = node.as_map();
  map.require({"bandwidth", "latency"}, {"duplex", "lanes"});
  WireSpec const wire{read_link_bandwidth(map), read_latency(map),
                      map.choice("duplex", duplex_kinds(), WireSpec{}.duplex),
                      map.optional<std::int64_t>("lanes", WireSpec{}.lanes)};
  if (wire.lanes < 1 || wire.lanes > most_places) {
    throw map.node("lanes").error("must be from 1 to " + std::to_string(most_places));
  }
  if (wire.bandwidth != unlimited_bandwidth &&
      wire.bandwidth.value() > std::numeric_limits<std::int64_t>::max() / wire.lanes) {
    throw map.node("lanes").error("make a link of more b/s than can be counted; use fewer");
  }
  map.finish();
  return wire;
}

/// What says more of a torus than of other kinds.
void read_torus(ConfigMap& map, TopologySpec& topology) {
  topology.numbering = map.choice<Numbering>("numbering", numberings, topology.numbering);
  topology.half_way = map.choice<HalfWay>("half_way", half_ways, topology.half_way);
  if (topology.numbering == Numbering::by_dimension) return;
  auto const shape = shape_by_level(topology.places(), topology.shape.size());
  if (shape == topology.shape) return;
  std::string wanted;
  for (auto const extent : shape) wanted += (wanted.empty() ? "" : ", ") + std::to_string(extent);
  throw map.node("shape").error("is not what numbering by-level gives (the levels of " +
                                std::to_string(topology.places()) +
                                " are dealt out in turn); use [" + wanted + "]");
}

[[nodiscard]] std::vector<WireSpec> read_links(ConfigMap& map) {
  if (auto const* const one = map.find("link")) {
    if (auto const* const several = map.find("links")) {
      throw several->error("stands beside 'link', which is of all links; leave one of them out");
    }
    return {read_wire(*one)};
  }
  std::vector<WireSpec> links;
  for (auto const& node : map.node("links").as_list()) links.push_back(read_wire(node));
  if (links.empty()) throw map.node("links").error("is empty");
  return links;
}

[[nodiscard]] std::size_t read_index(ConfigNode const& node, std::size_t size) {
  auto const value = node.as<std::int64_t>();
  if (value < 0 || static_cast<std::size_t>(value) >= size) {
    throw node.error("is not from 0 to " + std::to_string(size - 1));
  }
  return static_cast<std::size_t>(value);
}

/// [[a, b], [a, b, link], ...]
[[nodiscard]] std::vector<TopologySpec::Edge> read_edges(ConfigNode const& node,
                                                         TopologySpec const& topology) {
  auto const routers = topology.places();
  std::vector<TopologySpec::Edge> edges;
  for (auto const& entry : node.as_list()) {
    auto const& ends = entry.as_list();
    if (ends.size() < 2 || ends.size() > 3) throw entry.error("is not [router, router(, link)]");
    TopologySpec::Edge const edge{
        read_index(ends[0], routers), read_index(ends[1], routers),
        ends.size() == 3 ? read_index(ends[2], topology.links.size()) : 0};
    if (edge.a == edge.b) throw entry.error("joins a router to itself");
    auto const twice = std::any_of(edges.begin(), edges.end(), [&](auto const& other) {
      return std::minmax(other.a, other.b) == std::minmax(edge.a, edge.b);
    });
    if (twice) throw entry.error("is there twice (the other way round counts as the same)");
    edges.push_back(edge);
  }
  return edges;
}

/// [{count: 3, topology: {...}}, ...]: groups of equal members, in the order of their places.
[[nodiscard]] std::vector<TopologySpec> read_members(ConfigNode const& node, std::size_t places) {
  std::vector<TopologySpec> members;
  for (auto const& entry : node.as_list()) {
    auto map = entry.as_map();
    auto const count = map.optional<std::int64_t>("count", 1);
    if (count < 1 || count > most_places) throw map.node("count").error("is out of range");
    members.insert(members.end(), static_cast<std::size_t>(count),
                   topology_from(map.node("topology")));
    map.finish();
  }
  if (members.size() != places) {
    throw node.error("has " + std::to_string(members.size()) + " members for " +
                     std::to_string(places) + " places");
  }
  return members;
}

void expect_links(ConfigMap& map, TopologySpec const& topology) {
  auto const wanted = link_kinds(topology);
  if (topology.kind == Kind::edges || topology.links.size() == 1) return;
  if (topology.links.size() != wanted) {
    throw map.node("links").error("has " + std::to_string(topology.links.size()) +
                                  " links; this topology has 1 or " + std::to_string(wanted));
  }
}

}  // namespace

TopologySpec topology_from(ConfigNode const& node) {
  auto map = node.as_map();
  Keys keys = {"kind", "shape", map.find("links") == nullptr ? "link" : "links"};
  Keys more = {"port", "members"};
  auto const* const named = map.find("kind");
  if (named != nullptr && named->text() == "edges") keys.emplace_back("edges");
  bool const is_torus = named != nullptr && (named->text() == "torus" || named->text() == "ring");
  if (is_torus) more.insert(more.end(), {"numbering", "half_way"});
  map.require(keys, more);
  TopologySpec topology;
  auto const& kind = map.node("kind");
  std::vector<std::int64_t> numbers;
  for (auto const& extent : map.node("shape").as_list()) {
    numbers.push_back(extent.as<std::int64_t>());
  }
  auto const problem = detail::set_shape(
      topology, detail::topology_named(kind.as<std::string>(), &kind), std::move(numbers));
  if (!problem.empty()) throw map.node("shape").error(problem);
  if (is_torus) read_torus(map, topology);
  topology.links = read_links(map);
  expect_links(map, topology);
  auto const* const port = map.find("port");
  if (port != nullptr) topology.port = read_wire(*port);
  if (topology.kind == Kind::edges) topology.edges = read_edges(map.node("edges"), topology);
  if (auto const* const members = map.find("members")) {
    topology.members = read_members(*members, topology.places());
    for (auto const& member : topology.members) {
      if (member.kind == Kind::fat_tree) {
        throw members->error("has a fat tree, which has many roots and no single one to join");
      }
      if (member.half_way == HalfWay::both || topology.half_way == HalfWay::both) {
        throw members->error("stands beside half_way: both, which is of a torus by itself");
      }
    }
  }
  map.finish();
  return topology;
}

}  // namespace tessera::arch

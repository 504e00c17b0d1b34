// Reading of topologies, from files and from their short names.
#include "arch/interconnect/topology_spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "arch/config_words.hpp"

namespace tessera::arch {

namespace {

using Kind = TopologySpec::Kind;

constexpr std::int64_t most_places = 65536;
constexpr std::size_t most_dimensions = 16;

[[nodiscard]] std::int64_t product(std::vector<std::int64_t> const& factors) {
  std::int64_t result = 1;
  for (auto const factor : factors) {
    result *= factor;
    if (result > most_places) return most_places + 1;
  }
  return result;
}

[[nodiscard]] std::int64_t place_count(TopologySpec const& topology) {
  if (topology.kind != Kind::fat_tree) return product(topology.shape);
  return product(std::vector<std::int64_t>(static_cast<std::size_t>(topology.shape.at(1)),
                                           topology.shape.at(0)));
}

/// How many numbers a shape has: from, to.
[[nodiscard]] std::pair<std::size_t, std::size_t> dimensions(Kind kind) {
  switch (kind) {
    case Kind::mesh:
    case Kind::torus:
    case Kind::tree:
      return {1, most_dimensions};
    case Kind::fat_tree:
      return {2, 2};
    case Kind::dragonfly:
      return {3, 3};
    case Kind::star:
    case Kind::fully_connected:
    case Kind::edges:
      break;
  }
  return {1, 1};
}

/// What is wrong with a shape; empty when nothing is.
[[nodiscard]] std::string shape_problem(TopologySpec const& topology) {
  auto const& shape = topology.shape;
  auto const [least, most] = dimensions(topology.kind);
  if (shape.size() < least || shape.size() > most) {
    return "has " + std::to_string(shape.size()) + " numbers (this topology has " +
           std::to_string(least) + (least == most ? "" : " to " + std::to_string(most)) + ")";
  }
  for (auto const extent : shape) {
    if (extent < 1 || extent > most_places) {
      return "has a number outside of 1 to " + std::to_string(most_places);
    }
  }
  if (topology.kind == Kind::fat_tree && (shape[1] > 16 || shape[0] < 2)) {
    return "of a fat tree is [k, n] with k from 2 and n from 1 to 16";
  }
  if (place_count(topology) > most_places) {
    return "has more than " + std::to_string(most_places) + " places";
  }
  return {};
}

[[nodiscard]] std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (true) {
    auto const end = std::min(text.find('x'), text.size());
    std::int64_t number = 0;
    auto const* const last = text.data() + end;
    auto const [stop, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc{} || stop != last || end == 0) return {};
    numbers.push_back(number);
    if (end == text.size()) return numbers;
    text.remove_prefix(end + 1);
  }
}

/// The levels of a binary tree of that many leaves.
[[nodiscard]] std::vector<std::int64_t> binary_levels(std::int64_t leaves) {
  std::vector<std::int64_t> levels;
  for (; leaves > 1 && leaves % 2 == 0; leaves /= 2) levels.push_back(2);
  return leaves == 1 ? levels : std::vector<std::int64_t>{};
}

/// What a topology is called, in files and on command lines.
struct TopologyName {
  char const* name;
  Kind kind;
  char const* example;  ///< on command lines; none where a name and numbers do not say enough
};

constexpr std::array<TopologyName, 13> names = {{
    {"mesh", Kind::mesh, "mesh:4x4"},
    {"torus", Kind::torus, "torus:4x4x4"},
    {"ring", Kind::torus, "ring:8"},
    {"tree", Kind::tree, "tree:4x4"},
    {"htree", Kind::tree, "htree:16"},
    {"fat-tree", Kind::fat_tree, "fat-tree:4x2"},
    {"fattree", Kind::fat_tree, "fattree:4x2"},
    {"star", Kind::star, "star:8"},
    {"switch", Kind::star, "switch:8"},
    {"fully-connected", Kind::fully_connected, "fully-connected:8"},
    {"full", Kind::fully_connected, "full:8"},
    {"dragonfly", Kind::dragonfly, "dragonfly:9x4x2"},
    {"edges", Kind::edges, nullptr},
}};

/// Throws at `node`, if there is one.
[[nodiscard]] TopologyName const& topology_named(std::string const& name, ConfigNode const* node) {
  for (auto const& entry : names) {
    if (name == entry.name) return entry;
  }
  auto const problem = unknown_name("topology", name, topology_names());
  throw node != nullptr ? node->error(problem) : ConfigError({}, {}, problem);
}

/// Sets kind and shape; returns what is wrong with the numbers, empty when nothing is. The shape of
/// a ring is its length, that of an H-tree its leaves.
[[nodiscard]] std::string set_shape(TopologySpec& topology, TopologyName const& name,
                                    std::vector<std::int64_t> numbers) {
  topology.kind = name.kind;
  topology.shape = std::move(numbers);
  std::string_view const called{name.name};
  bool const is_htree = called == "htree";
  if ((called == "ring" || is_htree) && topology.shape.size() != 1) {
    return "has " + std::to_string(topology.shape.size()) + " numbers (this topology has 1)";
  }
  if (is_htree) {
    topology.shape = binary_levels(topology.shape.front());
    if (topology.shape.empty()) return "is not a power of two of leaves, at least 2";
  }
  return shape_problem(topology);
}

[[nodiscard]] WireSpec read_wire(ConfigNode const& node) {
  auto map = node.as_map();
  map.require({"bandwidth", "latency"}, {"duplex"});
  WireSpec const wire{read_link_bandwidth(map), read_latency(map),
                      map.choice("duplex", duplex_kinds(), WireSpec{}.duplex)};
  map.finish();
  return wire;
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

std::size_t TopologySpec::places() const { return static_cast<std::size_t>(place_count(*this)); }

std::size_t TopologySpec::endpoints() const {
  if (members.empty()) return places();
  return std::accumulate(
      members.begin(), members.end(), std::size_t{0},
      [](std::size_t sum, TopologySpec const& member) { return sum + member.endpoints(); });
}

std::vector<std::string> const& topology_names() {
  static std::vector<std::string> const all = [] {
    std::vector<std::string> list;
    list.reserve(names.size());
    for (auto const& entry : names) list.emplace_back(entry.name);
    return list;
  }();
  return all;
}

std::vector<std::string> topology_examples() {
  std::vector<std::string> examples;
  for (auto const& entry : names) {
    if (entry.example != nullptr) examples.emplace_back(entry.example);
  }
  return examples;
}

std::vector<std::pair<std::string, Duplex>> const& duplex_kinds() {
  static std::vector<std::pair<std::string, Duplex>> const kinds = {{"full", Duplex::full},
                                                                    {"half", Duplex::half}};
  return kinds;
}

std::size_t link_kinds(TopologySpec const& topology) {
  switch (topology.kind) {
    case Kind::mesh:
    case Kind::torus:
    case Kind::tree:
      return topology.shape.size();
    case Kind::fat_tree:
      return static_cast<std::size_t>(topology.shape.at(1));
    case Kind::dragonfly:
      return 2;
    case Kind::star:
    case Kind::fully_connected:
    case Kind::edges:
      break;
  }
  return 1;
}

TopologySpec topology_from(std::string_view text, WireSpec const& wire) {
  auto const colon = std::min(text.find(':'), text.size());
  auto const& entry = topology_named(std::string{text.substr(0, colon)}, nullptr);
  auto const refuse = [&](std::string const& why) {
    return ConfigError({}, {}, "topology \"" + std::string{text} + "\" " + why);
  };
  if (entry.example == nullptr) throw refuse("is a list of links; describe it in a file (-a FILE)");
  auto const example = std::string{"; for example "} + entry.example;
  auto const numbers = numbers_in(text.substr(std::min(colon + 1, text.size())));
  if (numbers.empty()) throw refuse("does not say how large it is" + example);
  TopologySpec topology;
  topology.links = {wire};
  topology.port = wire;
  auto const problem = set_shape(topology, entry, numbers);
  if (!problem.empty()) throw refuse("has a shape that " + problem + example);
  return topology;
}

TopologySpec topology_from(ConfigNode const& node) {
  auto map = node.as_map();
  Keys keys = {"kind", "shape", map.find("links") == nullptr ? "link" : "links"};
  auto const* const named = map.find("kind");
  if (named != nullptr && named->text() == "edges") keys.emplace_back("edges");
  map.require(keys, {"port", "members"});
  TopologySpec topology;
  auto const& kind = map.node("kind");
  std::vector<std::int64_t> numbers;
  for (auto const& extent : map.node("shape").as_list()) {
    numbers.push_back(extent.as<std::int64_t>());
  }
  auto const problem =
      set_shape(topology, topology_named(kind.as<std::string>(), &kind), std::move(numbers));
  if (!problem.empty()) throw map.node("shape").error(problem);
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
    }
  }
  map.finish();
  return topology;
}

}  // namespace tessera::arch

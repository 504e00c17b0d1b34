// What topologies are called, and what their numbers mean.
#include "arch/fabric/topology_spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "arch/base/hierarchy.hpp"
#include "arch/fabric/topology_shape.hpp"

namespace tessera::arch {

namespace {

using Kind = TopologySpec::Kind;
using detail::most_places;
using detail::TopologyName;

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
  return product(topology.kind == Kind::fat_tree ? children_by_level(topology) : topology.shape);
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

}  // namespace

std::size_t TopologySpec::places() const { return static_cast<std::size_t>(place_count(*this)); }

std::size_t TopologySpec::endpoints() const {
  if (members.empty()) return places();
  return std::accumulate(
      members.begin(), members.end(), std::size_t{0},
      [](std::size_t sum, TopologySpec const& member) { return sum + member.endpoints(); });
}

detail::TopologyName const& detail::topology_named(std::string const& name,
                                                   ConfigNode const* node) {
  for (auto const& entry : names) {
    if (name == entry.name) return entry;
  }
  auto const problem = unknown_name("topology", name, topology_names());
  throw node != nullptr ? node->error(problem) : ConfigError({}, {}, problem);
}

std::string detail::set_shape(TopologySpec& topology, TopologyName const& name,
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

std::vector<std::int64_t> children_by_level(TopologySpec const& topology) {
  switch (topology.kind) {
    case Kind::tree:
    case Kind::star:
      return topology.shape;
    case Kind::fat_tree:
      return std::vector<std::int64_t>(static_cast<std::size_t>(topology.shape.at(1)),
                                       topology.shape.at(0));
    default:
      return {};
  }
}

std::vector<std::int64_t> shape_by_level(std::size_t endpoints, std::size_t dimensions) {
  Hierarchy const hierarchy{endpoints};
  std::vector<std::int64_t> shape(dimensions, 1);
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    shape[level % dimensions] *= static_cast<std::int64_t>(hierarchy.ways(level));
  }
  return shape;
}

std::vector<std::size_t> grid_coordinates(std::vector<std::int64_t> const& shape,
                                          Numbering numbering, std::size_t place) {
  std::vector<std::size_t> coordinates(shape.size());
  if (numbering == Numbering::by_dimension) {
    for (std::size_t dimension = 0; dimension < shape.size(); ++dimension) {
      auto const extent = static_cast<std::size_t>(shape[dimension]);
      coordinates[dimension] = place % extent;
      place /= extent;
    }
    return coordinates;
  }
  std::size_t places = 1;
  for (auto const extent : shape) places *= static_cast<std::size_t>(extent);
  Hierarchy const hierarchy{places};
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    auto& coordinate = coordinates[level % shape.size()];
    coordinate = coordinate * hierarchy.ways(level) + hierarchy.part(place, level);
  }
  return coordinates;
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
  auto const& entry = detail::topology_named(std::string{text.substr(0, colon)}, nullptr);
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
  auto const problem = detail::set_shape(topology, entry, numbers);
  if (!problem.empty()) throw refuse("has a shape that " + problem + example);
  return topology;
}

}  // namespace tessera::arch

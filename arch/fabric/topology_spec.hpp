// What joins endpoints, as data: which shape, how large, which links, and whether each place holds an endpoint or again a
// whole network (boards of a tree joined in a torus).
//
// Left out: places that an endpoint shares with another; several links between the same two routers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::arch {

/// What the two ways of a link share.
enum class Duplex : std::uint8_t {
  full,  ///< nothing: each has the link's bandwidth
  half,  ///< the wire: it carries one packet at a time, this way or that
};

[[nodiscard]] std::vector<std::pair<std::string, Duplex>> const& duplex_kinds();

/// A link: each direction, or both together if it is half duplex.
struct WireSpec {
  Bandwidth bandwidth{0};        ///< of each of its lanes
  Time latency{0};               ///< from the first bit sent to the first bit received
  Duplex duplex = Duplex::full;  ///< as serial links are: a lane for each direction
  /// Side by side, for whole messages: each keeps to the lane of its source's number modulo them.
  std::int64_t lanes = 1;

  friend bool operator==(WireSpec const& a, WireSpec const& b) {
    return a.bandwidth == b.bandwidth && a.latency == b.latency && a.duplex == b.duplex &&
           a.lanes == b.lanes;
  }
};

/// Of a torus: where its endpoints stand.
enum class Numbering : std::uint8_t {
  by_dimension,  ///< the first dimension runs fastest
  /// Levels of the hierarchy of halves (base/hierarchy.hpp) are dealt out to the dimensions, the
  /// top one to the first: of 8 in a torus of 4 x 2, endpoint abc (bits) stands at (ac, b).
  by_level,
};

/// Of a torus: what a whole message does whose destination is as far either way round a ring.
enum class HalfWay : std::uint8_t {
  one,   ///< takes one direction, up from even places and down from odd ones
  both,  ///< is cut in two, one half for each direction
};

struct TopologySpec {
  enum class Kind : std::uint8_t {
    mesh,             ///< shape: routers per dimension
    torus,            ///< the same with both ends of each dimension joined; one dimension is a ring
    tree,             ///< shape: children of a switch per level, the top first
    fat_tree,         ///< shape: {k, n}: k-ary n-tree, k^n places, n levels of k^(n-1) switches
    star,             ///< shape: {places} around one switch
    fully_connected,  ///< shape: {routers}
    dragonfly,        ///< shape: {groups, routers of a group, places of a router}
    edges,            ///< shape: {routers}, joined as `edges` says
  };

  /// A pair of routers of `edges` and which of `links` joins them.
  struct Edge {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t link = 0;
  };

  Kind kind = Kind::mesh;
  std::vector<std::int64_t> shape;
  /// One for all, or: tree and fat tree one per level, the top first; dragonfly {local, global};
  /// mesh and torus one per dimension; edges as many as the edges name.
  std::vector<WireSpec> links;
  /// Between an endpoint and its router; none: the endpoint is its router, and sends on all of its
  /// links at once. Of trees it is the lowest level of links.
  std::optional<WireSpec> port;
  std::vector<Edge> edges;
  Numbering numbering = Numbering::by_dimension;
  HalfWay half_way = HalfWay::one;
  /// What stands at each place; none: an endpoint at each.
  std::vector<TopologySpec> members;

  [[nodiscard]] std::size_t places() const;     ///< of this network itself
  [[nodiscard]] std::size_t endpoints() const;  ///< those of its members included
};

/// What topologies are called, in files and on command lines alike: "mesh", "torus", "ring" (a
/// torus of one dimension), "htree" (a binary tree; its shape is its leaves), ...
[[nodiscard]] std::vector<std::string> const& topology_names();

/// "mesh:4x4", "torus:4x4x4", ...: one of each that a name and numbers describe.
[[nodiscard]] std::vector<std::string> topology_examples();

/// A topology as in topology_examples(), all of the same links. Throws ConfigError.
[[nodiscard]] TopologySpec topology_from(std::string_view text, WireSpec const& wire);

/// Of trees and fat trees the children of a switch per level, the top first; of others nothing.
/// (The parent of a switch in a fat tree is one of several, of the same children.)
[[nodiscard]] std::vector<std::int64_t> children_by_level(TopologySpec const& topology);

/// The shape of a torus of so many endpoints that are numbered by level: the levels of their
/// hierarchy dealt out to so many dimensions in turn.
[[nodiscard]] std::vector<std::int64_t> shape_by_level(std::size_t endpoints,
                                                       std::size_t dimensions);

/// Where a place of a mesh or torus is, along each dimension; of no shape nowhere.
[[nodiscard]] std::vector<std::size_t> grid_coordinates(std::vector<std::int64_t> const& shape,
                                                        Numbering numbering, std::size_t place);

/// The `topology` map of a file; arch/presets/fabrics shows the keys. Throws ConfigError.
[[nodiscard]] TopologySpec topology_from(ConfigNode const& node);

/// How many links a topology of this kind and shape needs to say, beside one for all.
[[nodiscard]] std::size_t link_kinds(TopologySpec const& topology);

}  // namespace tessera::arch

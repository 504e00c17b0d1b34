// Where the nodes of a graph are drawn: a mesh or torus as its grid, endpoints with switches level by level, any other on a circle.
// Neighbours are about one apart.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::arch {

/// On a page: x to the right, y down.
struct Place {
  double x = 0;
  double y = 0;
};

/// By node, the nodes that it is joined to.
using Neighbours = std::vector<std::vector<std::size_t>>;

/// Levels one below the other (`direction` 1) or above (-1), each node in the middle of those of
/// its neighbours that are in the levels before. Every node is in one level.
[[nodiscard]] std::vector<Place> places_by_level(
    Neighbours const& before, std::vector<std::vector<std::size_t>> const& levels,
    double direction);

/// What there is to know of a fabric. Endpoints are the first of its nodes.
struct PlacedGraph {
  std::size_t nodes = 0;
  std::size_t endpoints = 0;
  std::vector<std::pair<std::size_t, std::size_t>> wires;
  std::vector<std::vector<std::size_t>> coordinates;  ///< of endpoints; empty: none have any

  [[nodiscard]] bool is_plane() const {
    return !coordinates.empty() && coordinates.front().size() > 1;
  }
  [[nodiscard]] bool has_switches() const { return nodes > endpoints; }
};

/// By node.
[[nodiscard]] std::vector<Place> places_of(PlacedGraph const& graph);

}  // namespace tessera::arch

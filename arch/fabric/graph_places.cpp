#include "arch/fabric/graph_places.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace tessera::arch {

namespace {

/// Nodes of a level in order of what `wanted` says, a unit apart where they would overlap else.
void place_level(std::vector<Place>& places, std::vector<std::size_t> level,
                 std::vector<double> const& wanted, double width, double y) {
  std::stable_sort(level.begin(), level.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  bool is_crowded = false;
  for (std::size_t i = 1; i < level.size(); ++i) {
    is_crowded = is_crowded || wanted[level[i]] - wanted[level[i - 1]] < 1;
  }
  double const step = std::max(1.0, width / static_cast<double>(level.size()));
  double const start = (width - step * static_cast<double>(level.size() - 1)) / 2;
  for (std::size_t i = 0; i < level.size(); ++i) {
    double const x = is_crowded ? start + step * static_cast<double>(i) : wanted[level[i]];
    places[level[i]] = {x, y};
  }
}

[[nodiscard]] double mean_x(std::vector<Place> const& places, std::vector<std::size_t> const& nodes,
                            double fallback) {
  if (nodes.empty()) return fallback;
  double sum = 0;
  for (auto const node : nodes) sum += places[node].x;
  return sum / static_cast<double>(nodes.size());
}

/// The first two dimensions across and down; each layer of a third one a little aside.
std::vector<Place> places_on_grid(std::vector<std::vector<std::size_t>> const& coordinates) {
  constexpr double aside = 0.3;
  std::vector<Place> places;
  for (auto const& place : coordinates) {
    double depth = 0;
    for (std::size_t d = 2; d < place.size(); ++d) depth += static_cast<double>(place[d]);
    places.push_back({static_cast<double>(place[0]) + aside * depth,
                      static_cast<double>(place[1]) + aside * depth});
  }
  return places;
}

std::vector<Place> places_on_circle(std::size_t nodes) {
  constexpr double full = 6.283185307179586;
  auto const count = static_cast<double>(nodes);
  double const radius = std::max(1.0, count / full);
  std::vector<Place> places;
  for (std::size_t i = 0; i < nodes; ++i) {
    double const angle = full * static_cast<double>(i) / count;
    places.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return places;
}

Neighbours neighbours_of(PlacedGraph const& graph) {
  Neighbours neighbours(graph.nodes);
  for (auto const& [a, b] : graph.wires) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  return neighbours;
}

/// How far the nearest endpoint is; `nodes` where there is none.
struct Heights {
  std::vector<std::size_t> of_node;
  std::vector<std::vector<std::size_t>> levels;
};

Heights heights_of(PlacedGraph const& graph, Neighbours const& neighbours) {
  Heights heights{std::vector<std::size_t>(graph.nodes, graph.nodes), {}};
  std::queue<std::size_t> next;
  for (std::size_t i = 0; i < graph.endpoints; ++i) {
    heights.of_node[i] = 0;
    next.push(i);
  }
  for (; !next.empty(); next.pop()) {
    auto const node = next.front();
    auto const height = heights.of_node[node];
    heights.levels.resize(std::max(heights.levels.size(), height + 1));
    heights.levels[height].push_back(node);
    for (auto const other : neighbours[node]) {
      if (heights.of_node[other] < graph.nodes) continue;
      heights.of_node[other] = height + 1;
      next.push(other);
    }
  }
  return heights;
}

/// Switches above what they join: as high as their nearest endpoint is far.
std::vector<Place> places_of_switches(PlacedGraph const& graph) {
  auto const neighbours = neighbours_of(graph);
  auto const heights = heights_of(graph, neighbours);
  Neighbours before(graph.nodes);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (auto const other : neighbours[i]) {
      if (heights.of_node[other] < heights.of_node[i]) before[i].push_back(other);
    }
  }
  return places_by_level(before, heights.levels, -1);
}

}  // namespace

std::vector<Place> places_by_level(Neighbours const& before,
                                   std::vector<std::vector<std::size_t>> const& levels,
                                   double direction) {
  std::vector<Place> places(before.size());
  double const width = static_cast<double>(levels.front().size()) - 1;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<double> wanted(before.size());
    double next = 0;
    for (auto const node : levels[level]) wanted[node] = mean_x(places, before[node], next++);
    place_level(places, levels[level], wanted, width, direction * static_cast<double>(level));
  }
  return places;
}

std::vector<Place> places_of(PlacedGraph const& graph) {
  if (graph.is_plane()) return places_on_grid(graph.coordinates);
  if (graph.has_switches()) return places_of_switches(graph);
  return places_on_circle(graph.nodes);
}

}  // namespace tessera::arch

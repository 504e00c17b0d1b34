// The graph of a network as Boost.Graph sees it: a topological order, or the cycle that forbids one.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::workloads {

/// Either an order of all vertices or, when there is none, one cycle.
struct TopologicalSort {
  std::vector<std::size_t> order;  ///< every vertex after all that it depends on
  std::vector<std::size_t> cycle;  ///< each feeds the next, the last the first; smallest first
};

/// Sorts the graph in which vertex i depends on `dependencies[i]`. Vertices keep their own order
/// wherever that is a topological one already.
[[nodiscard]] TopologicalSort topological_sort(
    std::vector<std::vector<std::size_t>> const& dependencies);

}  // namespace tessera::workloads

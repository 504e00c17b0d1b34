// What Boost.Graph says about graphs of routers and channels, without its headers.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::arch::detail {

/// For each vertex, those that an edge leads to.
using Adjacency = std::vector<std::vector<std::size_t>>;

/// Hops from vertex 0; the number of vertices for one that cannot be reached.
[[nodiscard]] std::vector<std::size_t> distances_from_first(Adjacency const& graph);

/// Can every vertex reach every other?
[[nodiscard]] bool is_strongly_connected(Adjacency const& graph);

/// A cycle, each vertex before the one it leads to; empty when there is none.
[[nodiscard]] std::vector<std::size_t> find_cycle(Adjacency const& graph);

}  // namespace tessera::arch::detail

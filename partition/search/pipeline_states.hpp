// Where a pipeline may be cut: the states of a computation that runs through a graph of operators.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::partition {

/// An operator as a planner of pipelines sees it, for one minibatch on one accelerator.
struct PipelineNode {
  double compute_s = 0;         ///< forward and backward
  double activation_bytes = 0;  ///< of its output
  double parameter_bytes = 0;
};

struct PipelineEdge {
  std::size_t from;  ///< index of a node
  std::size_t to;
};

/// An acyclic graph, not empty.
struct PipelineGraph {
  std::vector<PipelineNode> nodes;
  std::vector<PipelineEdge> edges;
};

/// A set of nodes that contains all that its members depend on; it is told by its antichain, the
/// members on which no other member depends. Of a chain of n operators there are n. Example, in
/// a -> {b, c} -> d: {a}, {a, b}, {a, c}, {a, b, c}, {a, b, c, d}.
struct PipelineState {
  std::vector<std::size_t> nodes;         ///< in ascending order
  std::vector<std::size_t> predecessors;  ///< states that are proper subsets, by compute_s
  std::size_t depth = 1;                  ///< states in the longest chain of subsets up to it
  // Sums over the nodes.
  double compute_s = 0;
  double activation_bytes = 0;
  double parameter_bytes = 0;
  /// Activations that nodes outside read: what crosses a cut behind the state.
  double crossing_bytes = 0;
  /// The same as PipeDream's released optimizer counts it: of the antichain, and of every node that
  /// a member depends on and that feeds anything on which that member does not depend, be it inside
  /// or outside.
  double antichain_bytes = 0;
};

/// More than differences of a state's sums are rounded: a bound that is so much larger excludes
/// nothing that it should not.
constexpr double rounding_margin = 1 + 1e-12;

/// The states that PipeDream's released optimizer visits (optimizer_graph_hierarchical.py), every
/// one after its subsets: from the first node that depends on none, by adding a node that reads a
/// member, together with all that it depends on. If nothing reads a member any more, the next node
/// that depends on none is added. The last state has all nodes. Throws ConfigError when there are
/// more than `most`.
[[nodiscard]] std::vector<PipelineState> pipeline_states(PipelineGraph const& graph,
                                                         std::size_t most = 4096);

}  // namespace tessera::partition

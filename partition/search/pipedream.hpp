// PipeDream's planner (Narayanan et al., SOSP 2019, section 3.1): stages of a pipeline, and how often each is replicated, such that the
// slowest stage is as fast as possible.
//
// Level k of a cluster joins m_k components of level k - 1 by links of bandwidth B_k; a component of level 0 is one accelerator. With
// T(i..j) the compute time, |w| the parameters and a the activations of operators i..j:
//   A^0(i..j) = T(i..j)
//   A^k(i..j, m) = min{ T^k(i..j, m), min over s and m' < m of max{ A^k(i..s, m - m'), X(s, j, m'), T^k(s+1..j, m') } }
// is the time between two minibatches with m components, all of which are used; A^k(i..j) is that with m_k. The last stage is s+1..j, on
// m' replicas. Two rules:
//                   the paper                                       its released optimizer (optimizer_graph_hierarchical.py)
//   T^k(i..j, m)    max{ A^(k-1)(i..j), 2 (m-1) |w| / B_k } / m     (A^(k-1)(i..j) + 4 (m-1) |w| / (B_k m)) / m; in the first stage of a
//                                                                   pipeline the summand is divided by m_(k-1) as well
//   X(s, j, m')     2 a_s / (B_k rho)                               without a compression ratio rho: 0; with one
//                                                                   2 max{ a_s, a_j } / (B_k m' rho), a_j of the last state counts 0
//   a of a state    what nodes outside read                         PipelineState::antichain_bytes
// In a graph that is no chain, i..j are the operators between two states (pipeline_states.hpp), one of which contains the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "partition/search/pipeline_states.hpp"

namespace tessera::partition {

/// A level of a cluster.
struct PipelineLevel {
  std::int64_t machines = 1;    ///< components of the level below that it joins
  double bytes_per_second = 1;  ///< of the links between them
};

struct PipeDreamOptions {
  enum class Rule { paper, released };
  enum class Machines {
    all,
    fewer,  ///< a component may use fewer than it has, where that is faster
  };
  enum class Shape {
    replicated,
    straight,  ///< no stage is replicated
  };

  Rule rule = Rule::paper;
  Machines machines = Machines::all;
  Shape shape = Shape::replicated;
  std::optional<double> activation_compression_ratio = {};
  /// How often a stage on m' replicas, with m of the level's n components used up to it, stashes
  /// its activations and parameters.
  enum class Stash {
    warm_up,    ///< the released optimizer's filter: ceil((n - m) / m'), none in the last stage
    in_flight,  ///< one more: as many as its program has at once (SOSP 2019, section 3.3)
  };
  Stash stash = Stash::warm_up;
  std::optional<double> memory_limit_bytes = {};  ///< of what a stage stashes
};

/// Operators that are computed together, and by how many components of the level.
struct PipelineStage {
  std::vector<std::size_t> nodes;  ///< in ascending order
  std::int64_t replicas = 1;
  std::vector<PipelineStage> inner;  ///< how each component runs it; none where that is one
                                     ///< accelerator
};

struct PipelinePartition {
  std::vector<PipelineStage> stages;  ///< of the highest level, first to last
  double bottleneck_s = 0;            ///< between two minibatches
  double one_accelerator_s = 0;       ///< of a minibatch
  double data_parallel_s = 0;         ///< the rule's time of all operators replicated everywhere
  std::int64_t evaluations = 0;       ///< candidates (s, m') that were priced
};

/// The best partition of `graph`, of those equally good the one with the fewest cuts that is found
/// first. `levels` go from the lowest up, none of them empty. None if no partition keeps within the
/// memory limit, or a straight pipeline would need more stages than there are states. Throws
/// ConfigError when the graph has too many states.
[[nodiscard]] std::optional<PipelinePartition> pipedream_partition(
    PipelineGraph const& graph, std::vector<PipelineLevel> const& levels,
    PipeDreamOptions const& options);

/// The same with the states of the graph at hand.
[[nodiscard]] std::optional<PipelinePartition> pipedream_partition(
    std::vector<PipelineState> const& states, std::vector<PipelineLevel> const& levels,
    PipeDreamOptions const& options);

}  // namespace tessera::partition

// A network on an array as a planner of pipelines sees the two.
#pragma once

#include <vector>

#include "partition/plan/problem.hpp"
#include "partition/search/pipedream.hpp"

namespace tessera::partition {

/// A node for each operator, in their order: its forward and backward phases on one accelerator
/// (work.hpp: at the peak rate, or measured), its output and its weights, for the network's batch.
/// Weights that operators share are those of each.
[[nodiscard]] PipelineGraph pipeline_graph(workloads::Network const& network,
                                           arch::AcceleratorSpec const& accelerator);

/// The same on an array's accelerators. Throws ConfigError where they are not all alike.
[[nodiscard]] PipelineGraph pipeline_graph(Problem const& problem);

/// The array's levels, the lowest first. Of an H-tree those of its hierarchy, each with the
/// bandwidth of the links that join a group's parts. Of a torus one, with the bandwidth of its
/// links, and so of any other network, with that of the narrowest link; but a tree has the levels
/// of its shape, each with the narrowest of its links. One accelerator: one level of one.
[[nodiscard]] std::vector<PipelineLevel> pipeline_levels(arch::ArraySpec const& array);

/// PipeDream's stages of the network on the array; PipelineStage::nodes are operators. `states` are
/// those of pipeline_graph(problem). Throws ConfigError where no partition keeps within the
/// options.
[[nodiscard]] PipelinePartition pipedream_stages(Problem const& problem,
                                                 std::vector<PipelineState> const& states,
                                                 PipeDreamOptions const& options);

}  // namespace tessera::partition

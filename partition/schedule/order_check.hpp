// Can the orders of a pipeline be run at all? Found out before anything runs, without times.
//
// A pass of micro-batch b in chunk c of stage s needs, besides all that stands before it in its replica's order,
//   forward                  the forward pass of the part of the network before it: of stage s - 1 in chunk c, for stage 0 of
//                            the last stage in chunk c - 1
//   backward, backward_data  its own forward pass, and the error of the part after it
//   backward_weight          its own backward_data
//   the k-th update          of the stage's other replicas, all that stands before their k-th
// and where weights are tied over stages, of the other stages' replicas
//   a pass on version k      all that stands before their k-th update
//   the k-th update          all that stands before the one before it
#pragma once

#include <optional>
#include <string>

#include "partition/schedule/pipeline_program.hpp"

namespace tessera::partition {

struct OrderProblem {
  std::size_t stage = 0;
  std::size_t replica = 0;
  std::optional<std::size_t> slot;  ///< index in that order; none when something is not in it
  std::string problem;              ///< in an error's words
};

/// What is wrong with some replica's order by itself. Right: each of the replica's micro-batches
/// passes each chunk forward once and backward once (or errors once and gradients once), and no
/// other does; a pass is on weights that have been made by then, the same both ways; an update
/// takes the last gradients; and a stage's replicas have equally many updates.
[[nodiscard]] std::optional<OrderProblem> incomplete_order(PipelineProgram const& program);

/// Stages with tied weights whose updates are not of the same micro-batches. Requires complete
/// orders.
[[nodiscard]] std::optional<OrderProblem> unequal_updates(PipelineProgram const& program);

/// A circle of replicas that wait for each other. Requires complete orders.
[[nodiscard]] std::optional<OrderProblem> deadlock(PipelineProgram const& program);

/// The first of these; none: every replica can run its order to the end.
[[nodiscard]] std::optional<OrderProblem> problem_of(PipelineProgram const& program);

/// The most that a replica has at once while it runs its order.
struct HighWater {
  /// Chunks of micro-batches whose activations are kept: from a forward pass until the end of its
  /// last backward pass.
  std::int64_t activations = 0;
  /// Versions of the weights: from the update that makes one until the last pass on it. An update
  /// works in place where no pass needs the old one any more.
  std::int64_t weight_versions = 0;
  /// Chunks of micro-batches between the begin of their first and the end of their last backward
  /// pass: those whose recomputed activations are there.
  std::int64_t backward = 0;
};
/// Requires a complete order.
[[nodiscard]] HighWater high_water(Order const& order);

}  // namespace tessera::partition

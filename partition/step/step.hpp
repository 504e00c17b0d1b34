// The training step that a plan means: which computations and which conversions of tensors, and what each needs before it. Derived
// once, from network and plan; the price (cost_model.hpp), the tasks (sim/lower) and what is held in memory (footprint.hpp) are read
// from it.
//
// The list has what one micro-batch needs, forward through the operators and back; per operator backward:
//   the error of its output, from each reader (or from the loss), its error, its gradient, the gradient's sum, its update,
// and before a backward phase that is split otherwise than the forward phase, what it reads where it reads it. Gradients of weights that
// operators share are summed, and their copies updated, behind the last of them (weight_copies.hpp).
// A stage that recomputes its activations goes forward once more (Phase::recompute, within the pass of its errors) when the error of
// its last operator is there; tensors that came from other stages are not sent again.
// Without a pipeline that is the step. With one, the passes of a stage are run for one micro-batch after another, in the order of the
// stage's program (schedule.hpp); sums and updates are run once for several micro-batches.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "partition/geometry/equal_operators.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/step/conversion.hpp"

namespace tessera::partition {

using ActionId = Id<struct ActionTag>;

/// One piece of a step, on all accelerators of a stage (of the replica that has the micro-batch).
struct Action {
  workloads::OperatorId op;                            ///< on whose behalf
  workloads::Phase phase = workloads::Phase::forward;  ///< of which phase it is accounted
  Pass pass = Pass::forward;                           ///< never `backward`, which is two
  StagePart at = {};                                   ///< who does it; of a conversion, who sends
  std::optional<StageId> to = std::nullopt;  ///< conversion to another stage: who receives
  std::optional<Conversion> conversion = std::nullopt;  ///< none: computes that phase
  std::vector<ActionId> after = {};                     ///< what makes its operands

  [[nodiscard]] bool is_computation() const { return !conversion; }
};

/// Valid as long as the network and the plan that it was made from.
struct Step {
  /// How the operators of a stage are cut, and which of them are equal.
  struct Cuts {
    std::optional<Tiling> tiling;
    std::optional<EqualOperators> equal;
  };

  std::shared_ptr<workloads::Network const> network;  ///< of one micro-batch
  Plan const* plan = nullptr;
  IdVector<StageId, Stage> stages;  ///< one of all accelerators without a pipeline
  IdVector<ActionId, Action> actions = {};
  /// By operator, the one that stands for its copy of the weights: itself, unless an earlier one
  /// shares it.
  IdVector<workloads::OperatorId, workloads::OperatorId> weight_holders = {};
  /// By stage, as far as tiling_of() and equal_operators() were asked; of the step and its copies.
  std::shared_ptr<IdVector<StageId, Cuts>> cuts = {};
};

/// Requires a plan that is valid for the network. What is exchanged goes level by level.
[[nodiscard]] Step step_of(workloads::Network const& network, Plan const& plan);

/// The same, on an array that says how it makes its collectives (collectives.hpp), and whether sums
/// are padded: those of gradients of which all hold equal parts are (of others, what all send
/// together would not follow from how large the whole is).
[[nodiscard]] Step step_of(Problem const& problem, Plan const& plan);

/// How the operators of one of its stages are cut, on the stage's mesh: worked out once.
[[nodiscard]] Tiling const& tiling_of(Step const& step, StageId stage);
/// By tiling_of().
[[nodiscard]] EqualOperators const& equal_operators(Step const& step, StageId stage);

/// What a step computes, wherever it does: every phase of every operator, and one update of weights
/// that operators share.
struct Computation {
  workloads::OperatorId op;
  workloads::Phase phase = workloads::Phase::forward;
};
[[nodiscard]] std::vector<Computation> computations_of(workloads::Network const& network);

}  // namespace tessera::partition

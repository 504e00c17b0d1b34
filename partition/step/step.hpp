// The training step that a plan means: which computations and which conversions of tensors, and what each needs before it. Derived
// once, from network and plan; the price (cost_model.hpp), the tasks (sim/lower) and what is held in memory (footprint.hpp) are read
// from it.
//
// In the order of the list, one micro-batch goes forward through the operators and back; per operator backward:
//   the error of its output, from each reader (or from the loss), its error, its gradient, the gradient's sum, its update.
#pragma once

#include <optional>
#include <vector>

#include "partition/step/conversion.hpp"

namespace tessera::partition {

using ActionId = Id<struct ActionTag>;

/// One piece of a step, on all accelerators that take part in it.
struct Action {
  workloads::OperatorId op;                             ///< on whose behalf
  workloads::Phase phase = workloads::Phase::forward;   ///< of which phase it is accounted
  std::optional<Conversion> conversion = std::nullopt;  ///< none: computes that phase
  std::vector<ActionId> after = {};                     ///< what makes its operands

  [[nodiscard]] bool is_computation() const { return !conversion; }
};

/// Valid as long as the network and the plan that it was made from.
struct Step {
  IdVector<ActionId, Action> actions;
};

/// Requires a plan that is valid for the network.
[[nodiscard]] Step step_of(workloads::Network const& network, Plan const& plan);

}  // namespace tessera::partition

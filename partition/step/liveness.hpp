// What an accelerator holds of a micro-batch while its step goes on: which action makes a part of a tensor there, and which reads it
// last. Derived from the step's actions (step.hpp); the footprint (price/footprint.hpp) and the addresses of tensors (sim/lower) are
// read from it.
//
// With X -> [op] -> Y, forward makes Y from X, backward makes dX from dY (and from X, if errors depend on it), the gradient from X and
// dY; a conversion reads one part and makes another. So X is held until op's last backward phase, or where nothing reads it then, until
// op's forward phase; with recomputation it is made twice, and only what came from another part of the network is held in between.
//
// Phases that are split otherwise have parts of their own (but of weights, of which what they read elsewhere is not counted).
//
// A part that lies within another one of the same tensor is no tensor of its own, unless that would make what is kept for the backward
// passes larger. What comes from another part of the network counts from the pass that reads it: until then it waits at its sender.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "partition/step/step.hpp"

namespace tessera::partition {

struct LiveValue {
  enum class Kind { activation, error };
  Kind kind = Kind::activation;
  workloads::OperatorId holder;  ///< which keeps it for its backward phases, or else has made it
  std::size_t chunk = 0;         ///< of the stage
  Bytes bytes{0};
  ActionId made;
  ActionId last;         ///< that reads it
  bool is_kept = false;  ///< made on the way forward (or once more), read on the way back
};

/// Of a computation the first and second of what it reads and what it makes, as far as they are
/// values (backward phases: the error of the output, then an input).
using LiveOperands = std::array<std::optional<std::size_t>, 3>;

/// Of an accelerator (stage_values.hpp).
struct LiveValues {
  std::vector<LiveValue> values;
  IdVector<workloads::OperatorId, Bytes> weights;    ///< one version, at Step::weight_holders
  IdVector<workloads::OperatorId, Bytes> gradients;  ///< as long as the step takes
  IdVector<ActionId, LiveOperands> operands;
};

/// Does an order take both backward passes as one?
[[nodiscard]] bool has_backward_units(Order const& order);
/// The pass in which an action has its turn.
[[nodiscard]] Pass pass_of(Action const& action, bool in_backward_units);

/// The most bytes at once of all values, and of those that are kept for backward passes, while a
/// replica runs its order.
struct MostAlive {
  Bytes all{0};
  Bytes kept{0};
};
[[nodiscard]] MostAlive most_alive(Step const& step, LiveValues const& held, Order const& order);

/// The order of a stage without a schedule: each micro-batch forward and back, an update at the end
/// of each step.
[[nodiscard]] Order one_by_one(std::int64_t micro_batches, std::int64_t steps);

}  // namespace tessera::partition

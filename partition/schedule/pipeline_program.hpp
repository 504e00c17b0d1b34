// What every stage of a pipeline does, in which order: passes of micro-batches and updates of its weights.
//
// The shape of a pipeline says how many stages and replicas there are and what goes through them. Micro-batches are numbered
// over all steps: step k has k m .. (k+1) m - 1. Replica q of a stage with r replicas has the micro-batches b with b mod r = q.
// A stage with v chunks has v parts of the network, which are not neighbours: chunk c of stage s is part c p + s of the v p.
//
// Two stages, three micro-batches, one step of 1f1b (F forward, B backward, U update):
//
//   stage 0   F0 F1 B0 F2 B1 B2 U
//   stage 1   F0 B0 F1 B1 F2 B2 U
//
// The order is all that is said here: a pass starts when the one before it in its replica's order has ended and its inputs have
// arrived (order_check.hpp says which). An update begins when its gradients are there; where an array overlaps communication, passes
// that stand behind it but are not on its weights need not wait for it. Stages whose weights are tied to each other's add up their
// gradients: the k-th update of each begins when those of all are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tessera::partition {

enum class Pass {
  forward,
  backward,         ///< errors and gradients in one unit: the error leaves when both are there
  backward_data,    ///< errors only
  backward_weight,  ///< gradients only, after backward_data of the same micro-batch
  update,  ///< of all chunks' weights, by the gradients since the last update, of all replicas
};

/// A place in the order of a stage's replica.
struct Slot {
  Pass pass = Pass::forward;
  std::int64_t micro_batch = 0;  ///< none of an update's
  std::int64_t chunk = 0;        ///< none of an update's
  /// Weights after so many updates: those that a pass works on; of an update, those that it makes.
  std::int64_t version = 0;
};
[[nodiscard]] bool operator==(Slot const& a, Slot const& b);

using Order = std::vector<Slot>;

struct PipelineShape {
  std::vector<std::size_t> replicas;  ///< per stage
  std::int64_t chunks = 1;            ///< per stage
  std::int64_t micro_batches = 1;     ///< per step, of all replicas of a stage together
  std::int64_t steps = 1;
  /// Per stage, the others to whose weights its own are tied; empty: no stage's are.
  std::vector<std::vector<std::size_t>> tied = {};

  [[nodiscard]] std::vector<std::size_t> tied_to(std::size_t stage) const {
    return tied.empty() ? std::vector<std::size_t>{} : tied[stage];
  }
  [[nodiscard]] std::size_t stages() const { return replicas.size(); }
  [[nodiscard]] std::int64_t micro_batches_in_all() const { return micro_batches * steps; }
};

/// The replica of a stage that has a micro-batch: they take turns.
[[nodiscard]] std::size_t replica_of(PipelineShape const& shape, std::size_t stage,
                                     std::int64_t micro_batch);

/// The micro-batches begin .. end-1 that a replica has, in order.
[[nodiscard]] std::vector<std::int64_t> micro_batches_of(PipelineShape const& shape,
                                                         std::size_t stage, std::size_t replica,
                                                         std::int64_t begin, std::int64_t end);

struct PipelineProgram {
  PipelineShape shape;
  std::vector<std::vector<Order>> orders;  ///< per stage and replica
};

/// `order` with an update's version counted up from 1, and with every pass on the newest weights
/// when its micro-batch comes forward (PipeDream's weight stashing: backward on the same).
[[nodiscard]] Order on_newest_weights(Order order);

/// `order` with an update's version counted up from 1, and with a micro-batch's passes on
/// `version_of` it.
[[nodiscard]] Order on_weights(Order order,
                               std::function<std::int64_t(std::int64_t)> const& version_of);

/// `order`, which is of one step, in each of so many steps, on weights that are newer by the
/// updates of the steps before.
[[nodiscard]] Order repeated(Order const& order, std::int64_t micro_batches, std::int64_t steps);

/// `order` with each backward unit as backward_data and backward_weight, one right after the other:
/// the error leaves in between.
[[nodiscard]] Order with_split_backward(Order const& order);

}  // namespace tessera::partition

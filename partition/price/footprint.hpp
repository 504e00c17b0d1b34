// What a plan makes every accelerator hold, and whether its memory is large enough.
//
// Of every operator, in the layouts that its splits give them (layout.hpp, tiling.hpp: the very parts that are simulated), as long as the
// step's actions need them (step/liveness.hpp):
//   - its weights and their gradient, as large again, all the time, as frameworks that allocate them once have them; what several operators
//     share (step/weight_copies.hpp) is the first one's,
//   - kept: its inputs with their halos (halo.hpp), from the forward pass on until its backward passes have read them, if any does,
//
// With stages, an accelerator holds its own stage's operators, a micro-batch's activations as often as its program has micro-batches in
// flight, and as many versions of the weights as its passes need at once (schedule/order_check.hpp: high_water). Where the stage recomputes
// activations, what comes into it counts for each micro-batch in flight, and what it makes anew for those that go backward: PipeDream-2BW's
//   2|W|/d + |A_total(b)|/d + d |A_in(b)|
// (Narayanan et al., ICML 2021, section 3.3) with A_total read as what is made anew, which A_in is no part of.
//
// Left out, and counted apart (working_memory()): what is there for a while only, outputs until their readers have them, and errors. So a plan
// that is refused does not fit; one that is let through may be tight. Counted nowhere: partial sums and messages on their way, the state of
// other rules of update than plain gradient descent, buffers, code.
#pragma once

#include <optional>
#include <string>

#include "arch/base/config.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/traffic.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// What one accelerator holds, of one operator or of all.
struct Footprint {
  Bytes weights{0};
  Bytes gradients{0};
  Bytes activations{0};

  [[nodiscard]] Bytes total() const { return weights + gradients + activations; }
  Footprint& operator+=(Footprint const& other);
};

/// How often an accelerator of a stage holds what one micro-batch and one version of the weights
/// need, at most.
struct Copies {
  std::int64_t versions = 1;
  std::int64_t activations = 1;  ///< of all chunks together
  std::int64_t chunks = 1;
  std::int64_t recomputed = 1;  ///< of activations that are made anew, of all chunks together
};
[[nodiscard]] Copies copies_of(Pipeline const& pipeline, StageId stage, std::size_t replica);

/// Per operator, on `accelerator`. A tensor that several operators keep in one layout, or one in a
/// part of what another keeps, is counted for one of them only. Requires a plan that is valid for
/// the network.
[[nodiscard]] IdVector<workloads::OperatorId, Footprint> footprints(
    workloads::Network const& network, Plan const& plan, std::size_t accelerator);

/// What an accelerator needs beyond its footprint at the fullest moment of a step: outputs and
/// errors, as far as they do not replace what was kept.
[[nodiscard]] Bytes working_memory(workloads::Network const& network, Plan const& plan,
                                   std::size_t accelerator);
/// The same, where the plan's step is known.
[[nodiscard]] Bytes working_memory(Step const& step, std::size_t accelerator);

/// The accelerator whose memory the plan fills most.
struct Fullest {
  std::size_t accelerator = 0;
  Footprint footprint;
  Bytes capacity{0};
  workloads::OperatorId heaviest;  ///< the operator with the largest footprint there
  Bytes of_heaviest{0};

  [[nodiscard]] bool fits() const { return footprint.total() <= capacity; }
  /// As a fraction of what is there: over 1 where it does not fit.
  [[nodiscard]] double filled() const {
    return static_cast<double>(footprint.total().value()) / static_cast<double>(capacity.value());
  }
};
[[nodiscard]] Fullest fullest(Problem const& problem, Plan const& plan);
/// The same, where the plan's step is known.
[[nodiscard]] Fullest fullest(Problem const& problem, Step const& step);

/// What becomes of a plan that makes an accelerator hold more than its memory has: refused, looked
/// away from, or replaced by one that fits (search/fit_search.hpp; by planners that have a choice
/// and a cost per operator: hypar, accpar, optcnn, exhaustive). The option `fit` is of every
/// planner, and of plans from files.
enum class Fit { reject, ignore, search };
[[nodiscard]] Fit fit_from(ConfigMap& options);

/// Throws ConfigError, in one line, unless the plan fits or `fit` says not to look.
void check_fit(Problem const& problem, Plan const& plan, Fit fit);

/// For planners: elements that the accelerator with the larger share at every level holds of an
/// operator whose splits so far are these, as a fraction of whole tensors, without halos. An input
/// counts for every operator that keeps it, and so do weights for all that share them.
[[nodiscard]] double elements_held(workloads::Network const& network, workloads::OperatorId op,
                                   Splits const& splits, ArrayShape const& shape = {});

}  // namespace tessera::partition

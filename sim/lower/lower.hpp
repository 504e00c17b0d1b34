// Lowering: a plan becomes tasks. Pure.
#pragma once

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "partition/step/step.hpp"
#include "sim/task/task_graph.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// The task graph of one training step: forward through the operators, backward in reverse, each
/// phase a load, a computation and a store per accelerator, and between them the transfers that the
/// layouts demand (partition/geometry/reshard.hpp), hierarchy level by level or as the array makes
/// its collectives. Requires a plan that is valid for network and array.
[[nodiscard]] TaskGraph lower(workloads::Network const& network, arch::ArraySpec const& array,
                              partition::Plan const& plan);

/// The same for the representatives of a folding only, which must be one that the plan allows
/// (partition::symmetry), and for several steps. Without a schedule an operator begins its next
/// step when its weights are updated and its inputs are there; with one, stages do what their
/// programs say.
[[nodiscard]] TaskGraph lower(workloads::Network const& network, arch::ArraySpec const& array,
                              partition::Plan const& plan, Folding const& folding,
                              std::int64_t steps = 1);

/// The same, where the plan's step on that array is known.
[[nodiscard]] TaskGraph lower(arch::ArraySpec const& array, partition::Plan const& plan,
                              partition::Step const& step, Folding const& folding,
                              std::int64_t steps = 1);

}  // namespace tessera::sim

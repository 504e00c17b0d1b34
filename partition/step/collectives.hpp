// By which algorithm each sum and each gather of a step is made: what the array's file says (execution.collectives), or the cheapest.
#pragma once

#include "arch/array/topology.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// Sets Conversion::collective of a step's conversions; none where it goes level by level. Of
/// several that are equally cheap the first of ExecutionSpec::Collectives::candidates.
void choose_collectives(Problem const& problem, Step& step);

/// Exchanges between positions of a mesh, one step or round after another: each takes until the
/// busiest lane has carried its bytes (Topology::exchange_time; no latencies).
[[nodiscard]] Time exchange_time(arch::Topology const& topology, DeviceMesh const& mesh,
                                 Bytes element_size, std::vector<ReshardStep> const& steps);

}  // namespace tessera::partition

// What a run file says of a run before it begins: the resolved configuration, names, the drawn fabric, the plan and its price.
#pragma once

#include "partition/plan/plan.hpp"
#include "sim/study/experiment.hpp"
#include "traces/event.hpp"

namespace tessera::sim {

/// All but the plan.
[[nodiscard]] traces::RunDescription describe(Experiment const& experiment);

/// The price phase by phase is there where the run is written to a file.
[[nodiscard]] traces::RunDescription describe(Experiment const& experiment,
                                              partition::Plan const& plan);

}  // namespace tessera::sim

// Plans by simulating them, one after another in one process: what `simulate` would say of each, without a report.
#pragma once

#include "partition/planners/evaluator.hpp"
#include "sim/model/array/hardware_models.hpp"

namespace tessera::sim {

/// Lowers and runs on sim/engine. Tile programs and records of computations are kept from plan to
/// plan; a simulation ends as soon as it takes longer than allowed. No answer for a plan that
/// cannot make progress, or takes longer than a Time can count.
[[nodiscard]] partition::EvaluatorMaker by_simulation(HardwareModels models = {});

}  // namespace tessera::sim

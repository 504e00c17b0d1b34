// Stages of a run: how busy they were, what they waited for each other, and whether they came to a steady state.
#pragma once

#include <vector>

#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

/// By stage and accelerator. A bubble is time between a stage's first work on an accelerator and
/// its last in which it had none: neither a computation nor an access to its memory was under way,
/// nor an exchange within the stage, nor did it wait for members of the stage.
[[nodiscard]] std::vector<traces::StageEntry> stage_entries(Outcome const& outcome);

/// When the last task of the first step was done.
[[nodiscard]] Time first_step_end(Outcome const& outcome);

/// None of fewer than 3 steps.
[[nodiscard]] std::optional<traces::SteadyState> steady_state(Outcome const& outcome);

}  // namespace tessera::sim::outcome

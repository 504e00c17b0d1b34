// Every finished task as an event of the trace.
#pragma once

#include <optional>

#include "sim/outcome/explanation.hpp"
#include "traces/sink.hpp"

namespace tessera::sim::outcome {

/// Hands every finished task of every accelerator, or of those that were simulated
/// (Sink::keeps_mirrored_tasks()), to sink.record(), in order of (end, number), with
/// what it waited for where the run is explained.
void record_tasks(Outcome const& outcome, std::optional<Explanation>& why, traces::Sink& sink);

}  // namespace tessera::sim::outcome

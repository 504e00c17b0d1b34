// Every finished task as an event of the trace.
#pragma once

#include "sim/outcome/summary.hpp"
#include "traces/sink.hpp"

namespace tessera::sim::outcome {

/// Hands every finished task of every accelerator to sink.record(), in order of (end, number).
/// Tasks are numbered accelerator by accelerator, each one's in the order of its program.
void record_tasks(Outcome const& outcome, traces::Sink& sink);

}  // namespace tessera::sim::outcome

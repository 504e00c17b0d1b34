// What a run file says of the network, the array and the plan of the run, for the page of `tessera report`.
#pragma once

#include "sim/study/result.hpp"
#include "traces/run_file.hpp"

namespace tessera::sim {

/// Adds "config", "hardware" (where its constants are from), "plan" (its table with repeated
/// layers folded, stages, schedule) and "samples" (of a step). What this version of the program
/// cannot read of another's file is left out, and "unreadable" says why.
void add_setup(Json& data, traces::RunFile const& run);

}  // namespace tessera::sim

// Whether a run may replace a run file: only when it is the same experiment again, by this or another version of the program.
#pragma once

#include <optional>
#include <string>

#include "traces/event.hpp"
#include "traces/trace_level.hpp"

namespace tessera::traces {

/// Throws ConfigError unless `path` holds nothing, or a run that agrees with `run` in network,
/// array, plan (but for its prediction), seed, trace and options. Without a plan in `run`, the
/// planners' names are compared; without a level, that some tasks are there.
void check_same_run(std::string const& path, RunDescription const& run,
                    std::optional<TraceLevel> level);

}  // namespace tessera::traces

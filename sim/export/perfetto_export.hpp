// A run file as a trace that ui.perfetto.dev opens.
//
// Every accelerator is a process. Its tasks are slices, on a track for each kind of task; of a transfer there are two, on the sender's
// track "send" and on the receiver's "receive", with an arrow between them. Tasks that overlap are spread over several tracks of one
// name. Tasks that take no time are instants. What is busy how much over time is a counter in per cent (of a link: of all its lanes);
// what was counted in the whole run stands at its end. Of the tasks only a piece is in memory, and of what was written the end of each
// track.
//
// Perfetto counts whole nanoseconds. A task that does not begin and end at one has its picoseconds beside it; or all picoseconds are
// shown as nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "traces/overwrite.hpp"
#include "traces/run_file.hpp"

namespace tessera::sim {

struct PerfettoOptions {
  bool shows_picoseconds = false;  ///< as nanoseconds
  bool is_folded = false;          ///< the steady state is shown as one of its periods
  traces::Overwrite overwrite = traces::Overwrite::same;
};

/// What was written.
struct PerfettoSummary {
  std::int64_t slices = 0;
  std::int64_t instants = 0;
  std::int64_t flows = 0;
  std::int64_t counts = 0;          ///< values of counters
  std::int64_t folded_periods = 0;  ///< that are shown as one; 0: nothing is folded
};

/// Tells how many tasks are done.
using TasksDone = std::function<void(std::size_t)>;

/// Writes the trace of a run that has tasks. Throws ConfigError when it cannot be written, and when
/// it is to be folded and has no steady state of two periods.
[[nodiscard]] PerfettoSummary export_perfetto(traces::RunFile const& run, std::string const& path,
                                              PerfettoOptions const& options,
                                              TasksDone const& done);

}  // namespace tessera::sim

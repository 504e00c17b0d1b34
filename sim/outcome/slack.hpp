// How much later each task could end without a later end of the run, if all else kept its order and lasted as long.
//
//   slack(A) = min over what waits for A of (how long it had waited for something else when A was done + its own slack)
//
// where a task that waits for its unit may be issued later by as much, members of a barrier share one slack, and a transfer of several
// rounds may begin as late as those allow that pass them on. Leaves out: that times
// are rounded to edges of clocks, and that links and memories serve what comes later at another time.
#pragma once

#include "sim/outcome/recorded_rounds.hpp"
#include "sim/outcome/waits.hpp"

namespace tessera::sim::outcome {

/// By task. Of a complete run.
[[nodiscard]] IdVector<TaskId, Time> slacks(Outcome const& outcome, UnitTimes const& times,
                                            RecordedRounds const& rounds, Waits const& waits);

}  // namespace tessera::sim::outcome

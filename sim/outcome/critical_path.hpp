// The critical path of a run: the chain of tasks, each of which waited for the one before, whose times add up to the run's.
//
// It is found backwards from the task that ended last (of several, the one with the lowest number): what a task waited for last is in front
// of it (waits.hpp), up to a task that waited for nothing; of a transfer of several rounds, what the one waited for in its ring that kept
// back its last round. Every piece of time between has a task and a cause, so the pieces follow each
// other from 0 to the end without a gap, whatever the run. Nothing here is on the simulator's way: it is worked out after the run.
//
// Where stages follow a schedule, what the path does before it first comes to the stage where it spends most of a step, and after it last
// leaves it, counts as bubble: that stage is not filled yet, or drained already.
#pragma once

#include <vector>

#include "sim/outcome/recorded_rounds.hpp"
#include "sim/outcome/waits.hpp"
#include "traces/event.hpp"

namespace tessera::sim::outcome {

enum class PathCause : std::uint8_t {
  compute,        ///< the processing unit computes
  memory,         ///< loads and stores, and computations that wait for tiles (put at their ends)
  communication,  ///< as long as a transfer takes on an idle fabric
  wait,           ///< a transfer takes longer, as others use its links
  dispatch,       ///< messages between a dispatcher and its units
  barrier,        ///< from when the last member has reached it until all are released
  bubble,         ///< a schedule fills and drains its longest stage
};
/// In the order of PathCause.
[[nodiscard]] std::vector<std::string> const& path_cause_names();

/// In order of time. Of a complete run.
[[nodiscard]] std::vector<traces::PathEntry> critical_path(Outcome const& outcome, UnitTimes& times,
                                                           RecordedRounds const& rounds,
                                                           TaskNumbers const& numbers,
                                                           Waits const& waits);

}  // namespace tessera::sim::outcome

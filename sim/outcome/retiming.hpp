// Goes through the tasks of a run once more, in the order in which they were issued, with other durations. Where a task arrives at its unit
// earlier than one that was issued before it, it is served first (free_times.hpp).
//
// Several questions are answered in one pass, as lanes of it: what a task waits for is looked up once for all.
#pragma once

#include <array>
#include <vector>

#include "sim/outcome/durations.hpp"
#include "sim/outcome/rerun_tasks.hpp"

namespace tessera::sim::outcome {

/// Does a task wait for others at its unit?
enum class Queues : std::uint8_t { ignored, observed };

/// A run of the same tasks.
struct Rerun {
  Durations const* durations = nullptr;  ///< outlives the pass
  Queues queues = Queues::observed;
};

/// When the last task of each ends.
[[nodiscard]] std::vector<Time> ends_of(RerunTasks const& tasks, std::vector<Rerun> const& reruns);

}  // namespace tessera::sim::outcome

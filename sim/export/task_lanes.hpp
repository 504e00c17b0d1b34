// The tasks of a run as a timeline draws them: in lanes in which nothing overlaps, lane by lane and in order of time in each.
//
// An accelerator has lanes for what it computes, for what it loads and stores, for what it sends, and for its barriers, as many as
// overlap (sim/export/lanes.hpp). A processing unit does one task after another: a computation begins when it was issued and the one
// before it has ended, so that there is one lane for them. A transfer is in a lane of its sender. What takes no time is not drawn. All tasks are in memory, less
// than 100 bytes each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/export/perfetto_export.hpp"
#include "traces/event.hpp"
#include "traces/run_file.hpp"

namespace tessera::sim {

struct TaskLane {
  std::int64_t accelerator = 0;
  std::string unit;        ///< "compute", "memory", "send", "barrier"
  std::int64_t tasks = 0;  ///< how many are in it
};

struct LanedTask {
  traces::TaskEvent event;
  Time begin{0};  ///< of what is drawn: not before event.start
};

struct LanedTasks {
  std::vector<TaskLane> lanes;  ///< by accelerator, then by unit
  std::vector<LanedTask> tasks;
  std::int64_t instants = 0;  ///< tasks that take no time
  bool has_causes = false;    ///< the file says what each waited for
};

[[nodiscard]] LanedTasks laned_tasks(traces::RunFile const& run, TasksDone const& done);

}  // namespace tessera::sim

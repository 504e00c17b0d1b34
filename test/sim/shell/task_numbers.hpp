// Which task of a graph an event of its run is about.
#pragma once

#include <vector>

#include "sim/model/control/schedule.hpp"

namespace tessera::sim {

/// Tasks by the numbers that they have in a trace: accelerator by accelerator.
inline std::vector<TaskId> tasks_by_number(TaskGraph const& graph) {
  Schedule const schedule{graph};
  std::vector<TaskId> tasks;
  for (std::size_t index = 0; index < graph.accelerators(); ++index) {
    auto const own = schedule.tasks_of(AcceleratorId{index});
    tasks.insert(tasks.end(), own.begin(), own.end());
  }
  return tasks;
}

}  // namespace tessera::sim

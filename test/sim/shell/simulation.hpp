// A run and everything that came out of it.
#pragma once

#include <string>

#include "sim/shell/run.hpp"
#include "test/sim/shell/task_builder.hpp"
#include "test/sim/shell/task_numbers.hpp"

namespace tessera::sim {

class Simulation {
 public:
  Simulation(arch::ArraySpec const& array, TaskGraph const& tasks, RunOptions const& options = {})
      : numbers{tasks_by_number(tasks)}, report{run(array, tasks, sink, options)} {}

  [[nodiscard]] Time time() const { return report.summary.time; }
  [[nodiscard]] Time end_of(TaskId task) const {
    for (auto const& event : sink.events) {
      if (numbers.at(static_cast<std::size_t>(event.task)) == task) return event.end;
    }
    return Time{-1};
  }
  [[nodiscard]] std::int64_t counter(std::string const& resource, std::string const& name) const {
    for (auto const& counter : report.summary.counters) {
      if (counter.resource == resource && counter.name == name) return counter.value;
    }
    return -1;
  }
  [[nodiscard]] std::int64_t events(std::string const& component, std::string const& event) const {
    for (auto const& entry : report.summary.energy) {
      if (entry.component == component && entry.event == event) return entry.count;
    }
    return -1;
  }

  std::vector<TaskId> numbers;
  MemorySink sink;
  Report report;
};

}  // namespace tessera::sim

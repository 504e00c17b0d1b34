// A task graph turned round for dispatchers: each accelerator's own tasks, and what waits for each task. Built once, shared, never
// changed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class Schedule final {
 public:
  /// `graph` must outlive the schedule.
  explicit Schedule(TaskGraph const& graph);

  [[nodiscard]] TaskGraph const& graph() const { return graph_; }
  /// The tasks that run on `accelerator`, in id order.
  [[nodiscard]] TaskRange tasks_of(AcceleratorId accelerator) const {
    return own_.row(accelerator.index());
  }
  /// The place of `task` among the tasks of its accelerator.
  [[nodiscard]] std::size_t place(TaskId task) const { return places_[task].number; }
  /// Beside its place: without a look at the task.
  [[nodiscard]] AcceleratorId accelerator(TaskId task) const { return places_[task].accelerator; }
  /// The tasks that wait for `task`, in id order.
  [[nodiscard]] TaskRange successors(TaskId task) const { return successors_.row(task.index()); }
  /// Number of edges of the graph.
  [[nodiscard]] std::size_t dependencies() const { return successors_.tasks(); }

 private:
  struct Place {
    AcceleratorId accelerator;
    std::uint32_t number = 0;  ///< among its tasks
  };

  /// Collects (row, id) pairs; `for_each_pair(visit)` must enumerate them twice alike.
  template <typename ForEachPair>
  [[nodiscard]] static TaskRows collect(std::size_t rows, ForEachPair for_each_pair);

  TaskGraph const& graph_;
  TaskRows own_;
  TaskRows successors_;
  IdVector<TaskId, Place> places_;
};

}  // namespace tessera::sim

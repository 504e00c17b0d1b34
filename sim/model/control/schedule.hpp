// A task graph turned round for dispatchers: each accelerator's own tasks, and what waits for each task. Built once, shared, never
// changed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// A view of consecutive task ids.
class TaskRange final {
 public:
  TaskRange(TaskId const* first, TaskId const* last) : first_{first}, last_{last} {}
  [[nodiscard]] TaskId const* begin() const { return first_; }
  [[nodiscard]] TaskId const* end() const { return last_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  [[nodiscard]] bool empty() const { return first_ == last_; }
  [[nodiscard]] TaskId operator[](std::size_t index) const { return first_[index]; }

 private:
  TaskId const* first_;
  TaskId const* last_;
};

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
  [[nodiscard]] std::size_t place(TaskId task) const { return places_[task]; }
  /// The tasks that wait for `task`, in id order.
  [[nodiscard]] TaskRange successors(TaskId task) const { return successors_.row(task.index()); }

 private:
  /// Rows of task ids of different lengths, in one array.
  struct Rows {
    std::vector<std::size_t> starts;  ///< one more than there are rows
    std::vector<TaskId> ids;
    [[nodiscard]] TaskRange row(std::size_t index) const;
  };
  /// Collects (row, id) pairs; `for_each_pair(visit)` must enumerate them twice alike.
  template <typename ForEachPair>
  [[nodiscard]] static Rows collect(std::size_t rows, ForEachPair for_each_pair);

  TaskGraph const& graph_;
  Rows own_;
  Rows successors_;
  IdVector<TaskId, std::uint32_t> places_;
};

}  // namespace tessera::sim

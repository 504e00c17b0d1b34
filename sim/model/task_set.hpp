// A small ordered set of tasks. Few are outstanding at a time, so a sorted vector beats a tree and does not allocate for long.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class TaskSet final {
 public:
  /// Requires that `task` is not in the set.
  void insert(TaskId task) {
    auto const place = std::lower_bound(tasks_.begin(), tasks_.end(), task);
    EXPECTS(place == tasks_.end() || *place != task, task);
    tasks_.insert(place, task);
  }

  /// Requires that `task` is in the set.
  void erase(TaskId task) {
    auto const place = std::lower_bound(tasks_.begin(), tasks_.end(), task);
    EXPECTS(place != tasks_.end() && *place == task, task);
    tasks_.erase(place);
  }

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] TaskId lowest() const { return tasks_.front(); }
  [[nodiscard]] std::vector<TaskId> const& in_order() const { return tasks_; }

 private:
  std::vector<TaskId> tasks_;
};

}  // namespace tessera::sim

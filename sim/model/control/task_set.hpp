// Tasks that are under way, in the order in which they began. Few are at a time, so a vector beats a tree and does not allocate for
// long.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class TaskSet final {
 public:
  /// Requires that `task` is not in the set.
  void insert(TaskId task) {
    EXPECTS(!contains(task), task);
    tasks_.push_back(task);
  }

  /// Requires that `task` is in the set.
  void erase(TaskId task) {
    auto const place = std::find(tasks_.begin(), tasks_.end(), task);
    EXPECTS(place != tasks_.end(), task);
    tasks_.erase(place);
  }

  [[nodiscard]] bool contains(TaskId task) const {
    return std::find(tasks_.begin(), tasks_.end(), task) != tasks_.end();
  }
  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  /// The one that began first. Units serve tasks in the order in which they get them, so it is the
  /// one that runs.
  [[nodiscard]] TaskId oldest() const { return tasks_.front(); }

 private:
  std::vector<TaskId> tasks_;
};

}  // namespace tessera::sim

// One accelerator's share of the breakdown: which activity it is in, and on whose behalf.
#pragma once

#include <array>

#include "sim/model/control/task_set.hpp"
#include "sim/model/record/breakdown.hpp"

namespace tessera::sim {

/// Every instant from 0 to the end of the run counts for exactly one activity: the first in the
/// order of Activity that has an outstanding task, on behalf of the oldest such task; idle time on
/// behalf of the task completed last (before any: of the accelerator's first).
class ActivityMeter final {
 public:
  /// `first` is what an idle accelerator is said to wait for before anything completed.
  ActivityMeter(TaskGraph const& graph, Task first, Breakdown& breakdown);

  /// Accounts for the time since the last call with the state as it is. To be called before the
  /// state changes at `now`.
  void account_until(Time now);

  void begin(Activity activity, TaskId task) { tasks_of(activity).insert(task); }
  void end(Activity activity, TaskId task) { tasks_of(activity).erase(task); }
  /// Of the time that a computation took, this much went by waiting for memory.
  void waited(TaskId task, Time time) {
    breakdown_.move(graph_.at(task), Activity::compute, Activity::memory, time);
  }
  void completed(TaskId task) { last_completed_ = graph_.at(task); }

  /// Tasks that have begun an activity and not ended it; idle: those that wait at a barrier.
  [[nodiscard]] TaskSet const& outstanding(Activity activity) const {
    return outstanding_[static_cast<std::size_t>(activity)];
  }

 private:
  [[nodiscard]] TaskSet& tasks_of(Activity activity) {
    return outstanding_[static_cast<std::size_t>(activity)];
  }

  TaskGraph const& graph_;
  Breakdown& breakdown_;
  std::array<TaskSet, activity_count> outstanding_;
  Task last_completed_;
  Time accounted_{0};
};

}  // namespace tessera::sim

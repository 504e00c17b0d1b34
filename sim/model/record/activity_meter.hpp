// One accelerator's share of the breakdown: which activity it is in, and on whose behalf.
#pragma once

#include "sim/model/control/schedule.hpp"
#include "sim/model/record/breakdown.hpp"
#include "sim/model/record/outstanding_tasks.hpp"

namespace tessera::sim {

/// Every instant from 0 to the end of the run counts for exactly one activity: the first in the
/// order of Activity that has an outstanding task, on behalf of the oldest such task; idle time on
/// behalf of the task completed last (before any: of the accelerator's first).
class ActivityMeter final {
 public:
  /// Before anything completed, an idle accelerator is said to wait for its first task.
  ActivityMeter(AcceleratorId accelerator, Schedule const& schedule, Breakdown& breakdown);

  /// Accounts for the time since the last call with the state as it is. To be called before the
  /// state changes at `now`.
  void account_until(Time now);

  void begin(Activity activity, TaskId task) {
    outstanding_.insert(activity, schedule_.place(task));
  }
  void end(Activity activity, TaskId task) { outstanding_.erase(activity, schedule_.place(task)); }
  /// Of the time that a computation took, this much went by waiting for memory.
  void waited(TaskId task, Time time) {
    breakdown_.move(schedule_.graph().at(task), Activity::compute, Activity::memory, time);
  }
  void completed(TaskId task) { last_completed_ = schedule_.graph().at(task); }

  /// Has `task` begun an activity and not ended it? Idle: it waits at a barrier.
  [[nodiscard]] bool is_outstanding(Activity activity, TaskId task) const {
    return outstanding_.contains(activity, schedule_.place(task));
  }

 private:
  Schedule const& schedule_;
  TaskRange tasks_;  ///< the accelerator's
  Breakdown& breakdown_;
  OutstandingTasks outstanding_;
  Task last_completed_;  ///< before any: the first
  Time accounted_{0};
};

}  // namespace tessera::sim

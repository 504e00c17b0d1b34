// What every task waited for last, from the task graph and from when tasks started and ended. Ties go to the lowest number, so the answer
// is the same however a run was driven, and whether the array was folded or not.
#pragma once

#include <optional>
#include <vector>

#include "sim/outcome/receivers.hpp"
#include "sim/outcome/task_numbers.hpp"
#include "sim/outcome/unit_times.hpp"

namespace tessera::sim::outcome {

enum class WaitCause : std::uint8_t {
  none,     ///< it began at once
  data,     ///< what it reads, from its own accelerator or from another
  unit,     ///< its processing unit or memory, which was at work for another task
  link,     ///< its accelerator's first link, which carried another transfer
  program,  ///< the pass before, of another micro-batch: the order of the schedule
  barrier,  ///< a barrier that others reached later
};
/// In the order of WaitCause.
[[nodiscard]] std::vector<std::string> wait_cause_names();

struct Wait {
  std::optional<TaskCopy> task;  ///< none: of nothing
  WaitCause cause = WaitCause::none;
  Time until{0};  ///< it could go on
};

class Waits final {
 public:
  /// All must outlive it.
  Waits(Outcome const& outcome, UnitTimes const& times, TaskNumbers const& numbers);

  /// The last thing: its unit, or else what it was issued after; of a member of a barrier that
  /// others reached later, the last of them.
  [[nodiscard]] Wait last_wait(TaskCopy const& copy) const;

  /// What it was issued after (of several rounds the first): of its predecessors the one that was
  /// done last.
  [[nodiscard]] Wait before_issue(TaskCopy const& copy) const;

  /// Who reached a barrier last: the member itself, if nobody came later.
  [[nodiscard]] TaskCopy last_member(TaskCopy const& member) const;

  /// Of a task before that of `copy`, or that comes to its accelerator: the copy that does.
  [[nodiscard]] TaskCopy copy_of(TaskId before, TaskCopy const& copy) const;

  /// When the dispatcher of a task's accelerator was told of a predecessor that it is done with it.
  [[nodiscard]] Time release(TaskId before, AcceleratorId at) const;

 private:
  struct Arrival {
    Time at{0};
    TaskCopy member;
    bool is_known = false;
  };

  void reach(TaskId id);
  [[nodiscard]] Time arrival(TaskId barrier) const;
  [[nodiscard]] WaitCause cause_of(TaskId before, TaskId task) const;

  TaskGraph const& graph_;
  Journal const& journal_;
  Blueprint const& blueprint_;
  UnitTimes const& times_;
  TaskNumbers const& numbers_;
  Receivers receivers_;
  IdVector<BarrierId, Arrival> last_arrivals_;
};

}  // namespace tessera::sim::outcome

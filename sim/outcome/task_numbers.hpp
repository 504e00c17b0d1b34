// Tasks of the whole array: of copies, too, of the accelerators that were simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/control/schedule.hpp"

namespace tessera::sim::outcome {

/// A task of an accelerator that may be a copy of the one that was simulated.
struct TaskCopy {
  TaskId task;
  std::size_t accelerator = 0;  ///< of the whole array
};

/// Accelerator by accelerator, each one's tasks in the order of its program: the same numbers
/// whether an array was folded or not.
class TaskNumbers final {
 public:
  /// `schedule` must outlive it.
  explicit TaskNumbers(Schedule const& schedule) : schedule_{schedule} {
    auto const& folding = schedule.graph().folding();
    std::int64_t next = 0;
    for (std::size_t index = 0; index < folding.accelerators(); ++index) {
      first_.push_back(next);
      auto const tasks = schedule.tasks_of(AcceleratorId{folding.representative(index)});
      next += static_cast<std::int64_t>(tasks.size());
    }
  }

  [[nodiscard]] std::int64_t of(TaskCopy const& copy) const {
    return first_[copy.accelerator] + static_cast<std::int64_t>(schedule_.place(copy.task));
  }

 private:
  Schedule const& schedule_;
  std::vector<std::int64_t> first_;  ///< by accelerator of the whole array
};

}  // namespace tessera::sim::outcome

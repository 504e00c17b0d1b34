// The tasks of a run as reruns go through them: in the order in which they were issued, with all that a rerun asks of each side by side.
// What a task waits for was issued shortly before it, so the times of both are near in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/outcome/unit_times.hpp"

namespace tessera::sim::outcome {

/// A task, and what was recorded of it.
struct RerunTask {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  TaskId id;
  AcceleratorId runs_at;
  AcceleratorId ends_at;           ///< where it completes
  std::uint32_t ahead = none;      ///< what the unit served before it
  std::uint32_t first_before = 0;  ///< what it waits for, up to the next task's
  std::uint32_t barrier = none;
  Time served{0};  ///< from when the unit took it up
  Time free{0};    ///< likewise
  TaskKind kind = TaskKind::compute;
};

class RerunTasks final {
 public:
  /// What a task waits for, and what of it.
  struct Before {
    enum class What : std::uint8_t { end, leaving, barrier };
    std::uint32_t index = 0;  ///< of a task, in order, or of a barrier
    What what = What::end;
  };

  /// Of a complete run. All must outlive it.
  RerunTasks(Outcome const& outcome, UnitTimes& times);

  /// In order.
  [[nodiscard]] std::vector<RerunTask> const& all() const { return tasks_; }
  [[nodiscard]] Before const* before_begin(std::size_t index) const {
    return before_.data() + tasks_[index].first_before;
  }
  [[nodiscard]] Before const* before_end(std::size_t index) const {
    auto const is_last = index + 1 == tasks_.size();
    return before_.data() + (is_last ? before_.size() : tasks_[index + 1].first_before);
  }

  [[nodiscard]] TaskGraph const& graph() const { return graph_; }
  [[nodiscard]] Blueprint const& blueprint() const { return blueprint_; }
  /// Through the router of an accelerator, if it has one.
  [[nodiscard]] Time router(AcceleratorId accelerator) const { return idle_.router(accelerator); }

 private:
  [[nodiscard]] RerunTask made(TaskId id, UnitTime const& time,
                               IdVector<TaskId, std::uint32_t> const& places);

  TaskGraph const& graph_;
  Blueprint const& blueprint_;
  IdleTransfers const& idle_;
  std::vector<RerunTask> tasks_;
  std::vector<Before> before_;
};

}  // namespace tessera::sim::outcome

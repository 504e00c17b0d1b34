// Why a run took as long as it did: what every task waited for, how much slack it had, and the critical path. Worked out after a complete
// run from what was recorded, in time and memory linear in its tasks and their dependencies (but for sorting); nothing is asked of the cores.
#pragma once

#include <optional>

#include "sim/outcome/recorded_rounds.hpp"
#include "sim/outcome/slack.hpp"
#include "sim/outcome/waits.hpp"

namespace tessera::sim::outcome {

class Explanation final {
 public:
  /// `outcome` must outlive it, and be of a complete run.
  explicit Explanation(Outcome const& outcome);
  Explanation(Explanation const&) = delete;
  Explanation& operator=(Explanation const&) = delete;
  Explanation(Explanation&&) = delete;
  Explanation& operator=(Explanation&&) = delete;
  ~Explanation() = default;

  /// What the summary has of it.
  void complete(traces::RunSummary& summary);

  /// The columns of an event of a task.
  void complete(traces::TaskEvent& event, TaskCopy const& copy);

 private:
  Outcome const& outcome_;
  TaskNumbers numbers_;
  UnitTimes times_;
  RecordedRounds rounds_;
  Waits waits_;
  std::optional<IdVector<TaskId, Time>> slacks_;  ///< from the first event on
};

}  // namespace tessera::sim::outcome

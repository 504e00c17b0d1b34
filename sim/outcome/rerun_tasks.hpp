// The tasks of a run as reruns go through them: in the order in which they were issued, with all that a rerun asks of each side by side.
// What a task waits for was issued shortly before it, so the times of both are near in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/outcome/link_queues.hpp"
#include "sim/outcome/recorded_rounds.hpp"
#include "sim/outcome/unit_times.hpp"

namespace tessera::sim::outcome {

/// What is known of a computation besides when it began and ended.
struct RerunComputation {
  bool has_tiles = false;
  Cycles computed{0};       ///< tile by tile; on units without tiles, from begin to end
  Cycles kernel_starts{0};  ///< 0 on units without tiles
  Time starts{0};           ///< these
  Time behind{0};           ///< TaskWork::behind_loads
  Time waited{0};           ///< for its memory
  Time moved{0};            ///< all that it moves, over its memory's peak, if that has one
};

/// What is known of a transfer of several rounds.
struct RerunRounds {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  AcceleratorId sender;
  AcceleratorId receiver;
  std::uint32_t shape = 0;
  std::uint32_t ring = 0;
  std::uint32_t rounds = 1;
  std::uint32_t left_after = none;  ///< RerunTask::leaving of RecordedRounds::left_after()
};

/// A task, and what was recorded of it.
struct RerunTask {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  TaskId id;
  AcceleratorId runs_at;
  AcceleratorId ends_at;        ///< where it completes
  std::uint32_t end = 0;        ///< number of its end; of a barrier's member: of the barrier
  std::uint32_t unit = none;    ///< where it waits for others, if anywhere
  std::uint32_t rounds = none;  ///< number of a transfer of several
  std::uint32_t computation = none;
  std::uint32_t leaving = none;    ///< number of a transfer whose link has a queue
  std::uint32_t first_before = 0;  ///< what it waits for, up to the next task's
  Time served{0};                  ///< from when the unit took it up
  Time free{0};                    ///< likewise
  TaskKind kind = TaskKind::compute;
  bool waits = false;        ///< for others that its unit serves
  bool has_leaving = false;  ///< transfer: a second end behind the first, when it has left
};

class RerunTasks final {
 public:
  /// What a task waits for.
  class Before final {
   public:
    /// An end, a barrier, or of a transfer of several rounds that all have come or have left.
    enum class Kind : std::uint32_t { end, barrier, rounds, rounds_left };

    Before(std::uint32_t number, Kind kind)
        : bits_{number << 2U | static_cast<std::uint32_t>(kind)} {}
    [[nodiscard]] std::uint32_t number() const { return bits_ >> 2U; }
    [[nodiscard]] Kind kind() const { return static_cast<Kind>(bits_ & 3U); }

   private:
    std::uint32_t bits_;
  };

  /// Of a complete run. All must outlive it.
  RerunTasks(Outcome const& outcome, UnitTimes& times, RecordedRounds const& rounds);

  /// In order.
  [[nodiscard]] std::vector<RerunTask> const& all() const { return tasks_; }
  [[nodiscard]] Before const* before_begin(std::size_t index) const {
    return before_.data() + tasks_[index].first_before;
  }
  [[nodiscard]] Before const* before_end(std::size_t index) const {
    auto const is_last = index + 1 == tasks_.size();
    return before_.data() + (is_last ? before_.size() : tasks_[index + 1].first_before);
  }

  /// Every task but members of barriers and transfers of several rounds has one, and transfers
  /// whose sender waits until they have left a second one.
  [[nodiscard]] std::size_t ends() const { return ends_; }
  [[nodiscard]] std::size_t units() const { return units_; }

  /// Of a task that is one.
  [[nodiscard]] RerunComputation const& computation(RerunTask const& task) const {
    return computations_[task.computation];
  }

  /// The transfers whose links have queues, by number: all that go one way, if any has rounds.
  [[nodiscard]] std::vector<LinkQueues::Leaving> const& leaving() const { return leaving_; }
  /// By number.
  [[nodiscard]] RerunRounds const& rounds_of(std::uint32_t number) const {
    return rounds_of_[number];
  }

  [[nodiscard]] TransferShapes const& shapes() const { return shapes_; }
  [[nodiscard]] RecordedRounds const& rounds() const { return rounds_; }
  [[nodiscard]] TaskGraph const& graph() const { return graph_; }
  [[nodiscard]] Blueprint const& blueprint() const { return blueprint_; }
  /// Over the peak bandwidth of an accelerator's memory, if it has one.
  [[nodiscard]] Time at_peak(AcceleratorId accelerator, Bytes bytes) const;
  /// Through the router of an accelerator, if it has one.
  [[nodiscard]] Time router(AcceleratorId accelerator) const { return idle_.router(accelerator); }

 private:
  /// Of a task.
  struct Ends {
    std::uint32_t first = 0;  ///< RerunTask::end
    bool has_leaving = false;
  };
  using EndTable = IdVector<TaskId, Ends>;
  [[nodiscard]] bool is_leaving(TaskId before, TaskId task) const;
  [[nodiscard]] Before before(TaskId id, TaskId task, EndTable const& ends) const;
  [[nodiscard]] EndTable number_ends(UnitTimes const& times);
  [[nodiscard]] RerunTask made(TaskId id, UnitTimes const& times, EndTable const& ends);
  [[nodiscard]] std::uint32_t add_leaving(TaskId id);
  void add_rounds();
  [[nodiscard]] RerunComputation computation_of(TaskId id, UnitTime const& time) const;
  [[nodiscard]] std::uint32_t unit_of(TaskId id, UnitTimes const& times) const;

  Outcome const& outcome_;
  TaskGraph const& graph_;
  Blueprint const& blueprint_;
  IdleTransfers const& idle_;
  TransferShapes const& shapes_;
  RecordedRounds const& rounds_;
  std::vector<RerunTask> tasks_;
  std::vector<Before> before_;
  std::vector<RerunComputation> computations_;
  std::vector<LinkQueues::Leaving> leaving_;
  std::vector<RerunRounds> rounds_of_;
  std::size_t ends_ = 0;
  std::size_t units_;
};

}  // namespace tessera::sim::outcome

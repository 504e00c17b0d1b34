// How long units take for tasks where some resources are faster than in the run: as far as the run tells, and at least.
#pragma once

#include <vector>

#include "sim/outcome/faster.hpp"
#include "sim/outcome/rerun_tasks.hpp"

namespace tessera::sim::outcome {

/// When the last round of a transfer begins.
struct LastRound {
  Time alone{0};  ///< with the fabric to its ring alone
  Time behind{
      0};  ///< when its link can carry it behind RecordedRounds::left_after(); 0 without one
};

/// How long units take for tasks.
class Durations {
 public:
  virtual ~Durations() = default;
  /// Of a task that its unit takes up at `begun`. Reruns that observe queues shift the result, so
  /// it must be as long at any time there.
  [[nodiscard]] virtual Service service(RerunTask const& task, Time begun) const = 0;

  [[nodiscard]] virtual RoundLengths const& round_lengths() const = 0;
  /// Of a transfer of several rounds.
  [[nodiscard]] virtual Service rounds(std::uint32_t number, LastRound const& last) const = 0;
};

/// As in the run, but that what the faster resources took is less; what a transfer waited for
/// others' messages shrinks with its own. Of a computation with tiles, whatever takes longer of
/// moving and computing them hides the other, faster or not. Nothing faster: the run itself.
class RecordedDurations final : public Durations {
 public:
  /// `tasks` must outlive it.
  RecordedDurations(RerunTasks const& tasks, Faster const& faster);

  [[nodiscard]] Service service(RerunTask const& task, Time begun) const override;
  [[nodiscard]] RoundLengths const& round_lengths() const override { return round_lengths_; }
  [[nodiscard]] Service rounds(std::uint32_t number, LastRound const& last) const override;

 private:
  [[nodiscard]] Time of_computation(RerunComputation const& computation, Time recorded) const;
  [[nodiscard]] Time of_access(RerunTask const& task, Time recorded) const;
  [[nodiscard]] Time of_transfer(TaskId id, Time recorded) const;
  [[nodiscard]] Time of_leaving(TaskId id, Time recorded) const;

  RerunTasks const& tasks_;
  Faster faster_;
  TransferShapes::Lengths const& before_;
  TransferShapes::Lengths after_;
  RoundLengths round_lengths_;
};

/// No run with these resources infinitely fast takes less for a task: cycles of its computation,
/// bytes over its memory's peak, a transfer alone on an idle fabric. Memories and units that
/// somebody added (kind: model) are taken at their word, as to their computing, and at nothing, as
/// to their memory.
class LeastDurations final : public Durations {
 public:
  /// `tasks` must outlive it.
  LeastDurations(RerunTasks const& tasks, Faster const& faster);

  [[nodiscard]] Service service(RerunTask const& task, Time begun) const override;
  [[nodiscard]] RoundLengths const& round_lengths() const override { return round_lengths_; }
  [[nodiscard]] Service rounds(std::uint32_t number, LastRound const& last) const override;
  /// Of a computation.
  [[nodiscard]] Cycles cycles(RerunTask const& task) const;
  /// Of what tasks move to or from a memory.
  [[nodiscard]] Time moving(AcceleratorId accelerator, Bytes bytes) const;

 private:
  [[nodiscard]] Time moving(Time at_peak) const;
  [[nodiscard]] Time of_transfer(TaskId id) const;

  RerunTasks const& tasks_;
  Faster faster_;
  TransferShapes::Lengths lengths_;
  RoundLengths round_lengths_;
  IdVector<arch::NodeId, Bandwidth> ports_;  ///< of all links that leave a node together
};

}  // namespace tessera::sim::outcome

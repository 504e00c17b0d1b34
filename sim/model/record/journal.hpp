// When every task started and ended, as the dispatchers see it: written by the cores, read by nobody but the report.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// A task lasts from the instant at which its dispatcher issues it to the instant at which the
/// dispatcher of completes_at() is told that it is done; the messages between dispatcher and unit
/// (one clock each way) are part of it. Of a transfer of several rounds from the first to the last.
class Journal final {
 public:
  explicit Journal(std::size_t tasks) : entries_{tasks} { by_start_.reserve(tasks); }

  /// Each task starts once, not before the one that started last, and after that completes once.
  void start(TaskId task, Time now);
  void complete(TaskId task, Time now);
  /// Its dispatcher is told that the last byte of a transfer has left. After its start, once.
  void leave(TaskId task, Time now);
  /// So much of the time of a computation went by waiting for memory.
  void wait(TaskId task, Time time);

  [[nodiscard]] std::optional<Time> started(TaskId task) const {
    return known(entries_[task].start);
  }
  [[nodiscard]] std::optional<Time> completed(TaskId task) const {
    return known(entries_[task].end);
  }
  [[nodiscard]] std::optional<Time> left(TaskId task) const { return known(entries_[task].left); }
  [[nodiscard]] Time waited(TaskId task) const { return entries_[task].waited; }
  [[nodiscard]] std::size_t completions() const { return completions_; }
  [[nodiscard]] bool all_done() const { return completions_ == entries_.size(); }
  /// When the last of the completed tasks ended; 0 when there is none.
  [[nodiscard]] Time end() const { return end_; }
  /// Those that have started, in order of time. Of an instant in any order.
  [[nodiscard]] std::vector<TaskId> const& by_start() const { return by_start_; }
  /// The completed tasks, in order of (end, task).
  [[nodiscard]] std::vector<TaskId> by_end() const;

 private:
  static constexpr Time unknown{-1};
  [[nodiscard]] static std::optional<Time> known(Time time) {
    return time == unknown ? std::nullopt : std::optional{time};
  }

  struct Entry {
    Time start = unknown;
    Time end = unknown;
    Time left = unknown;  ///< transfers only
    Time waited{0};       ///< computations only
  };

  IdVector<TaskId, Entry> entries_;
  std::vector<TaskId> by_start_;
  Time last_start_{0};
  std::size_t completions_ = 0;
  Time end_{0};
};

}  // namespace tessera::sim

// The tasks of an accelerator that are under way, by what they do, in the order in which they began. A unit's queue may hold every task
// of a step (the sums of 100,000 layers behind one link), so nothing here looks through them: lists lead through a table of all tasks.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "arch/base/contract.hpp"
#include "sim/model/record/breakdown.hpp"

namespace tessera::sim {

/// Tasks are numbered by their place among the accelerator's tasks (Schedule::place); each has at
/// most one activity at a time.
class OutstandingTasks final {
 public:
  explicit OutstandingTasks(std::size_t tasks) : entries_(tasks) {}

  /// Requires that `task` has no activity.
  void insert(Activity activity, std::size_t task) {
    auto& entry = entries_.at(task);
    EXPECTS(!entry.activity, task);
    auto& [oldest, newest] = list_of(activity);
    entry = {activity, newest, none};
    (newest == none ? oldest : entries_[newest].next) = static_cast<Index>(task);
    newest = static_cast<Index>(task);
  }

  /// Requires that `task` has this activity.
  void erase(Activity activity, std::size_t task) {
    EXPECTS(contains(activity, task), task);
    auto& [oldest, newest] = list_of(activity);
    auto const [was, previous, next] = entries_[task];
    (previous == none ? oldest : entries_[previous].next) = next;
    (next == none ? newest : entries_[next].previous) = previous;
    entries_[task].activity.reset();
  }

  [[nodiscard]] bool contains(Activity activity, std::size_t task) const {
    return entries_.at(task).activity == activity;
  }

  /// The one that began first. Units serve tasks in the order in which they get them, so it is the
  /// one that runs.
  [[nodiscard]] std::optional<std::size_t> oldest(Activity activity) const {
    auto const task = lists_[static_cast<std::size_t>(activity)].oldest;
    return task == none ? std::nullopt : std::optional<std::size_t>{task};
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = std::numeric_limits<Index>::max();

  struct Entry {
    std::optional<Activity> activity;
    Index previous = none;  ///< of the same activity, the one that began before
    Index next = none;      ///< and after
  };
  struct List {
    Index oldest = none;
    Index newest = none;
  };

  [[nodiscard]] List& list_of(Activity activity) {
    return lists_[static_cast<std::size_t>(activity)];
  }

  std::vector<Entry> entries_;
  std::array<List, activity_count> lists_;
};

}  // namespace tessera::sim

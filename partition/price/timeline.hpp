// When the tasks of a graph run, each on a resource (a device, a lane of a link) that takes them one by one in the order in which they
// become ready (FlexFlow's execution model: Jia et al., SysML'19, section 5). The second of two prices of a plan: the first sums
// (cost_model.hpp), this one overlaps.
//
//   ready(t) = the latest end of the tasks before t, 0 without any
//   start(t) = max(ready(t), end of the task before it on its resource)        end(t) = start(t) + duration(t)
// A resource's order is by (ready, rank). As every task on a resource takes a picosecond at least, each becomes ready after all that it
// waits for were, so that this order is the one in which a queue of ready tasks is emptied, and there is exactly one such timeline. A
// task without a resource starts when it is ready: a latency, or with no duration a meeting point of what came before.
//
// simulate() works it out anew (FlexFlow's Algorithm 1); update() from what changed since (its Algorithm 2): it looks at changed tasks in
// the order of the moments at which they become ready, moves each to its place in its resource's order, and marks what waits for it or
// follows it where that is elsewhere now. Where nothing is marked any more all three equations hold for every task, so that both give
// the same timeline. Mostly a task is looked at once, when all before it are where they belong; one that was overtaken by a task from
// before is looked at again. Where that takes too many looks (a quarter as many as there are tasks, and fewer where it did so before), update() simulates after all.
//
// What is changed in a trial can be taken back at the price of what it touched: a search tries many changes and keeps few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"
#include "partition/price/resource_queues.hpp"
#include "partition/price/timeline_graph.hpp"

namespace tessera::partition {

using ResourceId = Id<struct ResourceTag>;

class Timeline final {
 public:
  explicit Timeline(std::size_t resources) : graph_{resources}, queues_{graph_, resources} {}

  /// Of tasks that become ready at once on one resource the one of lower rank is first; each has a
  /// rank of its own (by default its id, which may be that of a task that was removed). Requires a
  /// picosecond at least on a resource.
  TimelineTaskId add(Time duration, std::optional<ResourceId> resource,
                     std::optional<std::uint64_t> rank = std::nullopt);
  /// With all that joins it to others.
  void remove(TimelineTaskId task);
  /// `after` waits for `before`. Requires that this closes no cycle, and that it did not before.
  void connect(TimelineTaskId before, TimelineTaskId after);
  void disconnect(TimelineTaskId before, TimelineTaskId after);
  void set_duration(TimelineTaskId task, Time duration);
  void set_resource(TimelineTaskId task, std::optional<ResourceId> resource);

  /// The timeline of all tasks, whatever was known of them.
  void simulate();

  /// The same where only some were changed since simulate(). Returns how many tasks it looked at,
  /// each as often as it did.
  std::size_t update();

  /// From here on changes can be taken back. Requires an updated timeline, and no other trial.
  void begin_trial();
  void keep_trial();
  /// All is as it was when the trial began.
  void undo_trial();

  /// As of the last simulate() or update().
  [[nodiscard]] Time ready(TimelineTaskId task) const { return graph_.at(task).ready; }
  [[nodiscard]] Time start(TimelineTaskId task) const {
    return graph_.end(task) - graph_.at(task).duration;
  }
  [[nodiscard]] Time end(TimelineTaskId task) const { return graph_.end(task); }
  /// The end of the last task.
  [[nodiscard]] Time length() const { return graph_.last_end(); }

  /// How many tasks there are.
  [[nodiscard]] std::size_t size() const { return graph_.tasks(); }
  /// Ids of tasks, of those that were removed and of none are below this.
  [[nodiscard]] std::size_t slots() const { return graph_.slots(); }
  [[nodiscard]] bool exists(TimelineTaskId task) const { return graph_.at(task).exists; }

 private:
  /// When a task is to be looked at, or becomes ready.
  struct Moment {
    Time time{0};
    bool has_queue = false;  ///< others go first: they may make tasks ready at once
    std::uint64_t rank = 0;
    TimelineTaskId task;
    friend bool operator>(Moment const& a, Moment const& b) {
      return std::tie(a.time, a.has_queue, a.rank) > std::tie(b.time, b.has_queue, b.rank);
    }
  };

  [[nodiscard]] Moment moment_of(TimelineTaskId task, Time time) const;
  void mark(TimelineTaskId task, Time wanted);
  void mark_follower(TimelineTaskId task);
  void notice(TimelineTaskId task, Time old_end, Time new_end);
  void look_at(TimelineTaskId task);

  TimelineGraph graph_;
  ResourceQueues queues_;
  std::vector<Moment> changed_;  ///< while looking a heap, the earliest first
  bool is_simulated_ = false;    ///< ever: before, nothing has changed
  bool is_looking_ = false;
  std::size_t tasks_per_look_ = 4;  ///< how many there must be for each look that update() may take
};

}  // namespace tessera::partition

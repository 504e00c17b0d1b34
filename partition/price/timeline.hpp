// When the tasks of a graph run, each on a resource (a device, a lane of a link) that takes them one by one in the order in which they
// become ready (FlexFlow's execution model: Jia et al., SysML'19, section 5). The second of two prices of a plan: the first sums
// (cost_model.hpp), this one overlaps.
//
//   ready(t) = the latest end of the tasks before t, 0 without any
//   start(t) = max(ready(t), end of the task before it on its resource)        end(t) = start(t) + duration(t)
// A resource's order is by (ready, id). As every task takes a picosecond at least, each becomes ready after all that it waits for
// were, so that this order is the one in which a queue of ready tasks is emptied, and there is exactly one such timeline.
//
// simulate() works it out anew (FlexFlow's Algorithm 1); update() from what changed since (its Algorithm 2): it goes through changed
// tasks in the order of the earlier of their old and new moments, so that whatever is earlier is final. Both give the same
// timeline. A task without a resource starts when it is ready: a latency.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::partition {

using TimelineTaskId = Id<struct TimelineTaskTag>;
using ResourceId = Id<struct ResourceTag>;

class Timeline final {
 public:
  explicit Timeline(std::size_t resources) : queues_{resources} {}

  /// Requires a duration of at least a picosecond. The id may be that of a task that was removed.
  TimelineTaskId add(Time duration, std::optional<ResourceId> resource);
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

  /// As of the last simulate() or update().
  [[nodiscard]] Time ready(TimelineTaskId task) const { return tasks_[task].ready; }
  [[nodiscard]] Time start(TimelineTaskId task) const { return tasks_[task].start; }
  [[nodiscard]] Time end(TimelineTaskId task) const { return tasks_[task].end(); }
  /// The end of the last task.
  [[nodiscard]] Time length() const;

  /// How many tasks there are.
  [[nodiscard]] std::size_t size() const { return tasks_.size() - free_.size(); }
  /// Including those that were removed.
  [[nodiscard]] std::size_t slots() const { return tasks_.size(); }
  [[nodiscard]] bool exists(TimelineTaskId task) const { return tasks_[task].exists; }

 private:
  struct Task {
    Time duration{1};
    std::optional<ResourceId> resource;
    std::vector<TimelineTaskId> before;
    std::vector<TimelineTaskId> after;
    Time ready{0};
    Time start{0};
    bool exists = true;
    bool is_queued = false;   ///< on its resource, at `ready`
    bool is_changed = false;  ///< since it was last looked at
    Time looked_at_from{0};   ///< if changed, where it stands in the heap

    [[nodiscard]] Time end() const { return start + duration; }
  };
  /// A resource's order.
  using Moment = std::pair<Time, TimelineTaskId>;
  using Queue = std::vector<Moment>;

  void mark(TimelineTaskId task);
  void mark_at(Moment moment);
  void mark_all_after(TimelineTaskId task);
  void look_at(TimelineTaskId task);
  void enqueue(TimelineTaskId task);
  void leave_queue(TimelineTaskId task);
  [[nodiscard]] Time ready_by_those_before(Task const& task) const;
  [[nodiscard]] Time free_for(TimelineTaskId task) const;

  IdVector<TimelineTaskId, Task> tasks_;
  IdVector<ResourceId, Queue> queues_;
  std::vector<TimelineTaskId> free_;  ///< slots of removed tasks
  std::vector<Moment> changed_;       ///< a heap, the earliest first
  bool is_simulated_ = false;         ///< ever: before, nothing has changed
};

}  // namespace tessera::partition

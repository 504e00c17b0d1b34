// The tasks of a timeline, what each waits for, and where each stands: what timeline.hpp works out, and what a trial takes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"
#include "partition/price/task_lists.hpp"

namespace tessera::partition {

/// A task, without its edges.
struct TimelineTask {
  Time duration{0};
  Time ready{0};
  Time wanted{0};  ///< if changed: when it will be ready, as far as is known
  std::uint64_t rank = 0;
  TimelineTaskId queue;  ///< the head of its resource's
  TimelineTaskId previous;
  TimelineTaskId next;
  bool exists = false;
  bool has_queue = false;
  bool is_queued = false;   ///< between previous and next
  bool is_changed = false;  ///< since it was last looked at
};

/// The first slots are the heads of queues, one of each resource; they are no tasks.
class TimelineGraph final {
 public:
  explicit TimelineGraph(std::size_t resources) : nodes_{resources}, ends_{resources} {}

  TimelineTaskId add(TimelineTask const& task);
  /// Requires that nothing joins it to others.
  void remove(TimelineTaskId task);
  void connect(TimelineTaskId before, TimelineTaskId after);
  void disconnect(TimelineTaskId before, TimelineTaskId after);

  /// Of as many tasks as there are; valid until the graph is changed.
  struct Range {
    TimelineTaskId const* first;
    TimelineTaskId const* last;
    [[nodiscard]] TimelineTaskId const* begin() const { return first; }
    [[nodiscard]] TimelineTaskId const* end() const { return last; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last - first); }
  };
  [[nodiscard]] Range before(TimelineTaskId task) const { return range(nodes_[task].before); }
  [[nodiscard]] Range after(TimelineTaskId task) const { return range(nodes_[task].after); }

  [[nodiscard]] TimelineTask const& at(TimelineTaskId task) const { return nodes_[task].task; }
  /// To be changed, together with its end.
  [[nodiscard]] TimelineTask& change(TimelineTaskId task) {
    if (is_trial_ && nodes_[task].saved_in != trials_) save(task);
    return nodes_[task].task;
  }
  [[nodiscard]] Time end(TimelineTaskId task) const { return ends_[task]; }
  void set_end(TimelineTaskId task, Time end) { ends_[task] = end; }
  [[nodiscard]] Time last_end() const;

  [[nodiscard]] std::size_t tasks() const { return count_; }
  [[nodiscard]] std::size_t slots() const { return nodes_.size(); }

  /// Until kept or undone all changes are remembered.
  void begin_trial();
  void keep_trial();
  void undo_trial();

 private:
  struct Node {
    TimelineTask task;
    TaskLists::List before;
    TaskLists::List after;
    std::size_t saved_in = 0;  ///< trial
  };
  struct Saved {
    TimelineTaskId id;
    TimelineTask task;
    Time end{0};
  };
  struct Edit {
    enum class Kind : std::uint8_t { added, removed, connected, disconnected };
    Kind kind = Kind::added;
    TimelineTaskId task;
    TimelineTaskId after = {};
  };

  [[nodiscard]] Range range(TaskLists::List list) const {
    return {lists_.begin(list), lists_.end(list)};
  }
  void save(TimelineTaskId task);
  void note(Edit const& edit);
  void take_back(Edit const& edit);

  IdVector<TimelineTaskId, Node> nodes_;
  IdVector<TimelineTaskId, Time> ends_;  ///< apart, as others ask for them most; 0 of no task
  TaskLists lists_;
  std::size_t count_ = 0;
  std::vector<TimelineTaskId> free_;  ///< slots of removed tasks
  std::size_t trials_ = 0;
  bool is_trial_ = false;
  std::vector<Saved> saved_;  ///< in this trial
  std::vector<Edit> edits_;
};

}  // namespace tessera::partition

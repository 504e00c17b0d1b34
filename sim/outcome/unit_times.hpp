// When the unit of each task took it up and could take up the next, worked out after a run from what the dispatchers saw.
//
// Units serve tasks in the order in which they get them, and a message between a dispatcher and a unit takes a known number of clocks
// (sim/model/protocol/message_clock.hpp). So of a task A that a unit served before B
//   free(A)  = end(A) - the message                 (clock edges)
//   begun(B) = max(arrival of B at the unit, free(A))
// and B waited for A where free(A) is later than its arrival. Units here are the processing unit; a memory that takes time; and the lane of
// the first link that whole messages of an accelerator use, which is free when the dispatcher is told that A has left.
// Leaves out: what delays a message at later links, or behind what others sent over the first one; packets, messages cut in two and
// transfers through memory and of several rounds, which have no order of their own: they do not wait for tasks, but take longer.
#pragma once

#include <optional>
#include <vector>

#include "sim/outcome/idle_transfers.hpp"
#include "sim/outcome/summary.hpp"
#include "sim/outcome/transfer_shapes.hpp"

namespace tessera::sim::outcome {

struct UnitTime {
  Time arrived{0};              ///< at the unit; transfer: at its first link
  Time begun{0};                ///< the unit took it up
  Time free{0};                 ///< the unit could take up the next
  Time served{0};               ///< it was done there; transfer: added to what is there
  std::optional<TaskId> ahead;  ///< what the unit served before it

  /// Did it wait for the task ahead?
  [[nodiscard]] bool waited() const { return ahead && begun > arrived; }
};

class UnitTimes final {
 public:
  /// Of a complete run. `outcome` must outlive it.
  explicit UnitTimes(Outcome const& outcome);

  [[nodiscard]] UnitTime const& of(TaskId task) const { return times_[task]; }
  /// All tasks by (issued, released, task): each behind what it waited for, and behind all members
  /// of a barrier that it waited for. Without latencies tasks are issued within an instant one
  /// after the other, and a unit serves them in the order in which it is done with them, which need
  /// not be that of the graph.
  [[nodiscard]] std::vector<TaskId> const& in_order() const { return order_; }
  [[nodiscard]] IdleTransfers& idle_transfers() { return idle_; }
  [[nodiscard]] TransferShapes const& transfer_shapes() const { return shapes_; }

 private:
  /// What units of an accelerator served last.
  struct Last {
    std::optional<TaskId> computed;
    std::optional<TaskId> moved;
  };

  [[nodiscard]] std::vector<TaskId> by_issue() const;
  /// When the dispatcher of its accelerator hears that its unit is done with it.
  [[nodiscard]] Time released(TaskId id) const;
  void add(TaskId id, Last& last);
  void add_transfer(TaskId id);
  void queue_behind(std::optional<TaskId>& last, TaskId id);

  TaskGraph const& graph_;
  Journal const& journal_;
  Blueprint const& blueprint_;
  IdleTransfers idle_;
  TransferShapes shapes_;
  IdVector<TaskId, UnitTime> times_;
  std::vector<TaskId> order_;
  IdVector<arch::LinkId, std::optional<TaskId>> sent_;  ///< the last one that left on a link
};

}  // namespace tessera::sim::outcome

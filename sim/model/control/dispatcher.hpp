// The dispatcher: the control processor of one accelerator, which knows its tasks and starts each as soon as it may.
#pragma once

#include <vector>

#include "sim/model/control/schedule.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/model/protocol/message_clock.hpp"
#include "sim/model/record/activity_meter.hpp"
#include "sim/model/record/records.hpp"

namespace tessera::sim {

/// Counts down what each task waits for and issues tasks that wait for nothing more to their unit:
/// processing unit, memory, network interface or synchronizer. Tasks that become ready at the same
/// instant are issued in id order; units queue, so a later task never overtakes an earlier one on
/// its unit. A message to a unit is sampled at the first clock edge and arrives the accelerator's
/// `dispatch` latency later: one clock; or none, where a queue of decoded tasks stands before each
/// unit and the end of one task releases the next within the clock. (The rounds of a transfer the
/// network interface passes on by itself.)
///
/// Leaves out: the time to decode or schedule a task, and any limit on tasks in flight.
class Dispatcher final : public Core {
 public:
  enum In : Port { from_processing_unit, from_memory, from_network_interface, from_synchronizer };
  enum Out : Port { to_processing_unit, to_memory, to_network_interface, to_synchronizer };
  static constexpr Port inputs = 4;
  static constexpr Port outputs = 4;

  /// `schedule` and `records` must outlive the dispatcher.
  Dispatcher(AcceleratorId accelerator, MessageClock clock, Schedule const& schedule,
             Records& records);

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  [[nodiscard]] char const* kind() const override { return "dispatcher"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  /// Names what it waits for, one line each, for the report of a deadlock; empty where all is done.
  [[nodiscard]] std::vector<std::string> waits_for() const;

  /// Accounts for the time up to the end of the run.
  void close(Time end) { meter_.account_until(end); }

 private:
  enum Counter : std::size_t { tasks_issued, tasks_completed };

  /// How many predecessors of a task are not done: own ones, and transfers from others.
  struct Unmet {
    std::uint32_t own = 0;
    std::uint32_t incoming = 0;
  };

  void start();
  void take(Message const& message, Time now);
  void complete(TaskId task, Time now);
  void release_successors(TaskId task);
  void count_down(TaskId task, bool incoming);
  void issue_ready(Time now, Outbox& out);
  [[nodiscard]] bool is_incoming(TaskId task) const;
  [[nodiscard]] bool is_done(TaskId task) const;
  [[nodiscard]] std::string describe_wait(TaskId task) const;
  [[nodiscard]] std::string describe_unmet(TaskId task) const;

  AcceleratorId accelerator_;
  MessageClock clock_;
  Schedule const& schedule_;
  TaskGraph const& graph_;
  Journal& journal_;
  ActivityMeter meter_;

  bool started_ = false;
  std::vector<Unmet> unmet_;      ///< by place among the accelerator's tasks
  std::vector<TaskId> ready_;     ///< to be issued in this advance
  std::vector<Message> arrived_;  ///< to be taken in this advance
  std::vector<Statistic> statistics_{{"tasks_issued", "1"}, {"tasks_completed", "1"}};
};

}  // namespace tessera::sim

// A core to which the dispatcher issues tasks: what memories and processing units share.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/protocol/core.hpp"
#include "sim/model/protocol/message_clock.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// Performs tasks in order of arrival. When one ends is known as soon as it is issued; the
/// dispatcher hears of it a message's latency after the edge at which it has ended.
class TaskServer : public Core {
 public:
  enum In : Port { from_dispatcher };
  enum Out : Port { to_dispatcher };
  static constexpr Port inputs = 1;
  static constexpr Port outputs = 1;

  void push(Time now, Port port, Message const& message) final;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) final;

 protected:
  /// What becomes of a task.
  struct Result {
    Time end{0};
    Time waited{0};  ///< of which it waited for memory
  };

  /// `graph` must outlive the server.
  TaskServer(MessageClock clock, TaskGraph const& graph) : clock_{clock}, graph_{graph} {}

  [[nodiscard]] Clock const& clock() const { return clock_.clock(); }

 private:
  /// Works out a task that was issued at `now`.
  [[nodiscard]] virtual Result perform(Task const& task, Time now) = 0;

  MessageClock clock_;
  TaskGraph const& graph_;
  std::vector<Message> arrived_;
};

}  // namespace tessera::sim

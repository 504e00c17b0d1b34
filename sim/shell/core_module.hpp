// The SystemC module that hosts one core: ports, an inbox and a wake-up, no arithmetic on the model's state.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <systemc>

#include "sim/model/protocol/core.hpp"
#include "sim/shell/inbox.hpp"
#include "sim/shell/kernel.hpp"
#include "sim/shell/message_sink.hpp"
#include "sim/shell/supervisor.hpp"

namespace tessera::sim::shell {

/// Sleeps until the next message arrives or the time that its core asked for, then hands over all
/// messages of that instant in canonical order, advances the core once and delivers what it sends.
/// Since everything sent arrives later than now, or at least in a later step, the order in which
/// the kernel runs the modules of an instant cannot matter. A base of modules that show what their
/// core consists of.
class CoreModule : public sc_core::sc_module {
 public:
  struct Shape {
    Port inputs = 1;
    Port outputs = 1;
  };

  /// `core` and `supervisor` must outlive the module.
  CoreModule(sc_core::sc_module_name const& name, Core& core, Shape shape, Supervisor& supervisor);

  [[nodiscard]] char const* kind() const override { return core_.kind(); }

  sc_core::sc_vector<InputPort> in{"in"};     ///< by the core's input port
  sc_core::sc_vector<OutputPort> out{"out"};  ///< by the core's output port

 private:
  /// One input: knows its port number, so that senders need not.
  class Input final : public MessageSink {
   public:
    Input(CoreModule& module, Port port) : module_{module}, port_{port} {}
    void deliver(Time at, Message const& message) override {
      module_.accept(arrival_of(at), port_, message);
    }

   private:
    CoreModule& module_;
    Port port_;
  };

  void accept(Instant at, Port port, Message const& message);
  void activate();
  [[nodiscard]] bool postpone();
  void advance(Instant now);
  [[nodiscard]] Time quiet_until(Time now) const;
  void wake_at(Instant at);

  Core& core_;
  Supervisor& supervisor_;
  std::vector<std::unique_ptr<Input>> inputs_;
  Inbox inbox_;
  Outbox outbox_{Time{0}};
  sc_core::sc_event wake_{"wake"};
  std::optional<Instant> wake_time_{Instant{}};  ///< every process runs at time 0
  std::optional<int> delay_;                     ///< delta cycles left; none: not drawn yet
};

}  // namespace tessera::sim::shell

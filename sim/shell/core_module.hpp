// The SystemC module that hosts one core: ports and a wake-up, no arithmetic on the model's state.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <systemc>

#include "sim/host/instant.hpp"
#include "sim/host/supervisor.hpp"
#include "sim/model/array/wiring.hpp"
#include "sim/model/protocol/hosted_core.hpp"
#include "sim/shell/message_sink.hpp"

namespace tessera::sim::shell {

/// A base of modules that show what their core consists of.
class CoreModule : public sc_core::sc_module {
 public:
  /// The core and `supervisor` must outlive the module.
  CoreModule(sc_core::sc_module_name const& name, WiredCore const& wired,
             host::Supervisor& supervisor);

  [[nodiscard]] char const* kind() const override { return kind_; }

  sc_core::sc_vector<InputPort> in{"in"};     ///< by the core's input port
  sc_core::sc_vector<OutputPort> out{"out"};  ///< by the core's output port

 private:
  /// One input: knows its port number, so that senders need not.
  class Input final : public MessageSink {
   public:
    Input(CoreModule& module, Port port) : module_{module}, port_{port} {}
    void deliver(Time at, Message const& message) override { module_.accept(at, port_, message); }

   private:
    CoreModule& module_;
    Port port_;
  };

  void accept(Time at, Port port, Message const& message);
  void activate();
  [[nodiscard]] bool postpone();

  char const* kind_;
  HostedCore<host::Instant> core_;
  host::Supervisor& supervisor_;
  std::vector<std::unique_ptr<Input>> inputs_;
  sc_core::sc_event wake_{"wake"};
  std::optional<int> delay_;  ///< delta cycles left; none: not drawn yet
};

}  // namespace tessera::sim::shell

// Waking, handing over, delivering.
#include "sim/shell/core_module.hpp"

#include "sim/shell/kernel.hpp"

namespace tessera::sim::shell {

CoreModule::CoreModule(sc_core::sc_module_name const& name, WiredCore const& wired,
                       host::Supervisor& supervisor)
    : sc_core::sc_module{name},
      kind_{wired.core->kind()},
      core_{*wired.core},
      supervisor_{supervisor} {
  in.init(wired.inputs);
  out.init(wired.outputs);
  for (Port port = 0; port < wired.inputs; ++port) {
    inputs_.push_back(std::make_unique<Input>(*this, port));
    in[port].bind(*inputs_.back());
  }
  spawn_method("activate", wake_, [this] { supervisor_.guard([this] { activate(); }); });
}

void CoreModule::accept(Time at, Port port, Message const& message) {
  auto const arrival = arrival_of(at);
  if (core_.accept(arrival, port, message)) notify_at(wake_, arrival);
}

void CoreModule::activate() {
  auto const now = current_instant();
  if (postpone() || !supervisor_.admits_activation(now.time)) return;
  EXPECTS(core_.alarm() == now, now.time);
  core_.advance(next_activity, [this](Outbox::Entry const& entry) {
    out[entry.port]->deliver(entry.at, entry.message);
  });
  if (core_.alarm()) notify_at(wake_, *core_.alarm());
}

/// In tests, lets a random number of delta cycles pass before an activation.
bool CoreModule::postpone() {
  if (!delay_) delay_ = supervisor_.draw_delay();
  if (*delay_ == 0) {
    delay_.reset();
    return false;
  }
  --*delay_;
  wake_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

}  // namespace tessera::sim::shell

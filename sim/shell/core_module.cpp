// Waking, handing over, delivering.
#include "sim/shell/core_module.hpp"

#include <algorithm>

#include "sim/shell/kernel.hpp"

namespace tessera::sim::shell {

CoreModule::CoreModule(sc_core::sc_module_name const& name, Core& core, Shape shape,
                       Supervisor& supervisor)
    : sc_core::sc_module{name}, core_{core}, supervisor_{supervisor} {
  in.init(shape.inputs);
  out.init(shape.outputs);
  for (Port port = 0; port < shape.inputs; ++port) {
    inputs_.push_back(std::make_unique<Input>(*this, port));
    in[port].bind(*inputs_.back());
  }
  spawn_method("activate", wake_, [this] { supervisor_.guard([this] { activate(); }); });
}

void CoreModule::accept(Instant at, Port port, Message const& message) {
  inbox_.add(at, port, message);
  if (!wake_time_ || at < *wake_time_) wake_at(at);
}

void CoreModule::activate() {
  auto const now = current_instant();
  if (postpone() || !supervisor_.admits_activation(now.time)) return;
  wake_time_.reset();
  advance(now);
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

void CoreModule::advance(Instant now) {
  auto const time = now.time;
  inbox_.drain(now, [&](Port port, Message const& message) { core_.push(time, port, message); });
  outbox_.restart(time, core_.works_ahead() ? quiet_until(time) : time);
  auto const due = core_.advance(time, outbox_);
  for (auto const& entry : outbox_.entries()) out[entry.port]->deliver(entry.at, entry.message);
  auto next = inbox_.next();
  if (due && (!next || Instant{*due} < *next)) next = Instant{*due};
  if (next) wake_at(*next);
}

/// Others wake at their next activity at the earliest, and what they send arrives later than that.
Time CoreModule::quiet_until(Time now) const {
  auto const others = next_activity();
  auto const arrival = inbox_.next();
  return std::max(now, arrival ? std::min(others, arrival->time - Time{1}) : others);
}

void CoreModule::wake_at(Instant at) {
  wake_time_ = at;
  notify_at(wake_, at);
}

}  // namespace tessera::sim::shell

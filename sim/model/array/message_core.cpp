// One sleeper or link after another, in order of time.
#include "sim/model/array/message_core.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

MessageCore::MessageCore(std::vector<Ends> ends, arch::Topology const& topology, Time hop_latency,
                         std::map<std::string, BusyHistogram>& utilisation)
    : ends_{std::move(ends)},
      fabric_{topology, hop_latency, utilisation},
      inboxes_(2 * ends_.size()),
      wakes_{2 * ends_.size()} {
  // As all cores do at time 0.
  for (Sleeper sleeper = 0; sleeper < inboxes_.size(); ++sleeper) wakes_.set(sleeper, 0);
}

void MessageCore::push(Time now, Port port, Message const& message) {
  auto const accelerator = port / Dispatcher::inputs;
  EXPECTS(accelerator < ends_.size(), port);
  add(dispatcher(accelerator), now, port % Dispatcher::inputs, message);
}

std::optional<Time> MessageCore::advance(Time now, Outbox& out) {
  until_ = out.quiet_until();
  auto next = next_time();
  for (; next != never && Time{next} <= until_; next = next_time()) {
    last_ = Time{next};
    if (fabric_.next_time() == next) {
      fabric_.carry_next(heard_);
      pass_on();
    } else {
      wake(wakes_.pop(), last_, out);
    }
  }
  if (next != never) return Time{next};
  // A run is over when nobody wakes any more, not before the last that happened here.
  return last_ > now ? std::optional{last_} : std::nullopt;
}

Tick MessageCore::next_time() { return std::min(wakes_.next_time(), fabric_.next_time()); }

void MessageCore::wake(Sleeper sleeper, Time now, Outbox& out) {
  if (sleeper < ends_.size()) return advance_dispatcher(sleeper, now, out);
  auto const accelerator = sleeper - ends_.size();
  auto& interface = *ends_[accelerator].interface;
  inboxes_[sleeper].drain(
      now, [&](Port port, Message const& message) { interface.push(now, port, message); });
  advance_interface(accelerator, now);
}

void MessageCore::advance_dispatcher(std::size_t accelerator, Time now, Outbox& out) {
  auto& core = *ends_[accelerator].dispatcher;
  auto& inbox = inboxes_[dispatcher(accelerator)];
  inbox.drain(now, [&](Port port, Message const& message) { core.push(now, port, message); });
  of_dispatcher_.restart(now, now);
  set_alarm(dispatcher(accelerator), core.advance(now, of_dispatcher_));
  for (auto const& [at, port, message] : of_dispatcher_.entries()) {
    if (port == Dispatcher::to_network_interface) {
      tell_interface(accelerator, NetworkInterface::from_dispatcher, at, message);
      continue;
    }
    // Whoever hears it may answer from then on.
    out.send(at, output(accelerator, static_cast<Dispatcher::Out>(port)), message);
    until_ = std::min(until_, at);
  }
  pass_on();
}

void MessageCore::tell_interface(std::size_t accelerator, NetworkInterface::In port, Time at,
                                 Message const& message) {
  auto& core = *ends_[accelerator].interface;
  if (!core.may_be_told_ahead()) return add(interface(accelerator), at, port, message);
  core.push(at, port, message);
  advance_interface(accelerator, at);
}

void MessageCore::advance_interface(std::size_t accelerator, Time now) {
  auto& core = *ends_[accelerator].interface;
  of_interface_.restart(now, now);
  auto const due = core.advance(now, of_interface_);
  if (!core.may_be_told_ahead()) set_alarm(interface(accelerator), due);
  for (auto const& [at, port, message] : of_interface_.entries()) {
    if (port == NetworkInterface::to_fabric) {
      fabric_.enter(message, at, heard_);
    } else {
      add(dispatcher(accelerator), at, Dispatcher::from_network_interface, message);
    }
  }
}

/// What the fabric has for interfaces, who may send more.
void MessageCore::pass_on() {
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    auto const [at, accelerator, message] = heard_[i];
    tell_interface(accelerator.index(), NetworkInterface::from_fabric, at, message);
  }
  heard_.clear();
}

void MessageCore::add(Sleeper sleeper, Time at, Port port, Message const& message) {
  inboxes_[sleeper].add(at, port, message);
  wakes_.set_at_most(sleeper, at.value());
}

/// When a sleeper wakes that has just been advanced.
void MessageCore::set_alarm(Sleeper sleeper, std::optional<Time> due) {
  if (due) wakes_.set_at_most(sleeper, due->value());
  auto const arrival = inboxes_[sleeper].next();
  if (arrival) wakes_.set_at_most(sleeper, arrival->value());
}

}  // namespace tessera::sim

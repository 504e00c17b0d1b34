// One sleeper or link after another, in order of time.
#include "sim/model/array/message_core.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

std::vector<NetworkInterface*> interfaces_of(std::vector<MessageCore::Ends> const& ends) {
  std::vector<NetworkInterface*> interfaces;
  interfaces.reserve(ends.size());
  for (auto const& end : ends) interfaces.push_back(end.interface);
  return interfaces;
}

}  // namespace

MessageCore::MessageCore(std::vector<Ends> ends, TaskGraph const& graph,
                         arch::Topology const& topology, Time hop_latency,
                         std::map<std::string, BusyHistogram>& utilisation)
    : ends_{std::move(ends)},
      fabric_{topology, hop_latency, utilisation},
      rings_{graph, interfaces_of(ends_), topology, fabric_},
      wakes_{2 * ends_.size()} {
  hosted_.reserve(2 * ends_.size());
  for (auto const& end : ends_) hosted_.emplace_back(*end.dispatcher);
  for (auto const& end : ends_) hosted_.emplace_back(*end.interface);
  for (Sleeper sleeper = 0; sleeper < hosted_.size(); ++sleeper) {
    wakes_.set(sleeper, hosted_[sleeper].alarm()->value());
  }
}

void MessageCore::push(Time now, Port port, Message const& message) {
  auto const accelerator = port / Dispatcher::inputs;
  EXPECTS(accelerator < ends_.size(), port);
  tell(dispatcher(accelerator), now, port % Dispatcher::inputs, message);
}

std::optional<Time> MessageCore::advance(Time now, Outbox& out) {
  until_ = out.quiet_until();
  auto next = next_time();
  for (; next != never && Time{next} <= until_; next = next_time()) {
    last_ = Time{next};
    if (rings_.next_time() == next) {
      rings_.give_back();
    } else if (fabric_.next_time() == next) {
      carry_next();
    } else {
      wake(wakes_.pop(), out);
    }
  }
  if (next != never) return Time{next};
  // A run is over when nobody wakes any more, not before the last that happened here.
  return last_ > now ? std::optional{last_} : std::nullopt;
}

Tick MessageCore::next_time() {
  return std::min({wakes_.next_time(), fabric_.next_time(), rings_.next_time()});
}

void MessageCore::wake(Sleeper sleeper, Outbox& out) {
  auto const accelerators = ends_.size();
  auto& core = hosted_[sleeper];
  // None of them works ahead, so nobody asks when others wake.
  core.advance([now = last_] { return now; },
               [&](Outbox::Entry const& entry) {
                 if (sleeper < accelerators) return take_from_dispatcher(sleeper, entry, out);
                 take_from_interface(sleeper - accelerators, entry);
               });
  if (core.alarm()) wakes_.set_at_most(sleeper, core.alarm()->value());
  pass_on();
}

void MessageCore::take_from_dispatcher(std::size_t accelerator, Outbox::Entry const& entry,
                                       Outbox& out) {
  auto const& [at, port, message] = entry;
  if (port == Dispatcher::to_network_interface) {
    return tell_interface(accelerator, NetworkInterface::from_dispatcher, at, message);
  }
  // Whoever hears it may answer from then on.
  out.send(at, output(accelerator, static_cast<Dispatcher::Out>(port)), message);
  until_ = std::min(until_, at);
}

void MessageCore::take_from_interface(std::size_t accelerator, Outbox::Entry const& entry) {
  auto const& [at, port, message] = entry;
  if (port == NetworkInterface::to_fabric) return fabric_.enter(message, at, heard_);
  tell(dispatcher(accelerator), at, Dispatcher::from_network_interface, message);
}

void MessageCore::tell_interface(std::size_t accelerator, NetworkInterface::In port, Time at,
                                 Message const& message) {
  auto& core = *ends_[accelerator].interface;
  if (!core.may_be_told_ahead()) return tell(interface(accelerator), at, port, message);
  told_ahead_.restart(at, at);
  core.tell(at, message, told_ahead_);
  for (auto const& entry : told_ahead_.entries()) take_from_interface(accelerator, entry);
  if (message.kind == Message::Kind::issue) rings_.issued(message.task);
}

void MessageCore::carry_next() {
  if (rings_.take_over()) return;
  rings_.carry_before(fabric_.waiting().front());
  fabric_.carry_next(heard_);
  pass_on();
}

/// What the fabric has for interfaces, who may send more.
void MessageCore::pass_on() {
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    auto const [at, accelerator, message] = heard_[i];
    tell_interface(accelerator.index(), NetworkInterface::from_fabric, at, message);
  }
  heard_.clear();
}

void MessageCore::tell(Sleeper sleeper, Time at, Port port, Message const& message) {
  if (hosted_[sleeper].accept(at, port, message)) wakes_.set_at_most(sleeper, at.value());
}

}  // namespace tessera::sim

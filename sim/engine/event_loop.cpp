// One core after another.
#include "sim/engine/event_loop.hpp"

#include <algorithm>

namespace tessera::sim::engine {

namespace {

/// A permutation of 32 bits that differs with the seed: Murmur's last steps.
std::uint32_t scrambled(std::uint32_t value, std::uint64_t seed) {
  value ^= static_cast<std::uint32_t>(seed);
  value = (value ^ (value >> 16)) * 0x85EBCA6BU;
  value = (value ^ (value >> 13)) * 0xC2B2AE35U;
  return value ^ (value >> 16);
}

}  // namespace

EventLoop::EventLoop(host::HostedRun& run)
    : run_{run},
      steps_{run.blueprint().has_instant_messages() ? host::steps_with_instant_messages
                                                    : host::steps_without} {
  auto const& wiring = run.wiring();
  cores_.reserve(wiring.cores.size());
  for (auto const& wired : wiring.cores) {
    cores_.push_back(HostedCore<host::Instant>{*wired.core});
    first_receiver_.push_back(receivers_.size());
    receivers_.resize(receivers_.size() + wired.outputs);
  }
  first_receiver_.push_back(receivers_.size());
  for (auto const& wire : wiring.wires) {
    receivers_.at(first_receiver_[wire.from] + wire.output) = {wire.to, wire.input, true};
  }
  for (auto const core : cores_.ids()) set(core);
}

Time EventLoop::run_until_quiet(Time last_moment) {
  Time last{0};
  while (!alarms_.empty()) {
    auto const alarm = take();
    if (cores_[alarm.core].alarm() != alarm.at) continue;
    if (alarm.at.time > last_moment) break;
    last = alarm.at.time;
    if (!run_.supervisor().admits_activation(last)) break;
    advance(alarm);
  }
  return last;
}

void EventLoop::advance(Alarm const& alarm) {
  cores_[alarm.core].advance(
      [this] { return next_activity(); },
      [&](Outbox::Entry const& entry) { deliver(alarm.at, alarm.core, entry); });
  if (cores_[alarm.core].alarm()) set(alarm.core);
}

void EventLoop::deliver(host::Instant now, CoreId from, Outbox::Entry const& entry) {
  auto const output = first_receiver_[from] + entry.port;
  EXPECTS(output < first_receiver_[CoreId{from.index() + 1}], from, entry.port);
  auto const& receiver = receivers_[output];
  EXPECTS(receiver.is_connected, from, entry.port);
  auto const at = host::arrival(now, entry.at, steps_);
  if (cores_[receiver.core].accept(at, receiver.input, entry.message)) set(receiver.core);
}

void EventLoop::set(CoreId core) {
  alarms_.push_back({*cores_[core].alarm(), rank_of(core), core});
  std::push_heap(alarms_.begin(), alarms_.end(), ComesLater{});
}

EventLoop::Alarm EventLoop::take() {
  std::pop_heap(alarms_.begin(), alarms_.end(), ComesLater{});
  auto const alarm = alarms_.back();
  alarms_.pop_back();
  return alarm;
}

/// Of a core that was woken earlier than an alarm of its says, too: that only makes it sooner.
Time EventLoop::next_activity() const {
  if (alarms_.empty()) return forever;
  return alarms_.front().at.time;
}

std::uint32_t EventLoop::rank_of(CoreId core) const {
  auto const seed = run_.options().shuffle_seed;
  auto const index = static_cast<std::uint32_t>(core.index());
  if (seed != 0) return scrambled(index, seed);
  bool const is_reverse = run_.options().module_order == RunOptions::ModuleOrder::reverse;
  return is_reverse ? ~index : index;
}

}  // namespace tessera::sim::engine

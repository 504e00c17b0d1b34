// A core with its inbox and its alarm: what whoever wakes cores does with one.
#pragma once

#include <algorithm>
#include <optional>

#include "sim/model/protocol/inbox.hpp"

namespace tessera::sim {

[[nodiscard]] inline Time time_of(Time at) { return at; }

/// Sleeps until the next message arrives or the time that its core asked for, then takes over all
/// messages of that instant in canonical order and advances the core once. Since everything sent
/// arrives later than now, or at least in a later step, the order in which a host wakes the cores
/// of an instant cannot matter. `At`: a Time, or a finer instant that says its time_of().
template <typename At>
class HostedCore final {
 public:
  /// `core` must outlive it.
  explicit HostedCore(Core& core) : core_{core} {}

  /// When it wakes next, if ever. Every core wakes at time 0.
  [[nodiscard]] std::optional<At> alarm() const { return alarm_; }

  /// Takes a message that arrives at `at`. True: the alarm was set to then.
  bool accept(At at, Port port, Message const& message) {
    inbox_.add(at, port, message);
    if (alarm_ && !(at < *alarm_)) return false;
    alarm_ = at;
    return true;
  }

  /// Advances the core at its alarm, sets the next one and hands what was sent to
  /// `deliver(Outbox::Entry)`. `next_activity()` tells when another core wakes next, now at the
  /// earliest.
  template <typename NextActivity, typename Deliver>
  void advance(NextActivity next_activity, Deliver deliver) {
    auto const now = *alarm_;
    alarm_.reset();
    auto const time = time_of(now);
    inbox_.drain(now, [&](Port port, Message const& message) { core_.push(time, port, message); });
    outbox_.restart(time, core_.works_ahead() ? quiet_until(time, next_activity()) : time);
    auto const due = core_.advance(time, outbox_);
    for (auto const& entry : outbox_.entries()) deliver(entry);
    auto const arrival = inbox_.next();
    if (due) alarm_ = At{*due};
    if (arrival && (!alarm_ || *arrival < *alarm_)) alarm_ = arrival;
  }

 private:
  /// Others wake at their next activity at the earliest, and what they send arrives later than
  /// that.
  [[nodiscard]] Time quiet_until(Time now, Time others) const {
    auto const arrival = inbox_.next();
    return std::max(now, arrival ? std::min(others, time_of(*arrival) - Time{1}) : others);
  }

  Core& core_;
  Inbox<At> inbox_;
  Outbox outbox_{Time{0}};
  std::optional<At> alarm_{At{}};
};

}  // namespace tessera::sim

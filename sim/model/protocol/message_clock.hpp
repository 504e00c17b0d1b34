// How long a message between two parts of an accelerator takes.
#pragma once

#include "arch/base/clock.hpp"

namespace tessera::sim {

/// The clock that the parts of an accelerator share, and how many of its cycles a message from one
/// to another takes: one where each registers what it receives, none where a signal is through
/// within the clock.
class MessageClock final {
 public:
  MessageClock(Clock clock, Cycles latency = Cycles{1}) : clock_{clock}, latency_{latency} {}

  [[nodiscard]] Clock const& clock() const { return clock_; }
  [[nodiscard]] Cycles latency() const { return latency_; }
  /// At which edge a message arrives that is sampled at the first edge at or after `time`.
  [[nodiscard]] Cycles arrival_edge(Time time) const {
    return clock_.edge_at_or_after(time) + latency_;
  }
  /// When it arrives.
  [[nodiscard]] Time arrival(Time time) const { return clock_.edge(arrival_edge(time)); }
  /// When one that is sampled at an edge does.
  [[nodiscard]] Time arrival(Cycles edge) const { return clock_.edge(edge + latency_); }
  /// When the second of two arrives, sent where and when the first does.
  [[nodiscard]] Time second_arrival(Cycles edge) const { return clock_.edge(edge + latency_ * 2); }

 private:
  Clock clock_;
  Cycles latency_;
};

}  // namespace tessera::sim

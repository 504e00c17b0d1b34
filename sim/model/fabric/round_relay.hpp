// A transfer of several rounds where it is sent, and the one whose rounds it passes on.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/model/fabric/network_interface.hpp"

namespace tessera::sim {

/// Does in a few additions what a NetworkInterface does when a round has come that it passes on,
/// for whoever carries many of them at once: the same times, packets and counters. Of the rounds
/// before the last one, beside the memory, each in one piece.
class RoundRelay final {
 public:
  /// Has `own` been issued at the interface that sends it, and not all of it left?
  [[nodiscard]] static bool is_issued(NetworkInterface const& at, TaskId own) {
    return at.rounds_.is_issued(own);
  }

  /// At the interface that sends `own`, which passes `incoming` on. None while `own` has not been
  /// issued, or where rounds go through the memory or along two paths. The interface must outlive
  /// it.
  [[nodiscard]] static std::optional<RoundRelay> find(NetworkInterface& at, TaskId incoming,
                                                      TaskId own);

  /// Of a round; they differ in round and rank alone.
  [[nodiscard]] Message packet(std::uint32_t round) const;

  /// When the head of a packet leaves the interface, of the round after one whose last byte is here
  /// at `last`, not before the dispatcher issued `own`: as if the dispatcher were notified of each
  /// round and issued the next.
  [[nodiscard]] Time departure(Time last) const {
    auto const& clock = at_->clock_;
    return clock.second_arrival(clock.arrival_edge(last + adding_));
  }
  /// How long after `last` that is at least.
  [[nodiscard]] Time least_delay() const {
    auto const& clock = at_->clock_;
    return adding_ + clock.clock().length(clock.latency() * 3);
  }

  /// All that departure() depends on, relative to `now`.
  void write(StateWriter& state, Time now) const {
    auto const& clock = at_->clock_;
    state.put(adding_.value());
    state.put(clock.latency().value());
    state.put(clock.clock().frequency().value());
    state.put_phase(clock.clock(), now);
  }

  /// Notifies the interface of rounds that have left and come, all before the last one.
  void settle(std::uint32_t left, std::uint32_t arrived);

 private:
  RoundRelay(NetworkInterface& at, TaskId incoming, Message const& issue)
      : at_{&at}, incoming_{incoming}, issue_{issue}, adding_{at.adding(incoming)} {}

  NetworkInterface* at_;
  TaskId incoming_;
  Message issue_;  ///< of the first round of `own`
  Time adding_;
};

}  // namespace tessera::sim

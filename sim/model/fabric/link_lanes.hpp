// The lanes of a link, on which whole messages wait for each other.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/fabric/link_meter.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Carries messages by virtual cut-through, each on its lane, in the order in which it is given
/// them. With
///   serialisation = bytes / lane bandwidth,
///   begin         = max(head arrives, lane is free),
///   end           = max(begin + serialisation, tail arrives)
/// the head comes out `latency` after `begin`, at least a hop's latency (one fabric clock, unless
/// the array says otherwise), and the tail end - begin after it; the lane is free at `end`. A fast
/// link behind a slow one thus forwards bytes as they come. The lane counts as busy for
/// `serialisation`, up to `end`.
class LinkLanes final {
 public:
  /// The lane that messages of an accelerator use.
  using LaneOf = std::function<std::int64_t(AcceleratorId)>;

  /// `utilisation` must outlive the lanes.
  LinkLanes(arch::Link const& spec, Time least_latency, LaneOf lane_of, BusyHistogram& utilisation);

  /// How a message leaves the link.
  struct Passage {
    Time head{0};              ///< out of the link
    Time tail{0};              ///< behind the head
    std::optional<Time> sent;  ///< of its own accelerator's link: when the sender may know that the
                               ///< last byte has left
  };

  /// Of a message whose head arrives at `now`, not before that of the one before.
  [[nodiscard]] Passage carry(Message const& message, Time now);

  /// A lane, for messages of one size.
  struct Lane {
    Time* free = nullptr;  ///< from then on
    Time serialisation{0};
  };
  /// The one that those of an accelerator use.
  [[nodiscard]] Lane lane(AcceleratorId source, Bytes bytes);
  /// As carry(), without counting it, and without telling the sender.
  [[nodiscard]] Passage pass(Lane const& lane, Time head, Time tail) {
    Time const begin = std::max(head, *lane.free);
    Time const end = std::max(begin + lane.serialisation, head + tail);
    *lane.free = end;
    meter_.keep_busy(end - lane.serialisation, end);
    return {begin + latency_, end - begin, std::nullopt};
  }
  [[nodiscard]] Time latency() const { return latency_; }
  /// For messages that pass as others did before (RingCourses).
  [[nodiscard]] LinkMeter& meter() { return meter_; }
  void count(Bytes bytes, std::int64_t messages) { meter_.count(bytes, messages); }

  [[nodiscard]] std::vector<Statistic> const& statistics() const { return meter_.statistics(); }

 private:
  [[nodiscard]] Time& free_for(AcceleratorId source);

  Bandwidth bandwidth_;  ///< of a lane
  Time latency_;         ///< head in to head out
  Time least_latency_;
  std::size_t from_;  ///< node
  LaneOf lane_of_;
  LinkMeter meter_;
  std::vector<Time> free_;      ///< by lane
  Bytes last_bytes_{0};         ///< of the last message; the next one is mostly as large
  Time last_serialisation_{0};  ///< of so many
};

/// Makes the message what arrives behind the link.
inline void move_on(Message& message, LinkLanes::Passage const& passage) {
  message.tail = passage.tail;
  ++message.hops;
}

/// What the sender is told.
[[nodiscard]] inline Message told_to_sender(Message message) {
  message.kind = Message::Kind::sent;
  return message;
}

}  // namespace tessera::sim

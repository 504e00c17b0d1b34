// A one-way link of the fabric.
#pragma once

#include <functional>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/fabric/link_meter.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Carries whole messages by virtual cut-through, each on its lane, first come first served (ties:
/// the canonical order of messages). With
///   serialisation = bytes / lane bandwidth,
///   begin         = max(head arrives, lane is free),
///   end           = max(begin + serialisation, tail arrives)
/// the head comes out `latency` after `begin`, at least a hop's latency (one fabric clock, unless
/// the array says otherwise), and the tail end - begin after it; the lane is free at `end`. A fast
/// link behind a slow one thus forwards bytes as they come. The lane counts as busy for
/// `serialisation`, up to `end`.
/// Over an idle path a message takes the longest serialisation plus all latencies.
///
/// On a link that leaves an accelerator, the sender's network interface is told when the last byte
/// has left (at `end`, at least a hop's latency from now).
///
/// Leaves out: packets and credits (buffers are unlimited, messages of one lane never interleave);
/// PacketFabric has them. Also half-duplex links, which arch::load() refuses. Bandwidths and
/// latencies are the array's.
class Link final : public Core {
 public:
  enum In : Port { head };
  enum Out : Port { forward, back };
  static constexpr Port inputs = 1;
  static constexpr Port outputs = 2;

  /// The lane that messages of an accelerator use.
  using LaneOf = std::function<std::int64_t(AcceleratorId)>;

  Link(arch::Link const& spec, Time least_latency, LaneOf lane_of, BusyHistogram& utilisation);

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  void serialize(Time now, StateWriter& out) const override;
  void shift(Time by) override;
  [[nodiscard]] char const* kind() const override { return "link"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return meter_.statistics();
  }

 private:
  void carry(Message const& packet, Time now, Outbox& out);

  Bandwidth lane_bandwidth_;
  Time latency_;  ///< head in to head out
  Time least_latency_;
  std::size_t from_;  ///< node
  LaneOf lane_of_;
  LinkMeter meter_;

  std::vector<Time> lane_free_;
  std::vector<Message> arrived_;
};

}  // namespace tessera::sim

// A one-way link of the fabric.
#pragma once

#include <vector>

#include "sim/model/fabric/link_lanes.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Carries whole messages on its lanes (LinkLanes), first come first served (ties: the canonical
/// order of messages). Over an idle path a message takes the longest serialisation plus all
/// latencies.
///
/// On a link that leaves an accelerator, the sender's network interface is told when the last byte
/// has left (at its end, at least a hop's latency from now).
///
/// A MessageFabric does the same for all links of an array together. Leaves out: packets and
/// credits (buffers are unlimited, messages of one lane never interleave); PacketFabric has them.
/// Also half-duplex links, which arch::load() refuses. Bandwidths and latencies are the array's.
class Link final : public Core {
 public:
  enum In : Port { head };
  enum Out : Port { forward, back };
  static constexpr Port inputs = 1;
  static constexpr Port outputs = 2;

  using LaneOf = LinkLanes::LaneOf;

  Link(arch::Link const& spec, Time least_latency, LaneOf lane_of, BusyHistogram& utilisation)
      : lanes_{spec, least_latency, std::move(lane_of), utilisation} {}

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  [[nodiscard]] char const* kind() const override { return "link"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return lanes_.statistics();
  }

 private:
  LinkLanes lanes_;
  std::vector<Message> arrived_;
};

}  // namespace tessera::sim

// A router: the node of the fabric at which links meet.
#pragma once

#include <functional>
#include <vector>

#include "sim/model/fabric/router_meter.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Passes a message on to the next link, or to its accelerator, a hop's latency after its head came
/// in (one fabric clock, unless the array says otherwise). Contention is at the links, which queue.
///
/// A MessageFabric does the same for all routers of an array together. Leaves out: input
/// buffers, arbitration for the crossbar, credits; PacketFabric has them.
class Router final : public Core {
 public:
  enum In : Port { from_links };
  static constexpr Port inputs = 1;

  /// The output that a packet takes: outputs are the node's outgoing links in order, then its
  /// accelerator, if it has one.
  using NextHop = std::function<Port(Message const&)>;

  Router(Time latency, NextHop next_hop) : latency_{latency}, next_hop_{std::move(next_hop)} {}

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  [[nodiscard]] char const* kind() const override { return "router"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return meter_.statistics();
  }

 private:
  Time latency_;
  NextHop next_hop_;
  std::vector<Message> arrived_;
  RouterMeter meter_;
};

}  // namespace tessera::sim

// What the cores of a run are built from.
#pragma once

#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/array/topology.hpp"
#include "arch/base/clock.hpp"
#include "sim/model/control/schedule.hpp"
#include "sim/model/protocol/message_clock.hpp"

namespace tessera::sim {

/// Never changes during a run. `array` and `tasks` must outlive it.
struct Blueprint {
  Blueprint(arch::ArraySpec const& array_spec, TaskGraph const& tasks);

  arch::ArraySpec const& array;
  arch::Topology topology;
  IdVector<arch::NodeId, std::vector<arch::LinkId>>
      outgoing;  ///< links that leave a node, in order
  Schedule schedule;
  Clock fabric_clock;
  IdVector<AcceleratorId, arch::AcceleratorSpec const*> specs;
  IdVector<AcceleratorId, MessageClock> clocks;  ///< of an accelerator's parts

  [[nodiscard]] Folding const& folding() const { return schedule.graph().folding(); }
  [[nodiscard]] arch::AcceleratorSpec const& spec(AcceleratorId id) const { return *specs[id]; }
  [[nodiscard]] MessageClock const& clock(AcceleratorId id) const { return clocks[id]; }
  /// Of a switch and of a barrier, and the least of a link.
  [[nodiscard]] Time hop_latency() const {
    return fabric_clock.period() * array.fabric.hop_latency.value();
  }
  /// Do whole messages of others pass through an accelerator, so that it has a router?
  [[nodiscard]] bool has_message_router(arch::NodeId accelerator) const {
    return !array.fabric.packets && topology.passes_through(accelerator);
  }
  /// Can a message arrive in the instant in which it is sent?
  [[nodiscard]] bool has_instant_messages() const;
};

}  // namespace tessera::sim

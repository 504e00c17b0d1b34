// What the cores of a run are built from.
#pragma once

#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/clock.hpp"
#include "arch/topology.hpp"
#include "sim/model/schedule.hpp"

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
  bool shares_histograms;  ///< more than 4096 resources: one histogram for all of a kind

  [[nodiscard]] arch::AcceleratorSpec const& spec(AcceleratorId id) const {
    return array.accelerator(id.index());
  }
  [[nodiscard]] Clock clock(AcceleratorId id) const { return Clock{spec(id).clock}; }

  /// The name of the histogram of a resource: its own, or that of its kind.
  [[nodiscard]] std::string histogram_name(std::string const& resource,
                                           std::string const& kind) const {
    return shares_histograms ? kind : resource;
  }
};

}  // namespace tessera::sim

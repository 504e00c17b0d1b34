// Which way out of a node: the topology's routes, one hop at a time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Where a message ends: in a folded network in the whole array, else its destination.
[[nodiscard]] arch::NodeId end_of(arch::Topology const& topology, Message const& message);

/// All links that a message takes, in order.
[[nodiscard]] std::vector<arch::LinkId> route_of(arch::Topology const& topology,
                                                 Message const& message);

/// Finds the output of the router at one node: the place of the next link among the node's
/// outgoing links, or one past them for a packet that is at its destination. Asks the topology
/// once per way and hop and remembers, so memory grows with the flows that really
/// pass and not with the square of the array.
class RouteFinder final {
 public:
  /// `topology` must outlive the finder; `outgoing` are the links that leave `here`, in id order.
  RouteFinder(arch::Topology const& topology, arch::NodeId here,
              std::vector<arch::LinkId> outgoing);

  [[nodiscard]] Port operator()(Message const& packet);

 private:
  [[nodiscard]] Port find(Message const& packet) const;

  arch::Topology const& topology_;
  arch::NodeId here_;
  std::vector<arch::LinkId> outgoing_;
  std::unordered_map<std::uint64_t, Port> known_;
};

}  // namespace tessera::sim

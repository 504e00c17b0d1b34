// The tree over which switches add and hand out: from the first switch the shortest way to every endpoint.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

struct AggregationTree {
  /// A vertex and the channels to and from the one above it.
  struct Place {
    arch::VertexId vertex;
    std::size_t parent = 0;  ///< a place before this one; of the root: itself
    arch::ChannelId up;
    arch::ChannelId down;
  };

  /// The channels between a vertex and the one above it, and the place that stands for it.
  struct Edge {
    arch::ChannelId up;
    arch::ChannelId down;
    std::size_t stand_in = 0;
  };

  /// The root first. Of siblings that are alike, with all that hangs on them, one stands for all:
  /// they do the same at the same times.
  std::vector<Place> places;
  std::vector<Edge> edges;  ///< of the whole tree
};

/// Requires a connected interconnect with a router. `timing` says which channels are alike.
[[nodiscard]] AggregationTree aggregation_tree(
    arch::Interconnect const& interconnect, IdVector<arch::ChannelId, ChannelTiming> const& timing);

}  // namespace tessera::sim

// For every router and destination of an interconnect the next hops. An array of 65,536 on a torus has four billion such pairs, so nothing is
// worked out before it is asked for: all of a router's at once where packets ask at every hop, one pair alone where a route is sought.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch {

using VertexId = Id<struct VertexTag>;    ///< endpoints first (0 .. endpoints-1), then routers
using ChannelId = Id<struct ChannelTag>;  ///< the two channels of a link follow each other

/// A way on: a channel, and the class of virtual channel in it. A packet that stays in its lane
/// keeps the class that it has.
struct Hop {
  ChannelId channel;
  std::uint8_t vc_class = 0;

  friend bool operator==(Hop const& a, Hop const& b) {
    return a.channel == b.channel && a.vc_class == b.vc_class;
  }
};

/// The hops among which a packet chooses; at least one.
struct Hops {
  Hop const* first;
  std::uint32_t count;
};

class RoutingTable final {
 public:
  /// A channel that leaves a router.
  struct Leaving {
    VertexId to;
    ChannelId channel;
    std::uint8_t classes = 1;  ///< of its virtual channels
  };

  /// One network of the hierarchy: its routers are consecutive vertices, its endpoints too.
  struct Network {
    std::unique_ptr<TopologyRule> rule;
    std::size_t first_router = 0;             ///< a vertex
    std::vector<std::size_t> place_begin;     ///< first endpoint of each place, and the end
    std::vector<ChannelId> into;              ///< from the router of each place to what is there
    std::optional<ChannelId> out;             ///< from router 0 to the network around this one
    std::vector<std::vector<Leaving>> links;  ///< of each router, by neighbour
  };

  /// `network_of` has an entry for each router, whose vertices come behind the endpoints.
  RoutingTable(std::size_t endpoints, std::vector<Network> networks,
               std::vector<std::size_t> network_of);

  /// From a router (from 0 on) to an endpoint. The first time, all of that router are worked out.
  [[nodiscard]] Hops hops(std::size_t router, std::size_t destination) const {
    auto const& known = rows_[router];
    auto const& row = known.choice_of.empty() ? fill(router) : known;
    auto const& choice = row.choices[row.choice_of[destination]];
    return {row.hops.data() + choice.first, choice.count};
  }
  /// The same, of that pair alone.
  void find(std::size_t router, std::size_t destination, std::vector<Hop>& hops) const;

 private:
  struct HopRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// Of a router; empty until it is asked for.
  struct Row {
    std::vector<std::uint16_t> choice_of;  ///< by destination
    std::vector<HopRange> choices;
    std::vector<Hop> hops;
  };
  class RowChoices;

  Row const& fill(std::size_t router) const;

  std::size_t endpoints_;
  std::vector<Network> networks_;
  std::vector<std::size_t> network_of_;
  mutable std::vector<Row> rows_;  ///< those of them that were asked for
  mutable std::vector<TopologyRule::Step> steps_;
};

}  // namespace tessera::arch

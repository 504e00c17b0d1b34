// The graph that a topology describes: endpoints, routers, one-way channels, and for every router and destination the ways on.
//
// An endpoint has one channel into the network and one out of it. Channels may have classes of virtual channels, which routing uses
// to stay free of deadlock: of V virtual channels, class c of C has those from c * V / C up to (c + 1) * V / C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/fabric/routing_table.hpp"
#include "arch/fabric/topology_spec.hpp"

namespace tessera::arch {

struct Channel {
  VertexId from;
  VertexId to;
  WireSpec wire;
  std::uint8_t classes = 1;  ///< of its virtual channels
  std::uint8_t lane = 0;     ///< dimension and direction in a torus; 0: none
  bool is_internal = false;  ///< no wire: from an endpoint to the router that it is, or back
};

class Interconnect final {
 public:
  /// Who asks for ways: packets at every hop (hops()), or messages for whole routes only.
  enum class Asked : std::uint8_t { at_every_hop, for_routes };

  /// Throws ConfigError when the topology is not connected or, for what is asked, too large.
  explicit Interconnect(TopologySpec const& topology, Paths paths = Paths::one,
                        Asked asked = Asked::at_every_hop);

  [[nodiscard]] std::size_t endpoints() const { return endpoints_; }
  [[nodiscard]] std::size_t vertices() const { return vertices_; }
  [[nodiscard]] bool is_endpoint(VertexId vertex) const { return vertex.index() < endpoints_; }
  [[nodiscard]] IdVector<ChannelId, Channel> const& channels() const { return channels_; }
  [[nodiscard]] std::string name(VertexId vertex) const;
  /// The channel that leads back over the same link.
  [[nodiscard]] static ChannelId way_back(ChannelId channel) {
    return ChannelId{channel.index() ^ std::size_t{1}};
  }
  [[nodiscard]] bool has_half_duplex() const;

  [[nodiscard]] ChannelId injection(VertexId endpoint) const { return injection_[endpoint]; }
  /// The router that an endpoint is; none where a wire leads to it.
  [[nodiscard]] std::optional<VertexId> own_router(VertexId endpoint) const {
    auto const& door = channels_[injection_[endpoint]];
    return door.is_internal ? std::optional<VertexId>{door.to} : std::nullopt;
  }

  /// The ways from `router` to an endpoint.
  [[nodiscard]] Hops hops(VertexId router, VertexId destination) const {
    return routing_->hops(router.index() - endpoints_, destination.index());
  }

  /// The class that a packet has in `next` when it came in class `previous_class` of `previous`.
  [[nodiscard]] std::uint8_t class_after(ChannelId previous, std::uint8_t previous_class,
                                         Hop const& next) const {
    auto const lane = channels_[next.channel].lane;
    return lane != 0 && channels_[previous].lane == lane ? previous_class : next.vc_class;
  }

  /// Of several hops on at a router, the one that a route takes.
  enum class Choice : std::uint8_t { first, last };

  /// The channels from `source` to `destination`, injection and ejection included.
  [[nodiscard]] std::vector<Hop> route(VertexId source, VertexId destination,
                                       Choice choice = Choice::first) const;

  /// Are there several hops on at a router of the route?
  [[nodiscard]] bool has_choice(VertexId source, VertexId destination) const;

  /// The most classes that a channel has.
  [[nodiscard]] std::uint8_t classes() const { return classes_; }

  /// Channels and classes that wait for each other in a circle, as text (a long one shortened);
  /// empty when there are none, and with that no deadlock (Dally and Seitz 1987). Looks at every
  /// way of every packet.
  [[nodiscard]] std::string find_deadlock() const;
  /// The same if channels had only so many virtual channels, one or more, which classes would have
  /// to share. In a very large interconnect it looks at as many packets as it has time for.
  [[nodiscard]] std::string find_deadlock(std::int64_t virtual_channels) const;

 private:
  friend class InterconnectBuilder;

  [[nodiscard]] bool finds_choice(VertexId source, VertexId destination) const;

  std::size_t endpoints_ = 0;
  std::size_t vertices_ = 0;
  std::uint8_t classes_ = 1;
  IdVector<ChannelId, Channel> channels_;
  IdVector<VertexId, ChannelId> injection_;
  std::shared_ptr<RoutingTable const> routing_;
  mutable std::unordered_map<std::size_t, bool> has_choice_;  ///< of pairs that were asked for
};

/// The channels that leave each vertex, in their order.
[[nodiscard]] IdVector<VertexId, std::vector<ChannelId>> channels_from(
    Interconnect const& interconnect);

/// The interconnect of a topology that was read at `node`, where its ConfigErrors then are.
[[nodiscard]] Interconnect interconnect_at(ConfigNode const& node, TopologySpec const& topology,
                                           Paths paths = Paths::one);

}  // namespace tessera::arch

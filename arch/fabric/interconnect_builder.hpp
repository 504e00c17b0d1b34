// Turns a topology into an interconnect: networks within networks, their joints, and what their ways follow from.
#pragma once

#include <vector>

#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

class InterconnectBuilder final {
 public:
  InterconnectBuilder(TopologySpec const& topology, Paths paths, Interconnect::Asked asked,
                      Interconnect& result);

  void build();

 private:
  std::size_t add_network(TopologySpec const& topology, bool is_member);
  void add_links(std::size_t network, TopologySpec const& topology, bool is_member);
  void add_members(std::size_t network, TopologySpec const& topology);
  ChannelId join(std::size_t a, std::size_t b, Channel channel);
  void check_connected() const;

  TopologySpec const* topology_;
  Paths paths_;
  std::size_t most_pairs_;
  Interconnect* result_;
  std::vector<RoutingTable::Network> networks_;
  std::vector<std::size_t> network_of_;  ///< router (from 0)
  std::size_t next_endpoint_ = 0;
};

}  // namespace tessera::arch

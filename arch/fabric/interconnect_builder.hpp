// Turns a topology into an interconnect: networks within networks, their joints, and the table of ways.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

class InterconnectBuilder final {
 public:
  InterconnectBuilder(TopologySpec const& topology, Paths paths, Interconnect& result);

  void build();

 private:
  /// One network of the hierarchy: its routers are consecutive vertices, its endpoints too.
  struct Group {
    TopologySpec const* spec = nullptr;
    std::unique_ptr<TopologyRule> rule;
    std::size_t first_router = 0;               ///< a vertex
    std::vector<std::size_t> place_begin;       ///< first endpoint of each place, and the end
    std::vector<ChannelId> into;                ///< from the router of each place to what is there
    std::optional<ChannelId> out;               ///< from router 0 to the network around this one
    std::vector<std::vector<ChannelId>> links;  ///< leaving each router, by neighbour
  };

  /// The ways from one router; the same ones are kept once.
  class RouterChoices;

  [[nodiscard]] std::size_t count_routers(TopologySpec const& topology) const;
  std::size_t add_group(TopologySpec const& topology, bool is_member);
  void add_links(Group& group, bool is_member);
  void add_members(std::size_t group);
  ChannelId join(std::size_t a, std::size_t b, Channel channel);
  void fill_table();
  void find_hops(Group const& group, std::size_t router, std::size_t destination,
                 std::vector<Hop>& hops);
  void check_connected() const;

  TopologySpec const* topology_;
  Paths paths_;
  Interconnect* result_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  ///< router (from 0) to group
  std::size_t next_endpoint_ = 0;
  std::vector<TopologyRule::Step> steps_;
};

}  // namespace tessera::arch

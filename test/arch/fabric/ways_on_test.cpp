// Ways are what the rule of a topology says, asked for alone or all at once, kept or forgotten.
#include "arch/fabric/ways_on.hpp"

#include <gtest/gtest.h>

#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

namespace {

constexpr std::size_t routers = 4;

/// A ring of four, its endpoints at its routers: from router r, channel 2 r leads up, 2 r + 1 down,
/// and 8 + r to the endpoint.
WaysOn ring_that_keeps(std::size_t most_kept) {
  WireSpec const wire{Bandwidth{1'000'000'000}, Time{1000}};
  auto const topology = topology_from("ring:4", wire);
  std::vector<WaysOn::Network> networks(1);
  auto& network = networks.front();
  network.rule = make_rule(topology, Paths::equal_cost);
  network.first_router = routers;
  network.links.resize(routers);
  for (std::size_t i = 0; i < routers; ++i) {
    auto& links = network.links[i];
    links.push_back({VertexId{routers + (i + 1) % routers}, ChannelId{2 * i}, 2});
    links.push_back({VertexId{routers + (i + routers - 1) % routers}, ChannelId{2 * i + 1}, 2});
    if (links[1].to < links[0].to) std::swap(links[0], links[1]);
    network.place_begin.push_back(i);
    network.into.push_back(ChannelId{2 * routers + i});
  }
  network.place_begin.push_back(routers);
  return WaysOn{routers, std::move(networks), std::vector<std::size_t>(routers, 0), most_kept};
}

std::vector<std::size_t> channels(Hops const& hops) {
  std::vector<std::size_t> all;
  for (std::uint32_t i = 0; i < hops.count; ++i) all.push_back(hops.first[i].channel.index());
  return all;
}

using Channels = std::vector<std::size_t>;

TEST(WaysOn, LeadToTheNeighbourOrBothWaysRound) {
  auto const ways = ring_that_keeps(1000);
  EXPECT_EQ(channels(ways.hops(1, 1)), Channels{9});
  EXPECT_EQ(channels(ways.hops(1, 2)), Channels{2});
  EXPECT_EQ(channels(ways.hops(1, 0)), Channels{3});
  EXPECT_EQ(channels(ways.hops(1, 3)), (Channels{2, 3}));
}

/// With room for one router, each is worked out anew when the others have been asked.
TEST(WaysOn, AreTheSameAfterTheyWereForgotten) {
  auto const kept = ring_that_keeps(1000);
  auto const forgetful = ring_that_keeps(routers);
  for (std::size_t round = 0; round < 2; ++round) {
    for (std::size_t from = 0; from < routers; ++from) {
      for (std::size_t to = 0; to < routers; ++to) {
        EXPECT_EQ(channels(kept.hops(from, to)), channels(forgetful.hops(from, to)));
      }
    }
  }
}

}  // namespace

}  // namespace tessera::arch

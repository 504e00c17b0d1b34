// Topologies: who is joined to whom, how long routes are, and that no circle of channels can wait for itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

namespace {

WireSpec const wire{Bandwidth{1'000'000'000}, Time{1000}};

TopologySpec short_form(std::string const& text) { return topology_from(text, wire); }

TopologySpec from_yaml(std::string const& text) {
  return topology_from(read_config_text(text, "fabric.yaml"));
}

/// Boards of a tree joined in a torus; boards of unequal size; meshes in a ring; three levels.
std::string const link = "link: {bandwidth: 1 GB/s, latency: 1 ns}";
std::string const boards_in_a_torus =
    "{kind: torus, shape: [3, 3], " + link +
    ", members: [{count: 9, topology: {kind: tree, shape: [2, 2], " + link + "}}]}";
std::string const unequal_boards = "{kind: fully-connected, shape: [3], " + link +
                                   ", members: [{count: 2, topology: {kind: star, shape: [4], " +
                                   link + "}}, {topology: {kind: star, shape: [2], " + link +
                                   "}}]}";
std::string const meshes_in_a_ring =
    "{kind: torus, shape: [5], " + link +
    ", members: [{count: 5, topology: {kind: mesh, shape: [3, 2], " + link + "}}]}";
std::string const tori_in_meshes_in_a_tree =
    "{kind: tree, shape: [2], " + link +
    ", members: [{count: 2, topology: {kind: mesh, shape: [2, 2], " + link +
    ", members: [{count: 4, topology: {kind: torus, shape: [4, 3], " + link + "}}]}}]}";
std::string const petersen =
    "{kind: edges, shape: [10], " + link +
    ", edges: [[0,1],[1,2],[2,3],[3,4],[4,0],[0,5],[1,6],[2,7],[3,8],[4,9],[5,7],[7,9],[9,6],[6,8],"
    "[8,5]]}";

std::vector<TopologySpec> every_topology() {
  std::vector<TopologySpec> all;
  for (auto const* const text :
       {"mesh:4x4",       "mesh:2x3x4", "mesh:7",       "torus:4x4",       "torus:5x3",
        "torus:4x3x5",    "torus:2x2",  "torus:8x1",    "ring:8",          "ring:3",
        "ring:2",         "htree:16",   "fat-tree:2x4", "fat-tree:4x2",    "fat-tree:3x3",
        "fat-tree:4x1",   "star:6",     "full:7",       "dragonfly:5x2x3", "dragonfly:9x4x2",
        "dragonfly:1x4x2"}) {
    all.push_back(short_form(text));
  }
  for (auto const& text :
       {boards_in_a_torus, unequal_boards, meshes_in_a_ring, tori_in_meshes_in_a_tree, petersen}) {
    all.push_back(from_yaml(text));
  }
  return all;
}

/// From an endpoint hop by hop, as packets go.
std::vector<Hop> followed(Interconnect const& net, VertexId source, VertexId destination,
                          bool takes_last, bool& has_choice) {
  std::vector<Hop> route = {{net.injection(source), 0}};
  for (auto at = net.channels()[route.back().channel].to; !net.is_endpoint(at);) {
    auto const [first, count] = net.hops(at, destination);
    has_choice = has_choice || count > 1;
    auto hop = first[takes_last ? count - 1 : 0];
    hop.vc_class = net.class_after(route.back().channel, route.back().vc_class, hop);
    route.push_back(hop);
    at = net.channels()[hop.channel].to;
  }
  return route;
}

/// Links between routers from one endpoint to another.
std::size_t distance(Interconnect const& net, std::size_t from, std::size_t to) {
  return net.route(VertexId{from}, VertexId{to}).size() - 2;
}

TEST(Interconnect, EveryRouteArrivesAndItsChannelsFollowEachOther) {
  for (auto const& topology : every_topology()) {
    Interconnect const net{topology};
    EXPECT_EQ(net.endpoints(), topology.endpoints());
    for (std::size_t from = 0; from < net.endpoints(); ++from) {
      for (std::size_t to = 0; to < net.endpoints(); ++to) {
        auto at = VertexId{from};
        for (auto const& hop : net.route(VertexId{from}, VertexId{to})) {
          auto const& channel = net.channels()[hop.channel];
          ASSERT_EQ(channel.from, at);
          ASSERT_LT(hop.vc_class, channel.classes);
          at = channel.to;
        }
        ASSERT_EQ(at, VertexId{to});
      }
    }
  }
}

TEST(Interconnect, NoTopologyWithItsRoutingCanDeadlock) {
  for (auto const& topology : every_topology()) {
    for (auto const paths : {Paths::one, Paths::equal_cost}) {
      EXPECT_EQ(Interconnect(topology, paths).find_deadlock(), "");
    }
  }
}

TEST(Interconnect, MeshesTakeTheManhattanWay) {
  Interconnect const net{short_form("mesh:5x4")};
  for (int from = 0; from < 20; ++from) {
    for (int to = 0; to < 20; ++to) {
      auto const expected = std::abs(from % 5 - to % 5) + std::abs(from / 5 - to / 5);
      EXPECT_EQ(distance(net, static_cast<std::size_t>(from), static_cast<std::size_t>(to)),
                static_cast<std::size_t>(expected));
    }
  }
}

TEST(Interconnect, ToriTakeTheShorterWayRound) {
  Interconnect const net{short_form("torus:4x4")};
  EXPECT_EQ(distance(net, 0, 3), 1U);   // (0,0) > (3,0)
  EXPECT_EQ(distance(net, 0, 15), 2U);  // (0,0) > (3,3)
  EXPECT_EQ(distance(net, 0, 10), 4U);  // (0,0) > (2,2)
  // Uniform traffic with self-sends goes over 3 routers, 2 links, on average (BookSim2's rows).
  std::size_t links = 0;
  for (std::size_t from = 0; from < 16; ++from) {
    for (std::size_t to = 0; to < 16; ++to) links += distance(net, from, to);
  }
  EXPECT_EQ(links, 2U * 256U);
}

TEST(Interconnect, UniformTrafficLoadsEveryChannelOfAnEvenTorusAlike) {
  Interconnect const net{short_form("torus:8x4")};
  IdVector<ChannelId, int> load{net.channels().size()};
  for (std::size_t from = 0; from < 32; ++from) {
    for (std::size_t to = 0; to < 32; ++to) {
      for (auto const& hop : net.route(VertexId{from}, VertexId{to})) ++load[hop.channel];
    }
  }
  std::set<int> in_rows;
  std::set<int> in_columns;
  for (auto const id : net.channels().ids()) {
    auto const lane = net.channels()[id].lane;
    if (lane == 1 || lane == 2) in_rows.insert(load[id]);
    if (lane == 3 || lane == 4) in_columns.insert(load[id]);
  }
  EXPECT_EQ(in_rows, std::set<int>{32});     // 32 x 32 packets x 2 hops on average / 64 channels
  EXPECT_EQ(in_columns, std::set<int>{16});  // 1 hop on average
}

TEST(Interconnect, TreesMeetAtTheLowestCommonSwitch) {
  Interconnect const net{short_form("htree:16")};
  EXPECT_EQ(net.vertices(), 16U + 15U);
  EXPECT_EQ(distance(net, 0, 1), 0U);   // one switch, no link between switches
  EXPECT_EQ(distance(net, 0, 2), 2U);   // three switches
  EXPECT_EQ(distance(net, 0, 15), 6U);  // seven switches, over the root
}

TEST(Interconnect, LinksOfATreeDifferByLevel) {
  auto const topology = from_yaml(
      "{kind: tree, shape: [2, 3], links: [{bandwidth: 4 GB/s, latency: 2 ns}, "
      "{bandwidth: 1 GB/s, latency: 1 ns}]}");
  Interconnect const net{topology};
  auto const route = net.route(VertexId{0}, VertexId{5});
  ASSERT_EQ(route.size(), 4U);  // up, up, down, down
  for (std::size_t hop = 0; hop < 4; ++hop) {
    auto const top = hop == 1 || hop == 2;
    EXPECT_EQ(net.channels()[route[hop].channel].wire, topology.links[top ? 0 : 1]);
  }
}

TEST(Interconnect, FatTreesHaveManyWaysUpAndOneDown) {
  auto const topology = short_form("fat-tree:4x2");
  Interconnect const net{topology, Paths::equal_cost};
  EXPECT_EQ(net.vertices(), 16U + 8U);
  auto const leaf = net.channels()[net.injection(VertexId{0})].to;
  EXPECT_EQ(net.hops(leaf, VertexId{15}).count, 4U);
  EXPECT_EQ(net.hops(leaf, VertexId{1}).count, 1U);
  EXPECT_EQ(distance(net, 0, 15), 2U);
}

TEST(Interconnect, DragonfliesNeedOneGlobalLink) {
  Interconnect const net{short_form("dragonfly:9x4x2")};
  EXPECT_EQ(net.endpoints(), 72U);
  std::size_t longest = 0;
  for (std::size_t to = 0; to < 72; ++to) longest = std::max(longest, distance(net, 0, to));
  EXPECT_EQ(longest, 3U);  // local, global, local
}

TEST(Interconnect, MembersAreReachedThroughTheirGate) {
  Interconnect const net{from_yaml(boards_in_a_torus)};
  EXPECT_EQ(net.endpoints(), 36U);
  EXPECT_EQ(distance(net, 0, 1), 0U);
  EXPECT_EQ(distance(net, 0, 3), 2U);
  // Up to the board's root (1), to its router (1), one link of the torus, and down again.
  EXPECT_EQ(distance(net, 0, 4), 5U);
}

TEST(Interconnect, UpDownTakesShortestWaysInTheGraphOfPetersenUpToItsRule) {
  Interconnect const net{from_yaml(petersen)};
  for (std::size_t from = 0; from < 10; ++from) {
    for (std::size_t to = 0; to < 10; ++to) EXPECT_LE(distance(net, from, to), 4U);
  }
  EXPECT_EQ(distance(net, 0, 7), 2U);
}

TEST(Topology, MistakesAreNamed) {
  for (auto const* const text : {"mesh", "mesh:", "mesh:4x", "mesh:0x4", "torus:-1", "htree:12",
                                 "ring:4x4", "moebius:4", "fat-tree:4", "mesh:1000x1000"}) {
    EXPECT_THROW(static_cast<void>(short_form(text)), ConfigError) << text;
  }
  auto const edges = [](std::string const& list) {
    return "{kind: edges, shape: [3], " + link + ", edges: " + list + "}";
  };
  EXPECT_THROW(Interconnect{from_yaml(edges("[[0, 1]]"))}, ConfigError);  // 2 is alone
  EXPECT_THROW(static_cast<void>(from_yaml(edges("[[0, 0]]"))), ConfigError);
  EXPECT_THROW(static_cast<void>(from_yaml(edges("[[0, 1], [1, 2], [1, 0]]"))), ConfigError);
  EXPECT_THROW(static_cast<void>(from_yaml(edges("[[0, 3]]"))), ConfigError);
  EXPECT_THROW(static_cast<void>(from_yaml("{kind: mesh, shape: [2, 2], lnk: 3}")), ConfigError);
}

TEST(Interconnect, FindsTheRoutesThatPacketsTake) {
  for (auto const& topology : every_topology()) {
    for (auto const paths : {Paths::one, Paths::equal_cost}) {
      Interconnect const net{topology, paths};
      for (std::size_t i = 0; i < net.endpoints() * net.endpoints(); ++i) {
        VertexId const from{i / net.endpoints()}, to{i % net.endpoints()};
        bool has_choice = false, has_another = false;
        EXPECT_EQ(net.route(from, to), followed(net, from, to, false, has_choice));
        EXPECT_EQ(net.route(from, to, Interconnect::Choice::last),
                  followed(net, from, to, true, has_another));
        EXPECT_EQ(net.has_choice(from, to), has_choice);
        EXPECT_EQ(net.has_choice(from, to), has_choice) << "the second time";
      }
    }
  }
}

}  // namespace

}  // namespace tessera::arch

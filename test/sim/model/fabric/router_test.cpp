// Routers pass on; route finders follow the topology's routes hop by hop.
#include "sim/model/fabric/router.hpp"

#include <gtest/gtest.h>

#include "sim/model/array/blueprint.hpp"
#include "sim/model/fabric/route_finder.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

TEST(Router, PassesAMessageOnOneClockAfterItsHead) {
  Router router{ghz.period(), [](Message const& message) {
                  return static_cast<Port>(message.destination.index());
                }};
  Message const first = packet(0, 0, 2, 100, ns(30));
  auto const out = advance(router, ns(4), {{0, first}, {0, packet(1, 0, 1, 50)}});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].port, 2);
  EXPECT_EQ(out[0].at, ns(5));
  EXPECT_EQ(out[0].message, first) << "nothing of a message changes in a router";
  EXPECT_EQ(statistic(router, "messages"), 2);
  EXPECT_EQ(statistic(router, "bytes"), 150);
}

void expect_routes_to_be_followed_hop_by_hop(arch::ArraySpec const& array) {
  auto const accelerators = array.accelerators;
  TaskGraph const no_tasks{static_cast<std::size_t>(accelerators)};
  Blueprint const blueprint{array, no_tasks};
  arch::Topology const& topology = blueprint.topology;
  std::vector<RouteFinder> finders;
  for (std::size_t node = 0; node < topology.node_names().size(); ++node) {
    finders.emplace_back(topology, arch::NodeId{node}, blueprint.outgoing[arch::NodeId{node}]);
  }
  auto const count = static_cast<std::size_t>(accelerators);
  for (std::size_t pair = 0; pair < count * count; ++pair) {
    for (arch::Turn const turn : {arch::Turn::positive, arch::Turn::negative}) {
      Message message = packet(0, pair / count, pair % count, 4);
      message.turn = turn;
      arch::NodeId here{message.source.index()};
      arch::NodeId const goal{message.destination.index()};
      for (arch::LinkId const link : topology.route(here, goal, turn)) {
        auto const& outgoing = blueprint.outgoing[here];
        ASSERT_EQ(outgoing.at(finders[here.index()](message)), link);
        ++message.hops;
        here = topology.links()[link].to;
      }
      ASSERT_EQ(here, goal);
      EXPECT_EQ(finders[here.index()](message), blueprint.outgoing[here].size());
    }
  }
}

TEST(RouteFinder, FollowsTheRoutesOfHTreesAndTori) {
  for (auto const kind : {arch::FabricSpec::Topology::htree, arch::FabricSpec::Topology::torus}) {
    for (std::int64_t accelerators = 1; accelerators <= 32; accelerators *= 2) {
      SCOPED_TRACE(accelerators);
      expect_routes_to_be_followed_hop_by_hop(small_array(accelerators, kind));
    }
  }
}

TEST(RouteFinder, FollowsTheRoutesOfOtherNetworks) {
  for (auto const* const topology : {"mesh:8x4", "torus:4x4x2", "ring:32", "htree:32", "star:32",
                                     "fat-tree:2x5", "full:32", "dragonfly:4x4x2"}) {
    SCOPED_TRACE(topology);
    expect_routes_to_be_followed_hop_by_hop(small_network(topology));
  }
}

TEST(RouteFinder, FollowsWaysOfMoreThan255Hops) {
  auto const array = small_network("mesh:512");
  TaskGraph const no_tasks{512};
  Blueprint const blueprint{array, no_tasks};
  Message message = packet(0, 0, 511, 4);
  for (std::size_t node = 0; node < 512; ++node) {
    RouteFinder finder{blueprint.topology, arch::NodeId{node},
                       blueprint.outgoing[arch::NodeId{node}]};
    auto const& outgoing = blueprint.outgoing[arch::NodeId{node}];
    auto const port = finder(message);
    if (node == 511) {
      EXPECT_EQ(port, outgoing.size());
    } else {
      ASSERT_EQ(blueprint.topology.links()[outgoing.at(port)].to, arch::NodeId{node + 1});
    }
    ++message.hops;
  }
}

}  // namespace
}  // namespace tessera::sim

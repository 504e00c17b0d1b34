// The channel-dependency law (Dally and Seitz 1987): no topology that a file can describe waits for itself in a circle, and what is
// said where virtual channels are too few for its routing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "arch/fabric/interconnect_spec.hpp"
#include "test/support/draw.hpp"
#include "test/support/error_message.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::arch {

namespace {

using test::Draw;
using test::error_message;
using testing::HasSubstr;

std::string const links = "link: {bandwidth: 1 GB/s, latency: 1 ns}";

/// "[3, 2]": one to three numbers of which the product is at most 12.
std::string shape(Draw& draw) {
  std::string text;
  std::int64_t room = 12;
  for (auto left = draw(1, 3); left > 0; --left) {
    auto const extent = draw(1, std::min<std::int64_t>(room, 6));
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
    room /= extent;
  }
  return '[' + text + ']';
}

/// A random tree over the routers, so that all are connected, and as many links more.
std::string edges(Draw& draw, std::int64_t routers) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::int64_t router = 1; router < routers; ++router) {
    all.emplace_back(draw(0, router - 1), router);
  }
  for (std::int64_t more = 0; more < routers; ++more) {
    auto const ends = std::minmax({draw(0, routers - 1), draw(0, routers - 1)});
    if (ends.first == ends.second) continue;
    if (std::find(all.begin(), all.end(), std::pair{ends.first, ends.second}) == all.end()) {
      all.emplace_back(ends.first, ends.second);
    }
  }
  std::string text;
  for (auto const& [a, b] : all) {
    text += (text.empty() ? "[" : ", [") + std::to_string(a) + ", " + std::to_string(b) + ']';
  }
  return '[' + text + ']';
}

/// A topology's kind and shape; networks within networks, `depth` at most.
std::string topology(Draw& draw, int depth, bool is_member) {
  std::string text;
  switch (draw(0, is_member ? 6 : 7)) {
    case 0:
      text = "kind: mesh, shape: " + shape(draw);
      break;
    case 1:
      text = "kind: torus, shape: " + shape(draw);
      break;
    case 2:
      text = "kind: tree, shape: " + shape(draw);
      break;
    case 3:
      text = "kind: star, shape: [" + std::to_string(draw(1, 5)) + ']';
      break;
    case 4:
      text = "kind: fully-connected, shape: [" + std::to_string(draw(1, 5)) + ']';
      break;
    case 5: {
      auto const routers = draw(2, 10);
      text =
          "kind: edges, shape: [" + std::to_string(routers) + "], edges: " + edges(draw, routers);
      break;
    }
    case 6:
      text = "kind: dragonfly, shape: [" + std::to_string(draw(2, 5)) + ", " +
             std::to_string(draw(1, 3)) + ", 1]";
      break;
    default:
      text = "kind: fat-tree, shape: [2, " + std::to_string(draw(1, 3)) + ']';
      break;
  }
  text += ", " + links;
  auto const places = topology_from(read_config_text('{' + text + '}', "fabric.yaml")).places();
  if (depth > 1 && draw(0, 1) == 1) {
    text += ", members: [";
    for (std::size_t place = 0; place < places; ++place) {
      text += (place == 0 ? "" : ", ") + ("{topology: " + topology(draw, depth - 1, true) + '}');
    }
    text += ']';
  }
  return '{' + text + '}';
}

TEST(Deadlock, NoTopologyThatAFileCanDescribeWaitsForItself) {
  std::size_t in_circles = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw{seed};
    auto const text = topology(draw, 3, false);
    auto const spec = topology_from(read_config_text(text, "fabric.yaml"));
    if (spec.endpoints() > 150) continue;
    for (auto const paths : {Paths::one, Paths::equal_cost}) {
      Interconnect const net{spec, paths};
      EXPECT_EQ(net.find_deadlock(), "") << text;
      in_circles += net.find_deadlock(1).empty() ? 0 : 1;
    }
  }
  // The law can fail: without classes, many of the same topologies do.
  EXPECT_GT(in_circles, 50U);
}

Interconnect ring(std::int64_t routers, Paths paths = Paths::one) {
  return Interconnect{
      topology_from("ring:" + std::to_string(routers), {Bandwidth{1'000'000'000}, Time{1000}}),
      paths};
}

TEST(Deadlock, ARingWithoutADatelineIsNamedChannelByChannel) {
  // All packets of two hops the same way: each channel waits for the next one.
  auto const text = ring(5).find_deadlock(1);
  EXPECT_EQ(text,
            "router-0>router-1 waits for router-1>router-2 waits for router-2>router-3 waits for 2 "
            "more, the last of which waits for router-0>router-1");
  EXPECT_EQ(ring(5).find_deadlock(2), "");
}

TEST(Deadlock, OfARingOfFourOnlySeveralPathsMakeACircle) {
  // On one path packets of two hops start at even routers: 0>1 waits for 1>2, which waits for none.
  EXPECT_EQ(ring(4).find_deadlock(1), "");
  EXPECT_EQ(ring(4, Paths::equal_cost).find_deadlock(1),
            "router-0>router-1 waits for router-1>router-2 waits for router-2>router-3 waits for "
            "router-3>router-0 waits for router-0>router-1");
}

/// A fabric's file of a ring of `routers`, or of `topology`.
std::string file_of(std::string const& topology, int virtual_channels) {
  return "schema: tessera.interconnect/1\nname: mine\nflit: 16 B\npacket: 256 B\ntopology:\n  " +
         topology +
         "\nrouter:\n  pipeline: 1 ns\n  virtual_channels: " + std::to_string(virtual_channels) +
         "\n  buffer_packets: 1\nenergy: {router_flit: 1 pJ, link_bit: 1 pJ, idle_bit: 0 pJ}\n";
}

class FabricFile : public testing::Test {
 protected:
  std::string problem_of(std::string const& text) {
    auto const path = directory.path("mine.yaml");
    test::write_file(path, text);
    auto const message = error_message([&] { return load_fabric(path); });
    auto const place = message.find("mine.yaml");
    return place == std::string::npos ? message : message.substr(place);
  }

  test::TemporaryDirectory directory;
};

TEST_F(FabricFile, TooFewVirtualChannelsAreRefusedWithTheCircleThatTheyMake) {
  auto const torus = "{kind: torus, shape: [5, 5], " + links + '}';
  EXPECT_EQ(problem_of(file_of(torus, 2)), "no error");
  EXPECT_EQ(problem_of(file_of(torus, 1)),
            "mine.yaml:9:21: router.virtual_channels: 1 is too few (the routing of this topology "
            "keeps 2 classes of packets apart; in fewer virtual channels they deadlock: "
            "router-0>router-1 waits for router-1>router-2 waits for router-2>router-3 waits for 2 "
            "more, the last of which waits for router-0>router-1); use 2 or more");
  auto const nested = "{kind: torus, shape: [5], " + links +
                      ", members: [{count: 5, topology: {kind: torus, shape: [5], " + links +
                      "}}]}";
  EXPECT_EQ(problem_of(file_of(nested, 4)), "no error");
  EXPECT_THAT(problem_of(file_of(nested, 3)), HasSubstr("3 are too few"));
  EXPECT_THAT(problem_of(file_of(nested, 3)), HasSubstr("use 4 or more"));
}

TEST_F(FabricFile, WhatLinksDoNotJoinIsNamed) {
  auto const apart = "{kind: edges, shape: [4], " + links + ", edges: [[0, 1], [2, 3]]}";
  EXPECT_EQ(problem_of(file_of(apart, 2)),
            "mine.yaml:6:3: topology: the interconnect is not connected (no links lead from "
            "endpoint-0 to endpoint-2); join them");
}

}  // namespace

}  // namespace tessera::arch

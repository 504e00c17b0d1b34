// Every topology with every routing, as full as it gets, with the fewest virtual channels and the smallest buffers: all packets arrive.
#include <gtest/gtest.h>

#include "sim/model/fabric/packet/uniform_network.hpp"
#include "sim/model/fabric/packet/wormhole_network.hpp"
#include "test/support/fabric/random_traffic.hpp"
#include "test/support/fabric/run_length.hpp"

namespace tessera::test {

namespace {

std::string const link = "link: {bandwidth: 1 GB/s, latency: 1 ns}";

std::vector<arch::TopologySpec> topologies() {
  std::vector<arch::TopologySpec> all;
  arch::WireSpec const wire{Bandwidth{8'000'000'000}, Time{1000}};
  for (auto const* const name :
       {"mesh:5x5", "mesh:3x3x3", "torus:5x5", "torus:4x4", "torus:4x4x4", "ring:9", "htree:16",
        "fat-tree:4x2", "fat-tree:2x4", "star:8", "full:9", "dragonfly:9x4x2"}) {
    all.push_back(arch::topology_from(name, wire));
  }
  for (auto const& text :
       {"{kind: torus, shape: [3, 3], " + link +
            ", members: [{count: 9, topology: {kind: tree, shape: [2, 2], " + link + "}}]}",
        "{kind: torus, shape: [5], " + link +
            ", members: [{count: 4, topology: {kind: mesh, shape: [3, 2], " + link +
            "}}, {topology: {kind: torus, shape: [4], " + link + "}}]}",
        "{kind: edges, shape: [6], " + link +
            ", edges: [[0,1],[1,2],[2,3],[3,4],[4,5],[5,0],[0,3],[1,4]]}"}) {
    all.push_back(arch::topology_from(read_config_text(text, "fabric.yaml")));
  }
  return all;
}

/// As many packets at once as keep every queue full, until all were sent; then until all arrived.
template <typename Network>
void flood(Network& network, std::size_t endpoints, std::uint32_t shortest, std::uint32_t longest) {
  Random random{endpoints};
  std::vector<sim::FabricDelivery> out;
  auto const count = deadlock_test_packets();
  auto const waiting = static_cast<std::int64_t>(8 * endpoints);
  sim::Tick now = 0;
  for (std::int64_t sent = 0; sent < count; ++now) {
    while (sent < count && network.sent() - network.delivered() < waiting) {
      auto const last = static_cast<std::int64_t>(endpoints) - 1;
      network.send(now, {static_cast<std::uint32_t>(draw(random, 0, last)),
                         static_cast<std::uint32_t>(draw(random, 0, last)),
                         static_cast<std::uint32_t>(draw(random, shortest, longest)), 0});
      ++sent;
    }
    network.advance(now + 1, out);
    ASSERT_LT(now, 1000 * count) << "no progress";
    out.clear();
  }
  network.advance(now + 1'000'000, out);
  EXPECT_EQ(network.delivered(), network.sent());
}

TEST(NoDeadlock, EveryPacketArrivesInAFullNetwork) {
  for (auto const& topology : topologies()) {
    for (auto const paths : {arch::Paths::one, arch::Paths::equal_cost}) {
      arch::Interconnect const net{topology, paths};
      ASSERT_EQ(net.find_deadlock(), "");
      sim::CutThroughSpec cut_through;
      cut_through.virtual_channels = net.classes();
      cut_through.buffer_packets = 1;
      cut_through.pipeline = 1;
      cut_through.channels = sim::clocked_timing(net, 1);
      sim::CutThroughNetwork first{net, cut_through};
      flood(first, net.endpoints(), 1, 8);
      ASSERT_TRUE(sim::UniformNetwork::takes(net, cut_through, 4));
      sim::UniformNetwork uniform{net, cut_through, 4};
      flood(uniform, net.endpoints(), 4, 4);
      for (auto& channel : cut_through.channels) channel.duplex = arch::Duplex::half;
      sim::CutThroughNetwork shared{net, cut_through};
      flood(shared, net.endpoints(), 1, 8);
      sim::WormholeSpec wormhole;
      wormhole.virtual_channels = net.classes();
      wormhole.buffer_flits = 1;
      wormhole.latency = IdVector<arch::ChannelId, sim::Tick>{net.channels().size(), 1};
      ASSERT_TRUE(sim::WormholeNetwork::takes(net, wormhole.virtual_channels));
      sim::WormholeNetwork second{net, wormhole};
      flood(second, net.endpoints(), 1, 8);
    }
  }
}

}  // namespace

}  // namespace tessera::test

// Energy of a run is counted event by event, and a fabric's file means what its figures say.
#include "sim/model/fabric/packet/fabric_use.hpp"

#include <gtest/gtest.h>

#include "sim/model/fabric/packet/make_network.hpp"

namespace tessera::test {

namespace {

using arch::Interconnect;
using sim::Tick;

arch::InterconnectSpec mesh() { return arch::load_fabric("hmc-mesh").spec; }

TEST(FabricUse, APacketCostsItsFlitsAtEveryRouterAndItsBitsOnEveryLink) {
  auto const fabric = mesh();
  Interconnect const net{fabric.topology, fabric.packets.router.paths};
  auto const spec = sim::wired_network(fabric.packets, net);
  sim::CutThroughNetwork network{net, spec};
  std::vector<sim::FabricDelivery> out;
  // Corner to corner: 6 links between 7 routers. 272 B are 17 flits of 16 B.
  network.send(0, {0, 15, 272, 0});
  network.advance(sim::never, out);
  ASSERT_EQ(out.size(), 1U);
  auto const end = out.front().delivered;
  // 11 ns a link, 3 ns a router; 272 B at 30 GB/s behind the head.
  EXPECT_EQ(end, 6 * 11'000 + 7 * 3'000 + (Bytes{272} / Bandwidth{240'000'000'000}).value());
  auto const use = sim::use_of(network, net, end);
  auto const counts = sim::counts_of(net, spec.channels, use, {8, 16});
  EXPECT_EQ(counts.flits_through_routers, 7 * 17);
  EXPECT_EQ(counts.bits_over_links, 6 * 272 * 8);
  // 48 channels of 30 GB/s, rounded up to a byte each.
  auto const room = 48 * ((end * 30 + 999) / 1000);
  EXPECT_EQ(counts.idle_bits, (room - 6 * 272) * 8);
}

TEST(FabricUse, AHalfDuplexLinkIdlesOnceForBothWays) {
  auto const fabric =
      arch::load_fabric("hmc-mesh", {"topology.shape=[2]", "topology.link.duplex=half"}).spec;
  Interconnect const net{fabric.topology, fabric.packets.router.paths};
  auto const spec = sim::clocked_network(fabric.packets, net);
  sim::CutThroughNetwork network{net, spec};
  std::vector<sim::FabricDelivery> out;
  network.send(0, {0, 1, 17, 0});
  network.send(0, {1, 0, 10, 0});
  network.advance(sim::never, out);
  ASSERT_EQ(out.size(), 2U);
  auto const counts = sim::counts_of(net, spec.channels, sim::use_of(network, net, 80), {128, 1});
  EXPECT_EQ(counts.bits_over_links, 27 * 128);
  EXPECT_EQ(counts.idle_bits, (80 - 27) * 128);
}

TEST(FabricUse, InCyclesTheFastestLinkTakesOneForAFlit) {
  auto const fabric = arch::load_fabric("hmc-mesh", {"topology.shape=[2]"}).spec;
  Interconnect const net{fabric.topology, fabric.packets.router.paths};
  auto const spec = sim::clocked_network(fabric.packets, net);
  EXPECT_DOUBLE_EQ(sim::cycle_seconds(fabric.packets, net), 16 / 30e9);
  sim::CutThroughNetwork network{net, spec};
  std::vector<sim::FabricDelivery> out;
  network.send(0, {0, 1, 17, 0});
  network.advance(sim::never, out);
  // A cycle is 0.533 ns: 3 ns are 5.6 and 11 ns are 20.6 of them, rounded up.
  EXPECT_EQ(out.at(0).delivered, 6 + 21 + 6 + 17);
  EXPECT_EQ(sim::counts_of(net, spec.channels, sim::use_of(network, net, 50), {128, 1}).idle_bits,
            (2 * 50 - 17) * 128);
}

}  // namespace

}  // namespace tessera::test

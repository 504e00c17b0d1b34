// Virtual cut-through, packet by packet, against its clocked twin, and against arithmetic where nothing interferes.
#include "sim/model/fabric/packet/cut_through_network.hpp"

#include <gtest/gtest.h>

#include "test/sim/model/fabric/packet/packet_times.hpp"
#include "test/support/fabric/cut_through_twin.hpp"

namespace tessera::test {

namespace {

using arch::ChannelId;
using arch::Interconnect;
using arch::VertexId;
using sim::CutThroughNetwork;
using sim::CutThroughSpec;
using sim::FabricDelivery;

std::vector<FabricDelivery> run(Interconnect const& net, CutThroughSpec const& spec,
                                std::vector<TimedPacket> const& packets) {
  return test::run<CutThroughNetwork>(net, spec, packets);
}

/// Topology, buffers, latencies, rates and traffic at random; from idle to saturated.
struct RandomCase {
  Interconnect net;
  CutThroughSpec spec;
  std::vector<TimedPacket> packets;
};

RandomCase random_case(Random& random, Interconnect net) {
  RandomCase it{std::move(net), {}, {}};
  auto const classes = it.net.classes();
  it.spec.virtual_channels = static_cast<std::uint32_t>(draw(random, classes, classes + 2));
  it.spec.buffer_packets = static_cast<std::uint32_t>(draw(random, 1, 4));
  it.spec.pipeline = draw(random, 0, 4);
  it.spec.arbitration = static_cast<sim::Arbitration>(draw(random, 0, 1));
  it.spec.switching = static_cast<sim::Switching>(draw(random, 0, 4) / 4);
  auto const slowest = draw(random, 0, 1) == 0 ? 1 : 3;
  auto const least = it.spec.pipeline > 0 ? 0 : 1;  // a hop takes time
  for (auto const& channel : it.net.channels()) {
    it.spec.channels.push_back(channel.is_internal ? sim::ChannelTiming{0, 1, 0}
                                                   : sim::ChannelTiming{draw(random, 1, slowest), 1,
                                                                        draw(random, least, 4)});
  }
  // None, some or all of the wires are half duplex, those of endpoints too.
  auto const share = draw(random, 0, 3);
  for (std::size_t channel = 0; channel < it.net.channels().size(); channel += 2) {
    if (draw(random, 1, 3) > share || it.net.channels()[ChannelId{channel}].is_internal) continue;
    it.spec.channels[ChannelId{channel}].duplex = arch::Duplex::half;
    it.spec.channels[ChannelId{channel + 1}].duplex = arch::Duplex::half;
  }
  it.packets = random_packets(random, it.net, 250);
  return it;
}

void expect_the_times_of_the_twin(RandomCase const& it) {
  auto const fast = run(it.net, it.spec, it.packets);
  CutThroughTwin twin{it.net, it.spec};
  auto const slow = run_twin(twin, it.packets);
  expect_equal_times(fast, slow);
}

TEST(CutThroughNetwork, EveryPacketHasTheTimesOfTheClockedTwin) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    expect_the_times_of_the_twin(random_case(random, random_interconnect(random)));
    if (HasFatalFailure()) return;
  }
}

TEST(CutThroughNetwork, EveryPacketHasTheTimesOfTheClockedTwinWhereEndpointsAreRouters) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    expect_the_times_of_the_twin(random_case(random, random_interconnect_of_routers(random)));
    if (HasFatalFailure()) return;
  }
}

TEST(CutThroughNetwork, AloneAPacketTakesItsFormula) {
  // Six routers on the way from corner to corner of a 4 x 3 mesh: seven channels, then its bits.
  auto const net = interconnect_named("mesh:4x3");
  CutThroughSpec spec;
  spec.pipeline = 3;
  spec.channels = sim::clocked_timing(net, 2);
  auto const out = run(net, spec, {{10, {0, 11, 16, 0}}});
  EXPECT_EQ(out[0].hops, 6U);
  EXPECT_EQ(out[0].delivered, 10 + 7 * 2 + 6 * 3 + 16);
}

TEST(CutThroughNetwork, WiresCountInPicosecondsAndBytes) {
  auto const net = interconnect_named("htree:4");
  CutThroughSpec spec;
  spec.pipeline = 500;
  spec.channels = sim::wire_timing(net);
  // Up, up, down, down: 4 x 1 ns of wire, 3 x 0.5 ns of router, 4096 B at 1 B per ns.
  auto const out = run(net, spec, {{0, {0, 3, 4096, 0}}});
  EXPECT_EQ(out[0].delivered, 4 * 1000 + 3 * 500 + 4096 * 1000);
}

TEST(CutThroughNetwork, APacketWaitsUntilAFasterChannelCannotRunDry) {
  auto const net = interconnect_named("star:2");
  CutThroughSpec spec;
  spec.pipeline = 0;
  spec.channels = sim::clocked_timing(net, 1);
  spec.channels[net.injection(VertexId{0})].ticks = 4;
  // Ten flits take 40 ticks in and 10 out: the last bit leaves when it has come.
  auto const out = run(net, spec, {{0, {0, 1, 10, 0}}});
  EXPECT_EQ(out[0].delivered, 1 + 40 + 1);
}

TEST(CutThroughNetwork, TwoPacketsToOneEndpointFollowEachOther) {
  auto const net = interconnect_named("star:3");
  CutThroughSpec spec;
  spec.pipeline = 2;
  spec.channels = sim::clocked_timing(net, 1);
  auto const out = run(net, spec, {{0, {0, 2, 8, 0}}, {0, {1, 2, 8, 1}}});
  EXPECT_EQ(out[0].delivered, 1 + 2 + 1 + 8);
  EXPECT_EQ(out[1].delivered, 1 + 2 + 1 + 8 + 8);
}

TEST(CutThroughNetwork, BytesAreConservedAndBusyTimeIsBytesOverBandwidth) {
  for (std::uint64_t seed = 1000; seed < 1040; ++seed) {
    Random random{seed};
    auto const it = random_case(random, random_interconnect(random));
    CutThroughNetwork model{it.net, it.spec};
    std::vector<FabricDelivery> out;
    IdVector<ChannelId, std::int64_t> expected{it.net.channels().size()};
    for (auto const& [when, packet] : it.packets) {
      model.advance(when, out);
      model.send(when, packet);
      expected[it.net.injection(VertexId{packet.source})] += packet.size;
    }
    model.advance(sim::never, out);
    ASSERT_EQ(out.size(), it.packets.size());
    IdVector<VertexId, std::int64_t> balance{it.net.vertices()};
    for (auto const id : it.net.channels().ids()) {
      auto const& channel = it.net.channels()[id];
      auto const units = model.count(id).units;
      EXPECT_EQ(model.count(id).busy, units * it.spec.channels[id].ticks);
      balance[channel.from] -= units;
      balance[channel.to] += units;
    }
    for (std::size_t vertex = it.net.endpoints(); vertex < it.net.vertices(); ++vertex) {
      EXPECT_EQ(balance[VertexId{vertex}], 0);  // what enters a router leaves it
    }
    for (auto const& [when, packet] : it.packets) {
      balance[VertexId{packet.source}] += packet.size;
      balance[VertexId{packet.destination}] -= packet.size;
    }
    for (auto const units : balance) EXPECT_EQ(units, 0);
    for (std::size_t endpoint = 0; endpoint < it.net.endpoints(); ++endpoint) {
      auto const id = it.net.injection(VertexId{endpoint});
      EXPECT_EQ(model.count(id).units, expected[id]);
    }
  }
}

}  // namespace

}  // namespace tessera::test

// Wormhole routers: against the twin that looks at everything in every cycle, and against the pipeline's arithmetic.
#include "sim/model/fabric/packet/wormhole_network.hpp"

#include <gtest/gtest.h>

#include "test/sim/model/fabric/packet/packet_times.hpp"
#include "test/support/fabric/wormhole_twin.hpp"

namespace tessera::test {

namespace {

using arch::Interconnect;
using sim::FabricDelivery;
using sim::WormholeNetwork;
using sim::WormholeSpec;

WormholeSpec spec_of(Interconnect const& net, std::uint32_t vcs, std::uint32_t flits) {
  WormholeSpec spec;
  spec.virtual_channels = vcs;
  spec.buffer_flits = flits;
  spec.latency = IdVector<arch::ChannelId, sim::Tick>{net.channels().size(), 1};
  return spec;
}

std::vector<FabricDelivery> run(Interconnect const& net, WormholeSpec const& spec,
                                std::vector<TimedPacket> const& packets) {
  return test::run<WormholeNetwork>(net, spec, packets);
}

TEST(WormholeNetwork, EveryPacketHasTheTimesOfTheTwin) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    auto const net = random_interconnect(random);
    auto const vcs = static_cast<std::uint32_t>(draw(random, net.classes(), net.classes() + 3));
    if (!WormholeNetwork::takes(net, vcs)) continue;
    auto spec = spec_of(net, vcs, static_cast<std::uint32_t>(draw(random, 1, 9)));
    spec.credit_delay = draw(random, 0, 2);
    spec.pipeline = draw(random, 3, 6);
    if (draw(random, 0, 2) == 0) spec.arbitration = sim::Arbitration::oldest_first;
    for (auto& latency : spec.latency) latency = draw(random, 0, 3);
    auto const packets = random_packets(random, net, 200);
    auto const fast = run(net, spec, packets);
    WormholeTwin twin{net, spec};
    auto const slow = run_twin(twin, packets);
    expect_equal_times(fast, slow);
    if (HasFatalFailure()) return;
  }
}

TEST(WormholeNetwork, AloneAPacketTakesFourCyclesARouterAndTwoMore) {
  auto const net = interconnect_named("mesh:4x3");
  // Six routers of 3 cycles, 7 channels of 1, a cycle to leave the source; 15 flits follow the head.
  auto const out = run(net, spec_of(net, 4, 8), {{10, {0, 11, 16, 0}}});
  EXPECT_EQ(out[0].hops, 6U);
  EXPECT_EQ(out[0].delivered, 10 + 4 * 6 + 2 + 15);
}

TEST(WormholeNetwork, ABufferOfOneFlitWaitsForEveryCredit) {
  auto const net = interconnect_named("mesh:2");
  // A flit takes 3 cycles from switch to switch, and its credit 3 back: one goes every 6 cycles.
  auto const one = run(net, spec_of(net, 1, 1), {{0, {0, 1, 1, 0}}});
  auto const out = run(net, spec_of(net, 1, 1), {{0, {0, 1, 4, 0}}});
  EXPECT_EQ(out[0].delivered - one[0].delivered, 3 * 6);
}

TEST(WormholeNetwork, ByAgeTheOlderPacketGoesFirstWhoeverWasServedLast) {
  auto const net = interconnect_named("star:4");
  auto spec = spec_of(net, 1, 64);
  // Endpoints 0 to 2 send to 3 at once. Turns serve one after the other; by age the packets that
  // were created first (2's, then 1's) go before both of endpoint 0's.
  std::vector<TimedPacket> const packets = {
      {0, {2, 3, 4, 0}}, {0, {1, 3, 4, 1}}, {0, {0, 3, 4, 2}}, {0, {0, 3, 4, 3}}};
  auto const turns = run(net, spec, packets);
  EXPECT_LT(turns[2].delivered, turns[1].delivered);
  spec.arbitration = sim::Arbitration::oldest_first;
  auto const ages = run(net, spec, packets);
  for (std::size_t tag = 0; tag + 1 < ages.size(); ++tag) {
    EXPECT_LT(ages[tag].delivered, ages[tag + 1].delivered);
  }
}

TEST(WormholeNetwork, FlitsAreConservedAtEveryRouter) {
  for (std::uint64_t seed = 500; seed < 520; ++seed) {
    Random random{seed};
    auto const net = random_interconnect(random);
    auto const vcs = net.classes() + 1U;
    if (!WormholeNetwork::takes(net, vcs)) continue;
    auto const packets = random_packets(random, net, 200);
    WormholeNetwork model{net, spec_of(net, vcs, 2)};
    std::vector<FabricDelivery> out;
    IdVector<arch::VertexId, std::int64_t> balance{net.vertices()};
    for (auto const& [when, packet] : packets) {
      model.advance(when, out);
      model.send(when, packet);
      balance[arch::VertexId{packet.source}] += packet.size;
      balance[arch::VertexId{packet.destination}] -= packet.size;
    }
    model.advance(sim::never, out);
    ASSERT_EQ(out.size(), packets.size());
    for (auto const id : net.channels().ids()) {
      balance[net.channels()[id].from] -= model.count(id).units;
      balance[net.channels()[id].to] += model.count(id).units;
      EXPECT_EQ(model.count(id).busy, model.count(id).units);
    }
    for (auto const flits : balance) EXPECT_EQ(flits, 0);
  }
}

}  // namespace

}  // namespace tessera::test

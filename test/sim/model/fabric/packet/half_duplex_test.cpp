// Half-duplex wires: what two ends that share one see, and laws that hold whoever goes first.
#include <gtest/gtest.h>

#include <map>

#include "arch/collective/builtin_collectives.hpp"
#include "sim/model/fabric/collective/collective_run.hpp"
#include "sim/model/fabric/packet/cut_through_network.hpp"
#include "sim/model/fabric/packet/wormhole_network.hpp"
#include "sim/study/collective_transfers.hpp"
#include "test/sim/model/fabric/packet/packet_times.hpp"

namespace tessera::test {

namespace {

using arch::ChannelId;
using arch::Duplex;
using arch::Interconnect;
using arch::VertexId;
using sim::CutThroughNetwork;
using sim::CutThroughSpec;
using sim::FabricDelivery;
using sim::Tick;

constexpr Tick latency = 5'000;
constexpr Tick pipeline = 700;
constexpr Tick byte = 1'000;  // on the wire

/// Links of 1 B per ns.
arch::TopologySpec topology_of(std::string const& name, Duplex duplex) {
  return arch::topology_from(name, {Bandwidth{8'000'000'000}, Time{latency}, duplex});
}

/// Two endpoints that are their routers, and a wire between them.
std::vector<FabricDelivery> run_pair(Duplex duplex, std::vector<TimedPacket> packets) {
  auto shape = topology_of("mesh:2", duplex);
  shape.port.reset();
  Interconnect const net{shape};
  CutThroughSpec spec;
  spec.buffer_packets = 64;
  spec.pipeline = pipeline;
  spec.channels = sim::wire_timing(net);
  for (std::uint32_t tag = 0; tag < packets.size(); ++tag) packets[tag].packet.tag = tag;
  return test::run<CutThroughNetwork>(net, spec, packets);
}

/// A packet's way: router, wire, router, and all of it is there.
Tick begin_on_wire(FabricDelivery const& delivery, Tick bytes) {
  return delivery.delivered - pipeline - latency - bytes * byte;
}

std::vector<TimedPacket> both_ways(std::uint32_t each, std::uint32_t bytes) {
  std::vector<TimedPacket> packets;
  for (std::uint32_t i = 0; i < each; ++i) {
    packets.push_back({0, {1, 0, bytes, 0}});
    packets.push_back({0, {0, 1, bytes, 0}});
  }
  return packets;
}

Tick last_of(std::vector<FabricDelivery> const& deliveries) {
  Tick last = 0;
  for (auto const& delivery : deliveries) last = std::max(last, delivery.delivered);
  return last;
}

TEST(HalfDuplex, TwoEndpointsThatSendToEachOtherTakeTwiceAsLong) {
  auto const alone = 2 * pipeline + latency;  // beside the bytes
  auto const packets = both_ways(20, 100);
  EXPECT_EQ(last_of(run_pair(Duplex::full, packets)), alone + 20 * 100 * byte);
  EXPECT_EQ(last_of(run_pair(Duplex::half, packets)), alone + 2 * 20 * 100 * byte);
}

TEST(HalfDuplex, OneDirectionAloneIsAsFastAsOverAFullDuplexWire) {
  std::vector<TimedPacket> packets;
  for (Tick i = 0; i < 20; ++i) packets.push_back({i * 30 * byte, {1, 0, 100, 0}});
  expect_equal_times(run_pair(Duplex::half, packets), run_pair(Duplex::full, packets));
}

TEST(HalfDuplex, EndsWithMuchToSendTakeTurnsTheLinksFirstEndFirst) {
  auto const out = run_pair(Duplex::half, both_ways(5, 10));
  for (std::size_t i = 0; i < 5; ++i) {
    auto const round = pipeline + static_cast<Tick>(i) * 20 * byte;
    EXPECT_EQ(begin_on_wire(out[2 * i + 1], 10), round);          // from endpoint 0
    EXPECT_EQ(begin_on_wire(out[2 * i], 10), round + 10 * byte);  // from endpoint 1
  }
}

TEST(HalfDuplex, TheWireGoesToTheOtherEndUnlessThatComesALittleTooLate) {
  for (Tick const late : {0, 1}) {
    auto const out = run_pair(
        Duplex::half, {{0, {1, 0, 10, 0}}, {0, {1, 0, 10, 0}}, {10 * byte + late, {0, 1, 10, 0}}});
    EXPECT_EQ(begin_on_wire(out[0], 10), pipeline);
    EXPECT_EQ(begin_on_wire(out[2], 10), pipeline + (late == 0 ? 10 : 20) * byte);
    EXPECT_EQ(begin_on_wire(out[1], 10), pipeline + (late == 0 ? 20 : 10) * byte);
  }
}

TEST(HalfDuplex, APacketAloneTakesAsLongUnlessItGoesBackOverItsOwnWire) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    auto const net = random_interconnect(random);
    auto const last = static_cast<std::int64_t>(net.endpoints()) - 1;
    auto const source = static_cast<std::uint32_t>(draw(random, 0, last));
    auto const destination = static_cast<std::uint32_t>(draw(random, 0, last));
    auto const flits = static_cast<std::uint32_t>(draw(random, 1, 9));
    std::vector<TimedPacket> const packet = {{3, {source, destination, flits, 0}}};
    CutThroughSpec spec;
    spec.channels = sim::clocked_timing(net, draw(random, 1, 4));
    auto const full = test::run<CutThroughNetwork>(net, spec, packet);
    for (auto& channel : spec.channels) channel.duplex = Duplex::half;
    auto const half = test::run<CutThroughNetwork>(net, spec, packet);
    if (source != destination) {
      expect_equal_times(half, full);
      continue;
    }
    // Its head, which would be back after latency and pipeline, waits for its tail to leave the wire.
    auto const back = spec.channels[ChannelId{0}].latency + spec.pipeline;
    EXPECT_EQ(half[0].delivered, full[0].delivered + std::max<Tick>(0, flits - back));
  }
}

TEST(HalfDuplex, AWireIsNeverBusyBothWaysAtOnce) {
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    auto const net = random_interconnect(random);
    CutThroughSpec spec;
    spec.virtual_channels = net.classes();
    spec.buffer_packets = static_cast<std::uint32_t>(draw(random, 1, 3));
    spec.channels = sim::clocked_timing(net, draw(random, 1, 4));
    for (auto& channel : spec.channels) channel.duplex = Duplex::half;
    auto const packets = random_packets(random, net, 300);
    CutThroughNetwork model{net, spec};
    auto const out = run_on(model, packets);
    ASSERT_EQ(out.size(), packets.size());
    // When a packet is on its endpoints' wires follows from its times: a flit takes a tick.
    std::vector<std::map<Tick, Tick>> busy(net.endpoints());  // from, until
    for (auto const& delivery : out) {
      auto const& packet = packets[delivery.tag].packet;
      auto const gone = delivery.delivered - spec.channels[ChannelId{0}].latency;
      EXPECT_TRUE(
          busy[packet.source].emplace(delivery.injected, delivery.injected + packet.size).second);
      EXPECT_TRUE(busy[packet.destination].emplace(gone - packet.size, gone).second);
    }
    for (auto const& intervals : busy) {
      Tick until = 0;
      for (auto const& [from, to] : intervals) {
        EXPECT_LE(until, from);
        until = to;
      }
    }
    for (auto const id : net.channels().ids()) {
      EXPECT_LE(model.count(id).busy + model.count(net.way_back(id)).busy, last_of(out));
    }
  }
}

TEST(HalfDuplex, IsNotForWormholeRouters) {
  EXPECT_TRUE(sim::WormholeNetwork::takes(Interconnect{topology_of("mesh:2", Duplex::full)}, 2));
  EXPECT_FALSE(sim::WormholeNetwork::takes(Interconnect{topology_of("mesh:2", Duplex::half)}, 2));
}

/// An all-reduce of `block` bytes a rank round a ring of endpoints that are their routers.
Tick all_reduce(std::string const& algorithm, std::int64_t ranks, std::int64_t block) {
  auto shape = topology_of("ring:" + std::to_string(ranks), Duplex::half);
  shape.port.reset();
  Interconnect const net{shape};
  arch::CollectiveSpec spec;
  spec.algorithm = arch::builtin_collective(algorithm);
  spec.size = ranks * block;
  auto const graph = sim::transfers_of(spec, static_cast<std::uint32_t>(ranks));
  return sim::run_transfers(net, sim::roomy_network(net, 0), {}, graph).time;
}

TEST(HalfDuplex, AnAllReduceOneWayRoundARingTakesItsClosedForm) {
  // Every wire carries one way only: 2 (p - 1) steps of latency and block, as over full duplex.
  for (std::int64_t const p : {3, 5, 8, 16}) {
    EXPECT_EQ(all_reduce("ring", p, 40), 2 * (p - 1) * (latency + 40 * byte));
  }
  // Two ranks share their only wire: 0 sends first. Rank 1, the first to have a sum, passes it on when
  // the wire is free again, and then rank 0: four blocks one after another, or with the latency
  // between them three and a wait.
  EXPECT_EQ(all_reduce("ring", 2, 40), latency + 4 * 40 * byte);
  EXPECT_EQ(all_reduce("ring", 2, 4), 2 * latency + 3 * 4 * byte);
}

TEST(HalfDuplex, AnAllReduceBothWaysRoundARingIsBetweenItsBounds) {
  // Halves of a block go each way. A message waits for one of the other way at most, since ends
  // take turns: a step takes at least what the wire carries in it, or one message alone, and at
  // most the latency and two messages.
  for (std::int64_t const block : {4, 40, 400}) {
    auto const half = block / 2 * byte;
    for (std::int64_t const p : {3, 8, 16}) {
      auto const time = all_reduce("bidirectional-ring", p, block);
      EXPECT_GE(time, 2 * (p - 1) * std::max(latency + half, 2 * half));
      EXPECT_LE(time, 2 * (p - 1) * (latency + 2 * half));
    }
  }
}

}  // namespace

}  // namespace tessera::test

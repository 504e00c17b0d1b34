// What is probed is what runs: the networks of arrays, in time, and those of probes and suites, in cycles, are the same.
#include "sim/model/fabric/packet/make_network.hpp"

#include <gtest/gtest.h>

#include "test/sim/model/fabric/packet/packet_times.hpp"

namespace tessera::test {

namespace {

using sim::Switching;
using sim::Tick;
using sim::TickClock;

TEST(TickClock, BeginsTicksAtTheFirstPicosecondAtOrAfterTheirExactTime) {
  TickClock const thirds{1000, 3};
  EXPECT_EQ(thirds.at(1), Time{334});
  EXPECT_EQ(thirds.at(2), Time{667});
  EXPECT_EQ(thirds.at(3), Time{1000});
  for (std::int64_t time = 0; time < 3'000; ++time) {
    auto const tick = thirds.first_at(Time{time});
    EXPECT_GE(thirds.at(tick), Time{time});
    EXPECT_TRUE(tick == 0 || thirds.at(tick - 1) < Time{time}) << time;
  }
  EXPECT_EQ(TickClock{}.at(12'345), Time{12'345});
  EXPECT_EQ(TickClock{}.first_at(Time{12'345}), 12'345);
}

constexpr Bytes flit{16};
constexpr Tick cycle = 1'000;  // ps, in which a link of 128 Gb/s carries a flit

arch::PacketSpec random_routers(Random& random, arch::Interconnect const& net) {
  arch::PacketSpec packets;
  packets.switching = arch::switchings().at(static_cast<std::size_t>(draw(random, 0, 2))).second;
  packets.packet = 4 * flit;
  packets.flit = flit;
  packets.router.pipeline = Time{cycle} * draw(random, 1, 5);
  packets.router.virtual_channels = draw(random, net.classes(), 4);
  packets.router.buffer_packets = draw(random, 1, 4);
  if (draw(random, 0, 1) == 0) packets.router.arbitration = sim::Arbitration::oldest_first;
  return packets;
}

TEST(Network, TakesInTimeWhatItTakesInCycles) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    std::vector<std::string> const names = {"mesh:4x2", "torus:4x4", "tree:2x3", "star:6"};
    auto const& name = names.at(static_cast<std::size_t>(draw(random, 0, 3)));
    arch::WireSpec const wire{Bandwidth{128'000'000'000}, Time{cycle} * draw(random, 1, 3)};
    arch::Interconnect const net{arch::topology_from(name, wire)};
    auto const packets = random_routers(random, net);
    auto const wired = sim::make_wired_network({packets, net});
    auto const clocked = sim::make_clocked_network(packets, net, 4);
    auto traffic = random_packets(random, net, 150);
    for (auto& it : traffic) it.packet.size = 4;
    auto const in_cycles = run_on(*clocked, traffic);
    bool const goes_by_flits = packets.switching == Switching::wormhole;
    for (auto& it : traffic) {
      if (!goes_by_flits) it.packet.size = static_cast<std::uint32_t>(4 * flit.value());
      it.when = goes_by_flits ? it.when : it.when * cycle;
    }
    auto const in_time = run_on(*wired.network, traffic);
    ASSERT_EQ(in_time.size(), in_cycles.size());
    for (std::size_t packet = 0; packet < in_time.size(); ++packet) {
      EXPECT_EQ(wired.clock.at(in_time[packet].delivered),
                Time{cycle} * in_cycles[packet].delivered);
    }
    if (HasFailure()) return;
  }
}

TEST(Network, OfWormholeSwitchingHasTheFiguresOfItsFile) {
  arch::WireSpec const wire{Bandwidth{240'000'000'000}, Time{11'000}};
  arch::Interconnect const net{arch::topology_from("mesh:4x4", wire)};
  arch::PacketSpec packets;
  packets.switching = Switching::wormhole;
  packets.packet = Bytes{256};
  packets.header = Bytes{16};
  packets.flit = Bytes{16};
  packets.router.pipeline = Time{3'000};
  packets.router.buffer_packets = 2;
  // A cycle is 0.533 ns: 3 ns are 5.6 and 11 ns are 20.6 of them; 272 bytes are 17 flits.
  auto const spec = sim::wormhole_network(packets, net);
  EXPECT_EQ(spec.pipeline, 6);
  for (auto const latency : spec.latency) EXPECT_EQ(latency, 21);
  EXPECT_EQ(spec.buffer_flits, 34U);
  packets.router.pipeline = Time{0};
  packets.router.buffer_flits = 8;
  EXPECT_EQ(sim::wormhole_network(packets, net).pipeline, 3);
  EXPECT_EQ(sim::wormhole_network(packets, net).buffer_flits, 8U);
}

}  // namespace

}  // namespace tessera::test

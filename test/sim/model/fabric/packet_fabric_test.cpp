// Messages in packets: the network's own times, turns at the door, and what contention does to them.
#include "sim/model/fabric/packet_fabric.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// A message and when its interface hands it over.
struct Sending {
  Time at{0};
  Message message;
};

/// When the interfaces hear of a message, by task.
struct Heard {
  Time sent{0};
  Time arrived{0};
  friend bool operator==(Heard const& a, Heard const& b) {
    return a.sent == b.sent && a.arrived == b.arrived;
  }
};
using AllHeard = std::map<std::size_t, Heard>;

enum class Steps { one_by_one, ahead };

class OneFabric {
 public:
  explicit OneFabric(arch::ArraySpec const& the_array)
      : array{the_array}, topology{array}, core{array.fabric, topology, utilisation} {}

  /// Everything, by time; what is handed over at one instant is in canonical order.
  AllHeard carry(std::vector<Sending> const& sendings, Steps steps = Steps::one_by_one) {
    AllHeard heard;
    auto next = sendings.begin();
    std::optional<Time> wake = Time{0};
    while (wake || next != sendings.end()) {
      auto const now = next != sendings.end() ? std::min(next->at, wake.value_or(next->at)) : *wake;
      for (; next != sendings.end() && next->at == now; ++next) {
        core.push(now, PacketFabric::from_interfaces, next->message);
      }
      Outbox out{now};
      if (steps == Steps::ahead) {
        out.restart(now, next != sendings.end() ? next->at - Time{1} : Time{never});
      }
      wake = core.advance(now, out);
      for (auto const& [at, port, message] : out.entries()) {
        bool const is_sent = message.kind == Message::Kind::sent;
        EXPECT_EQ(port, (is_sent ? message.source : message.destination).index());
        (is_sent ? heard[message.task.index()].sent : heard[message.task.index()].arrived) = at;
      }
    }
    return heard;
  }

  /// Of a link, by its name.
  [[nodiscard]] std::int64_t counted(std::string const& link, std::string const& name) const {
    for (auto const id : topology.links().ids()) {
      if (topology.links()[id].name != link) continue;
      for (auto const& statistic : core.statistics(id)) {
        if (statistic.name == name) return statistic.value;
      }
    }
    return -1;
  }

  arch::ArraySpec array;
  arch::Topology topology;
  std::map<std::string, BusyHistogram> utilisation;
  PacketFabric core;
};

TEST(PacketFabric, AloneAMessageTakesItsFormula) {
  // star:4: a link of 5 ns to the switch, 1 ns there, a link of 5 ns; 1 byte per ns. Four packets.
  OneFabric star{small_packets("star:4")};
  auto const heard = star.carry({{ns(7), packet(0, 1, 3, 200)}});
  EXPECT_EQ(heard.at(0).sent, ns(7 + 200));
  EXPECT_EQ(heard.at(0).arrived, ns(7 + 5 + 1 + 5 + 200));
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "messages"), 4);
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "bytes"), 200);
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "words"), 50);
  EXPECT_EQ(star.counted("switch-0>accelerator-3", "busy"), ns(200).value());
  EXPECT_EQ(star.counted("switch-0>accelerator-2", "messages"), 0);
}

TEST(PacketFabric, EveryPacketCarriesItsHeader) {
  OneFabric star{small_packets("star:4", Bytes{16})};
  auto const heard = star.carry({{ns(7), packet(0, 1, 3, 200)}});  // 64, 64, 64 and 8 bytes
  EXPECT_EQ(heard.at(0).sent, ns(7 + 200 + 4 * 16));
  EXPECT_EQ(heard.at(0).arrived, ns(7 + 5 + 1 + 5 + 200 + 4 * 16));
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "messages"), 4);
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "bytes"), 200 + 4 * 16);
}

TEST(PacketFabric, WhereAcceleratorsAreRoutersTheirOwnPipelinesCount) {
  // Through routers 0, 1 and 2 and over two links; one clock to hand over what has arrived.
  OneFabric line{small_packets("mesh:4")};
  auto const heard = line.carry({{ns(7), packet(0, 0, 2, 200)}});
  EXPECT_EQ(heard.at(0).sent, ns(7 + 1 + 200));
  EXPECT_EQ(heard.at(0).arrived, ns(7 + 3 * 1 + 2 * 5 + 200 + 1));
}

TEST(PacketFabric, ABufferOfOnePacketStopsTheSenderUntilTheCreditIsBack) {
  auto array = small_packets("star:4");
  array.fabric.packets->router.virtual_channels = 1;
  array.fabric.packets->router.buffer_packets = 1;
  OneFabric star{array};
  // The switch has a packet 5 ns after it started, sends it on after 1 ns for 64 ns, and 5 ns later
  // its room is known: one packet every 75 ns.
  auto const heard = star.carry({{ns(0), packet(0, 1, 3, 3 * 64)}});
  EXPECT_EQ(heard.at(0).arrived, ns(2 * 75 + 5 + 1 + 5 + 64));
}

TEST(PacketFabric, FlitByFlitAloneAMessageTakesItsFormula) {
  // star:4 in cycles of 4 ns for a flit of 4 bytes. Handed over at 7 ns it begins at 8 ns; a link of
  // 5 ns takes 2 cycles and a cycle to be there, the router 3 for a head; 50 flits in a row. The
  // interface hears a clock later.
  auto array = small_wormhole("star:4");
  array.fabric.packets->router.buffer_flits = 64;
  OneFabric star{array};
  auto const heard = star.carry({{ns(7), packet(0, 1, 3, 200)}});
  EXPECT_EQ(heard.at(0).sent, ns(8 + 200));
  EXPECT_EQ(heard.at(0).arrived, ns(8 + 4 * ((1 + 2) + (3 + 2) + 49) + 1));
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "messages"), 4);
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "bytes"), 200);
  EXPECT_EQ(star.counted("switch-0>accelerator-3", "busy"), ns(200).value());
}

TEST(PacketFabric, AFlitThatIsNotFullTakesACycle) {
  OneFabric star{small_wormhole("star:4")};
  static_cast<void>(star.carry({{ns(0), packet(0, 1, 3, 65)}}));  // 16 flits, and one of a byte
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "bytes"), 65);
  EXPECT_EQ(star.counted("accelerator-1>switch-0", "busy"), ns(17 * 4).value());
}

/// The same packets, all handed at once to a network of their own, those of one sender by turns.
AllHeard arrivals_when_sent_at_once(arch::ArraySpec const& array,
                                    std::vector<Sending> const& sendings) {
  auto const& fabric = array.fabric;
  auto const wired = make_wired_network({*fabric.packets, *fabric.graph});
  auto const whole = fabric.packets->packet.value();
  auto const header = fabric.packets->header.value();
  std::int64_t longest = 0;
  for (auto const& sending : sendings) longest = std::max(longest, sending.message.bytes.value());
  for (std::int64_t begin = 0; begin < longest; begin += whole) {
    for (auto const& [at, message] : sendings) {
      auto const left = message.bytes.value() - begin;
      if (left <= 0) continue;
      auto const bytes = std::min(left, whole) + header;
      auto const units = (bytes + wired.unit.value() - 1) / wired.unit.value();
      wired.network->send(
          0, {static_cast<std::uint32_t>(message.source.index()),
              static_cast<std::uint32_t>(message.destination.index()),
              static_cast<std::uint32_t>(units), static_cast<std::uint32_t>(message.task.index())});
    }
  }
  std::vector<FabricDelivery> out;
  wired.network->advance(never, out);
  AllHeard heard;
  for (auto const& delivery : out) {
    auto& arrived = heard[delivery.tag].arrived;
    arrived = std::max(arrived, wired.clock.at(delivery.delivered));
  }
  return heard;
}

std::vector<Sending> random_sendings(std::mt19937& random, std::size_t accelerators,
                                     std::size_t count, std::int64_t last_ns) {
  std::vector<Sending> sendings;
  for (std::size_t task = 0; task < count; ++task) {
    auto const from = random() % accelerators;
    auto const to = (from + 1 + random() % (accelerators - 1)) % accelerators;
    auto const bytes = 1 + static_cast<std::int64_t>(random() % 1'000);
    sendings.push_back(
        {ns(static_cast<std::int64_t>(random()) % (last_ns + 1)), packet(task, from, to, bytes)});
  }
  std::sort(sendings.begin(), sendings.end(), [](Sending const& a, Sending const& b) {
    return a.at != b.at ? a.at < b.at : a.message < b.message;
  });
  return sendings;
}

enum class By { packets, flits };

/// Random buffers and virtual channels.
arch::ArraySpec random_fabric(std::mt19937& random, std::string const& topology, By by) {
  auto array = by == By::packets ? small_packets(topology) : small_wormhole(topology, Bytes{3});
  auto& router = array.fabric.packets->router;
  router.buffer_packets = 1 + random() % 4;
  if (by == By::flits) router.buffer_flits = 1 + random() % 40;
  router.virtual_channels = 2 + random() % 3;
  return array;
}

class RandomPackets : public testing::TestWithParam<char const*> {};

TEST_P(RandomPackets, SentOneByOneTakeTheirTimesInANetworkThatHasThemAll) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    auto const by = seed % 2 == 0 ? By::packets : By::flits;
    auto const array = random_fabric(random, GetParam(), by);
    auto const sendings = random_sendings(random, 8, 30, 0);
    auto const heard = OneFabric{array}.carry(sendings);
    auto const expected = arrivals_when_sent_at_once(array, sendings);
    // Over a last link the arrival is known before; else its interface hears a clock later.
    arch::Topology const topology{array};
    auto const is_known = by == By::packets && !topology.passes_through(arch::NodeId{0});
    auto const later = is_known ? ns(0) : ns(1);
    for (auto const& sending : sendings) {
      auto const task = sending.message.task.index();
      EXPECT_EQ(heard.at(task).arrived, expected.at(task).arrived + later) << task;
    }
  }
}

TEST_P(RandomPackets, AreTheSameWhenTheCoreWorksAhead) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    auto const by = seed % 2 == 0 ? By::packets : By::flits;
    auto const array = random_fabric(random, GetParam(), by);
    auto const sendings = random_sendings(random, 8, 60, 5'000);
    EXPECT_EQ(OneFabric{array}.carry(sendings, Steps::ahead), OneFabric{array}.carry(sendings));
  }
}

TEST_P(RandomPackets, KeepEveryLinkBusyForItsBytes) {
  std::mt19937 random{7};
  OneFabric fabric{small_packets(GetParam())};
  auto const sendings = random_sendings(random, 8, 60, 5'000);
  static_cast<void>(fabric.carry(sendings));
  for (auto const& link : fabric.topology.links()) {
    auto const busy = fabric.counted(link.name, "busy");
    EXPECT_EQ(busy, ns(fabric.counted(link.name, "bytes")).value()) << link.name;
    EXPECT_EQ(fabric.utilisation.at(link.name).total(), Time{busy}) << link.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Topologies, RandomPackets,
                         testing::Values("mesh:4x2", "torus:4x2", "ring:8", "htree:8",
                                         "fat-tree:2x3", "star:8", "full:8", "dragonfly:2x2x2"));

TEST(PacketFabric, TwoMessagesOverOneLinkInterleave) {
  // Both go over 1>2. In turns a message of 10 packets shares the link with 10 of the other's 100.
  OneFabric line{small_packets("mesh:4")};
  auto const heard =
      line.carry({{ns(0), packet(0, 0, 2, 100 * 64)}, {ns(500), packet(1, 1, 2, 10 * 64)}});
  EXPECT_LT(heard.at(1).arrived, ns(500 + 22 * 64));  // its own and the other's, and two in the way
  EXPECT_GT(heard.at(1).arrived, ns(500 + 18 * 64));
  EXPECT_GT(heard.at(0).arrived, ns(110 * 64));
  EXPECT_LT(heard.at(0).arrived, ns(112 * 64));
}

TEST(PacketFabric, MessagesOfOneSenderTakeTurnsToo) {
  OneFabric star{small_packets("star:4")};
  auto const heard =
      star.carry({{ns(0), packet(0, 0, 1, 100 * 64)}, {ns(500), packet(1, 0, 2, 10 * 64)}});
  EXPECT_LT(heard.at(1).arrived, ns(500 + 22 * 64 + 11));
  EXPECT_GT(heard.at(0).sent, ns(109 * 64));
}

/// A line of four whose last link is ten times slower; one virtual channel.
arch::ArraySpec line_with_a_slow_end(std::int64_t buffer_packets) {
  arch::TopologySpec spec;
  spec.kind = arch::TopologySpec::Kind::edges;
  spec.shape = {4};
  spec.links = {{Bandwidth{8'000'000'000}, ns(5)}, {Bandwidth{800'000'000}, ns(5)}};
  spec.edges = {{0, 1, 0}, {1, 2, 0}, {2, 3, 1}};
  auto array = small_packets("mesh:4");
  array.fabric.graph = std::make_shared<arch::Interconnect const>(spec);
  array.fabric.packets->router.virtual_channels = 1;
  array.fabric.packets->router.buffer_packets = buffer_packets;
  return array;
}

TEST(PacketFabric, SmallBuffersBlockThoseWhoStandBehindTheSlow) {
  // 0 sends twenty packets over the slow link, 64 ns each on the fast ones and 640 ns there, and
  // twenty to its neighbour, by turns.
  auto const heard = [](std::int64_t buffer_packets) {
    OneFabric line{line_with_a_slow_end(buffer_packets)};
    return line.carry({{ns(0), packet(0, 0, 3, 20 * 64)}, {ns(0), packet(1, 0, 1, 20 * 64)}});
  };
  auto const roomy = heard(20);
  auto const tight = heard(1);
  // With room for all of the slow ones before the slow link, the others never wait for it.
  EXPECT_LT(roomy.at(1).arrived, ns(41 * 64));
  // Else they stand behind them: but for the four that the way has room for, at the slow link's pace.
  EXPECT_GT(tight.at(1).arrived, ns(15 * 640));
  // The slow link itself is always busy.
  EXPECT_GT(roomy.at(0).arrived, ns(20 * 640));
  EXPECT_LT(tight.at(0).arrived, ns(21 * 640));
}

}  // namespace
}  // namespace tessera::sim

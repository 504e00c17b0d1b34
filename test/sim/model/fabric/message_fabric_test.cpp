// Routers and links together: what interfaces hear of a message, and when.
#include "sim/model/fabric/message_fabric.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// A message and when its head leaves its interface.
struct HandedOver {
  Time at{0};
  Message message;
};

using Notices = MessageFabric::Notices;

class OneMessageFabric {
 public:
  explicit OneMessageFabric(arch::ArraySpec const& the_array)
      : array{the_array}, topology{array}, fabric{topology, ns(1), utilisation} {}

  /// What interfaces hear until nothing is under way. `sendings` are in order of time, and handed
  /// over so long before the fabric has come there.
  Notices carry(std::vector<HandedOver> const& sendings, Time ahead = Time{0}) {
    Notices heard;
    auto next = sendings.begin();
    while (next != sendings.end() || fabric.next_time() != never) {
      auto const carries = Time{fabric.next_time()};
      if (next != sendings.end() && next->at - ahead <= carries) {
        fabric.enter(next->message, next->at, heard);
        ++next;
      } else {
        fabric.carry_next(heard);
      }
    }
    std::sort(heard.begin(), heard.end(), [](auto const& a, auto const& b) {
      return std::tie(a.at, a.accelerator, a.message) < std::tie(b.at, b.accelerator, b.message);
    });
    return heard;
  }

  arch::ArraySpec array;
  arch::Topology topology;
  std::map<std::string, BusyHistogram> utilisation;
  MessageFabric fabric;
};

std::string text_of(Notices const& heard) {
  std::ostringstream text;
  for (auto const& [at, accelerator, message] : heard) {
    text << at << " at " << accelerator << " task " << message.task << " tail " << message.tail
         << " hops " << message.hops << '\n';
  }
  return text.str();
}

std::vector<HandedOver> random_handovers(std::uint32_t seed, std::size_t accelerators) {
  std::mt19937 random{seed};
  std::vector<HandedOver> all;
  Time at = ns(1);
  for (std::size_t task = 0; task < 60; ++task) {
    at += ns(static_cast<std::int64_t>(random() % 8));
    auto const source = random() % accelerators;
    auto const destination = (source + 1 + random() % (accelerators - 1)) % accelerators;
    all.push_back({at, packet(task, source, destination, 1 + random() % 50)});
  }
  return all;
}

TEST(MessageFabric, TellsTheSenderWhenTheLastByteLeftAndTheReceiverWhenTheHeadIsThere) {
  OneMessageFabric fabric{small_array(2, arch::FabricSpec::Topology::torus)};
  auto const out = fabric.carry({{ns(10), packet(0, 0, 1, 20)}});
  ASSERT_EQ(out.size(), 2U);
  // The head comes to the receiver's interface through two routers of 1 ns and a link of 5 ns.
  EXPECT_EQ(out[0].accelerator, AcceleratorId{1});
  EXPECT_EQ(out[0].at, ns(10 + 1 + 5 + 1));
  EXPECT_EQ(out[0].message.tail, ns(20));
  EXPECT_EQ(out[0].message.hops, 1);
  // Its last byte leaves 20 ns after the first, which passes the first router in 1 ns.
  EXPECT_EQ(out[1].accelerator, AcceleratorId{0});
  EXPECT_EQ(out[1].at, ns(10 + 1 + 20));
  EXPECT_EQ(out[1].message.kind, Message::Kind::sent);
}

TEST(MessageFabric, CarriesThoseThatReachALinkAtOnceInOrderOfTheirContent) {
  OneMessageFabric fabric{small_array(2)};
  auto const out = fabric.carry({{ns(1), packet(7, 0, 1, 20)}, {ns(1), packet(3, 0, 1, 5)}});
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[0].message.task, TaskId{3});
  EXPECT_EQ(out[0].at, ns(1 + 5));  // sent
}

TEST(MessageFabric, MayBeToldOfMessagesAheadOfTheirTime) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    for (auto const& array : {small_array(8), small_network("torus:4x2")}) {
      auto const sendings = random_handovers(seed, 8);
      auto const in_time = OneMessageFabric{array}.carry(sendings);
      EXPECT_EQ(text_of(OneMessageFabric{array}.carry(sendings, ns(40))), text_of(in_time)) << seed;
    }
  }
}

TEST(MessageFabric, RefusesHopsThatTakeNoTime) {
  auto const array = small_array(2);
  arch::Topology const topology{array};
  std::map<std::string, BusyHistogram> utilisation;
  EXPECT_THROW((MessageFabric{topology, Time{0}, utilisation}), ContractError);
}

}  // namespace
}  // namespace tessera::sim

// Circuits by hand, and against a twin that looks at every packet in every picosecond.
#include "sim/model/fabric/packet/circuit_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

/// A byte in 1 ps, links of 5 ps.
arch::Interconnect short_links(std::string const& topology) {
  auto spec = arch::topology_from(topology, {Bandwidth{8'000'000'000'000}, Time{5}});
  if (spec.kind != arch::TopologySpec::Kind::dragonfly) spec.port.reset();
  return arch::Interconnect{spec};
}

class Circuits {
 public:
  explicit Circuits(std::string const& topology, std::string const& setup = "3 ps")
      : graph_{short_links(topology)},
        keys_{ConfigNode::map().add("setup", setup)},
        map_{keys_.as_map()},
        network_{map_, {packets_, graph_}} {}

  void send(Tick now, std::uint32_t source, std::uint32_t destination, std::uint32_t size) {
    network_.send(now, {source, destination, size, next_tag_++});
  }

  /// By tag.
  std::vector<FabricDelivery> run() {
    std::vector<FabricDelivery> all;
    network_.advance(never, all);
    std::sort(all.begin(), all.end(),
              [](FabricDelivery const& a, FabricDelivery const& b) { return a.tag < b.tag; });
    return all;
  }

  [[nodiscard]] arch::Interconnect const& graph() const { return graph_; }
  [[nodiscard]] CircuitNetwork& network() { return network_; }

 private:
  arch::PacketSpec packets_;
  arch::Interconnect graph_;
  ConfigNode keys_;
  ConfigMap map_;
  CircuitNetwork network_;
  std::uint32_t next_tag_ = 0;
};

TEST(CircuitNetwork, ALonePacketTakesItsSetupItsBitsAndTheLatencyOfItsWay) {
  Circuits circuits{"ring:8"};
  circuits.send(100, 0, 2, 50);
  auto const all = circuits.run();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].injected, 100 + 3);
  EXPECT_EQ(all[0].delivered, 100 + 3 + 50 + 2 * 5);
  EXPECT_EQ(all[0].hops, 3U);
}

TEST(CircuitNetwork, APacketWaitsForAllLinksOfItsWay) {
  Circuits circuits{"ring:8"};
  circuits.send(0, 1, 2, 50);  // until 58
  circuits.send(0, 0, 3, 10);  // over the same link
  auto const all = circuits.run();
  EXPECT_EQ(all[1].injected, 58 + 3);
  EXPECT_EQ(all[1].delivered, 58 + 3 + 10 + 15);
}

TEST(CircuitNetwork, ALaterPacketGoesFirstIfItNeedsNothingThatAnEarlierOneWaitsFor) {
  Circuits circuits{"ring:8"};
  circuits.send(0, 1, 2, 50);
  circuits.send(1, 0, 3, 10);  // waits for 1 > 2, and so do those behind it for 0 > 1 and 2 > 3
  circuits.send(2, 2, 3, 10);
  circuits.send(3, 4, 5, 10);
  auto const all = circuits.run();
  EXPECT_EQ(all[2].injected, all[1].delivered + 3);
  EXPECT_EQ(all[3].injected, 3 + 3);
}

TEST(CircuitNetwork, IsToldOfOnceAndSourcesMaySendMoreThen) {
  Circuits circuits{"ring:4"};
  int passages = 0;
  circuits.network().on_passage([&](PacketPassage const& passage) {
    EXPECT_TRUE(passage.is_last);
    EXPECT_EQ(passage.end - passage.begin,
              circuits.graph().channels()[passage.channel].is_internal ? 0 : 50);
    if (++passages == 1) circuits.send(passage.begin, 0, 2, 50);
  });
  circuits.send(0, 0, 1, 50);
  auto const all = circuits.run();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].created, 3);
  EXPECT_EQ(all[1].injected, all[0].delivered + 3);
  EXPECT_EQ(passages, 3 + 4);
}

struct Sent {
  Tick at;
  std::uint32_t source, destination, size;
};

/// Every picosecond: what is free, then who goes, in order.
std::vector<Tick> arrivals_of_twin(arch::Interconnect const& graph, std::vector<Sent> const& sent,
                                   Tick setup) {
  std::vector<Tick> arrivals(sent.size(), never);
  std::map<arch::ChannelId, Tick> taken_until;
  std::size_t arrived = 0;
  for (Tick now = 0; arrived < sent.size(); ++now) {
    std::set<arch::ChannelId> wanted;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (sent[i].at > now || arrivals[i] != never) continue;
      std::vector<arch::ChannelId> links;
      for (auto const& hop :
           graph.route(arch::VertexId{sent[i].source}, arch::VertexId{sent[i].destination})) {
        if (!graph.channels()[hop.channel].is_internal) links.push_back(hop.channel);
      }
      bool const goes = std::none_of(links.begin(), links.end(), [&](arch::ChannelId link) {
        return taken_until[link] > now || wanted.count(link) > 0;
      });
      if (!goes) {
        wanted.insert(links.begin(), links.end());
        continue;
      }
      arrivals[i] = now + setup + Tick{sent[i].size} + 5 * static_cast<Tick>(links.size());
      for (auto const link : links) taken_until[link] = arrivals[i];
      ++arrived;
    }
  }
  return arrivals;
}

TEST(CircuitNetwork, IsWhatItsTwinIs) {
  for (auto const* const topology :
       {"ring:8", "mesh:4x2", "torus:4x2", "star:8", "dragonfly:2x2x2"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      test::Draw draw{seed};
      Circuits circuits{topology};
      auto const endpoints = static_cast<std::int64_t>(circuits.graph().endpoints());
      std::vector<Sent> sent;
      Tick at = 0;
      for (int i = 0; i < 60; ++i) {
        at += draw(0, 12);
        auto const source = draw(0, endpoints - 1);
        auto const destination = (source + draw(1, endpoints - 1)) % endpoints;
        sent.push_back({at, static_cast<std::uint32_t>(source),
                        static_cast<std::uint32_t>(destination),
                        static_cast<std::uint32_t>(draw(1, 60))});
      }
      std::vector<FabricDelivery> all;
      for (auto const& packet : sent) {
        circuits.network().advance(packet.at, all);
        circuits.send(packet.at, packet.source, packet.destination, packet.size);
        EXPECT_GE(circuits.network().next_event(), packet.at);
      }
      auto const rest = circuits.run();
      all.insert(all.end(), rest.begin(), rest.end());
      ASSERT_EQ(all.size(), sent.size());
      auto const expected = arrivals_of_twin(circuits.graph(), sent, 3);
      for (auto const& delivery : all) {
        ASSERT_EQ(delivery.delivered, expected[delivery.tag])
            << topology << ", seed " << seed << ", packet " << delivery.tag;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::sim

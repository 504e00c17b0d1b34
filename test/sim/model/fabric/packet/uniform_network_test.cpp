// Where all channels are alike and packets of one size, against the clocked twin, and against CutThroughNetwork where the twin is slow.
#include "sim/model/fabric/packet/uniform_network.hpp"

#include <gtest/gtest.h>

#include "sim/model/fabric/packet/load_test.hpp"
#include "test/sim/model/fabric/packet/packet_times.hpp"
#include "test/support/fabric/cut_through_twin.hpp"

namespace tessera::test {

namespace {

using arch::Interconnect;
using arch::VertexId;
using sim::CutThroughNetwork;
using sim::CutThroughSpec;
using sim::Tick;
using sim::UniformNetwork;

/// Channels that take `timing` for each flit.
CutThroughSpec spec_of(Interconnect const& net, sim::ChannelTiming const& timing) {
  CutThroughSpec spec;
  for (std::size_t channel = 0; channel < net.channels().size(); ++channel) {
    spec.channels.push_back(timing);
  }
  return spec;
}

/// Any topology, buffers, latencies and traffic; from idle to saturated.
struct UniformCase {
  Interconnect net;
  CutThroughSpec spec;
  std::uint32_t size = 1;
  std::vector<TimedPacket> packets;
};

UniformCase random_case(std::uint64_t seed) {
  Random random{seed};
  UniformCase it{random_interconnect(random), {}, 1, {}};
  auto const pipeline = draw(random, 0, 4);
  auto const latency = draw(random, pipeline > 0 ? 0 : 1, 4);  // a hop takes time
  it.spec = spec_of(it.net, {draw(random, 1, 2), 1, latency});
  it.spec.pipeline = pipeline;
  it.spec.virtual_channels = static_cast<std::uint32_t>(draw(random, it.net.classes(), 4));
  it.spec.buffer_packets = static_cast<std::uint32_t>(draw(random, 1, 5));
  it.spec.arbitration = static_cast<sim::Arbitration>(draw(random, 0, 1));
  it.spec.switching = static_cast<sim::Switching>(draw(random, 0, 4) / 4);
  it.size = static_cast<std::uint32_t>(draw(random, 0, 1) == 0 ? 1 : draw(random, 2, 24));
  it.packets = random_packets(random, it.net, 250);
  for (auto& packet : it.packets) packet.packet.size = it.size;
  return it;
}

TEST(UniformNetwork, EveryPacketHasTheTimesOfTheClockedTwin) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    auto const it = random_case(seed);
    ASSERT_TRUE(UniformNetwork::takes(it.net, it.spec, it.size));
    UniformNetwork network{it.net, it.spec, it.size};
    CutThroughTwin twin{it.net, it.spec};
    expect_equal_times(run_on(network, it.packets), run_twin(twin, it.packets));
    if (HasFatalFailure()) return;
  }
}

TEST(UniformNetwork, ChannelsCarryWhatTheyCarryInTheOtherModel) {
  for (std::uint64_t seed = 1000; seed < 1050; ++seed) {
    SCOPED_TRACE(seed);
    auto const it = random_case(seed);
    UniformNetwork network{it.net, it.spec, it.size};
    CutThroughNetwork other{it.net, it.spec};
    expect_equal_times(run_on(network, it.packets), run_on(other, it.packets));
    for (auto const id : it.net.channels().ids()) {
      EXPECT_EQ(network.count(id).packets, other.count(id).packets);
      EXPECT_EQ(network.count(id).units, other.count(id).units);
      EXPECT_EQ(network.count(id).busy, other.count(id).busy);
    }
    if (HasFailure()) return;
  }
}

/// What a listener hears of all channels, in order of time.
template <typename Network>
std::vector<std::array<std::int64_t, 5>> passages_of(Network& network,
                                                     std::vector<TimedPacket> const& packets) {
  std::vector<std::array<std::int64_t, 5>> all;
  network.on_passage([&](sim::PacketPassage const& it) {
    EXPECT_TRUE(it.is_last);
    all.push_back(
        {it.begin, it.end, static_cast<std::int64_t>(it.channel.index()), it.tag, it.bytes});
  });
  static_cast<void>(run_on(network, packets));
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](auto const& a, auto const& b) { return a[0] < b[0]; }));
  std::sort(all.begin(), all.end());
  return all;
}

TEST(UniformNetwork, ListenersHearTheSamePassagesAsOfTheOtherModel) {
  for (std::uint64_t seed = 2000; seed < 2020; ++seed) {
    SCOPED_TRACE(seed);
    auto const it = random_case(seed);
    UniformNetwork network{it.net, it.spec, it.size};
    CutThroughNetwork other{it.net, it.spec};
    ASSERT_EQ(passages_of(network, it.packets), passages_of(other, it.packets));
  }
}

/// A load that the network bears, or does not.
void expect_the_same_under_load(Interconnect const& net, double rate, std::uint32_t flits) {
  SCOPED_TRACE(std::to_string(net.vertices()) + " vertices, load " + std::to_string(rate));
  auto spec = spec_of(net, {1, 1, 1});
  spec.virtual_channels = std::max<std::uint32_t>(2, net.classes());
  sim::LoadTest test;
  test.traffic = {sim::TrafficPattern::uniform, rate, flits, 1};
  test.warm_up = 200;
  test.window = 5000;
  test.patience = 5000;
  UniformNetwork network{net, spec, flits};
  CutThroughNetwork other{net, spec};
  auto const fast = run_load_test(network, net.endpoints(), test);
  auto const slow = run_load_test(other, net.endpoints(), test);
  EXPECT_EQ(fast.packets, slow.packets);
  EXPECT_EQ(fast.mean_latency, slow.mean_latency);
  EXPECT_EQ(fast.network_latency, slow.network_latency);
  EXPECT_EQ(fast.longest_latency, slow.longest_latency);
  EXPECT_EQ(fast.mean_hops, slow.mean_hops);
  EXPECT_EQ(fast.accepted_rate, slow.accepted_rate);
  EXPECT_EQ(fast.saturated, slow.saturated);
}

TEST(UniformNetwork, LoadsHaveTheResultsOfTheOtherModel) {
  expect_the_same_under_load(interconnect_named("torus:8x8"), 0.3, 1);
  expect_the_same_under_load(interconnect_named("torus:8x8"), 0.9, 1);
  expect_the_same_under_load(interconnect_named("mesh:4x4"), 0.5, 4);
  expect_the_same_under_load(interconnect_named("torus:4x4"), 0.9, 16);
  expect_the_same_under_load(interconnect_named("fat-tree:4x2"), 0.4, 2);
  expect_the_same_under_load(interconnect_named("torus:16x16"), 0.05, 8);
}

TEST(UniformNetwork, ARouterThatLeadsOutOfItsGroupChoosesInTheSameOrder) {
  // Its last channel is not to an endpoint.
  std::string const link = "link: {bandwidth: 1 GB/s, latency: 1 ns}";
  for (auto const& text :
       {"{kind: torus, shape: [3, 3], " + link +
            ", members: [{count: 9, topology: {kind: tree, shape: [2, 2], " + link + "}}]}",
        "{kind: torus, shape: [5], " + link +
            ", members: [{count: 4, topology: {kind: mesh, shape: [3, 2], " + link +
            "}}, {topology: {kind: torus, shape: [4], " + link + "}}]}"}) {
    for (auto const paths : {arch::Paths::one, arch::Paths::equal_cost}) {
      Interconnect const net{arch::topology_from(read_config_text(text, "fabric.yaml")), paths};
      expect_the_same_under_load(net, 0.05, 1);
      expect_the_same_under_load(net, 0.1, 6);
      expect_the_same_under_load(net, 0.8, 1);
      expect_the_same_under_load(net, 0.8, 6);
    }
  }
}

TEST(UniformNetwork, APacketThatComesMuchLaterFindsAnEmptyNetwork) {
  auto const net = interconnect_named("mesh:4x3");
  auto spec = spec_of(net, {1, 1, 2});
  spec.pipeline = 3;
  spec.buffer_packets = 1;
  UniformNetwork network{net, spec, 8};
  // Six routers on the way from corner to corner: seven channels, then its flits.
  constexpr Tick later = 1'000'000'000'000;
  auto const alone = Tick{7 * 2 + 6 * 3 + 8};
  auto const out = run_on(network, {{10, {0, 11, 8, 0}}, {later, {0, 11, 8, 1}}});
  EXPECT_EQ(out[0].delivered, 10 + alone);
  EXPECT_EQ(out[1].delivered, later + alone);
  EXPECT_EQ(network.next_event(), sim::never);
}

TEST(UniformNetwork, LeavesToTheOtherModelWhatIsNotAlike) {
  auto const net = interconnect_named("mesh:2x2");
  auto const alike = spec_of(net, {1, 1, 1});
  EXPECT_TRUE(UniformNetwork::takes(net, alike, 16));
  auto one_is_slower = alike;
  one_is_slower.channels[net.injection(VertexId{2})].ticks = 2;
  EXPECT_FALSE(UniformNetwork::takes(net, one_is_slower, 16));
  auto const half = spec_of(net, {1, 1, 1, arch::Duplex::half});
  EXPECT_FALSE(UniformNetwork::takes(net, half, 16));
  EXPECT_FALSE(UniformNetwork::takes(net, spec_of(net, {0, 1, 0}), 16));
}

TEST(UniformNetwork, LeavesToTheOtherModelWhatItsWordsDoNotHold) {
  auto const small = interconnect_named("mesh:2x2");
  auto spec = spec_of(small, {1, 1, 1});
  EXPECT_TRUE(UniformNetwork::takes(small, spec, 62));  // its room is known after 63 ticks
  EXPECT_FALSE(UniformNetwork::takes(small, spec, 63));
  spec.buffer_packets = 65'536;
  EXPECT_FALSE(UniformNetwork::takes(small, spec, 1));
  auto const star = interconnect_named("star:33");
  EXPECT_FALSE(UniformNetwork::takes(star, spec_of(star, {1, 1, 1}), 1));  // 66 queues
  auto const smaller_star = interconnect_named("star:32");
  EXPECT_TRUE(UniformNetwork::takes(smaller_star, spec_of(smaller_star, {1, 1, 1}), 1));
}

TEST(UniformNetwork, RefusesPacketsOfAnotherSize) {
  auto const net = interconnect_named("mesh:2x2");
  UniformNetwork network{net, spec_of(net, {1, 1, 1}), 4};
  EXPECT_THROW(network.send(0, {0, 1, 5, 0}), ContractError);
}

}  // namespace

}  // namespace tessera::test

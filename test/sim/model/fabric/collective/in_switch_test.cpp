// Switches that add take their closed form to the picosecond, and no link carries a byte twice.
//
// A vector goes in K operands of w on a wire (bytes over bandwidth) up L levels of links of alpha each, of a root included, whose
// switches take r. Operand 0 is whole at the root after L (alpha + w) and L - 1 switches, is added there, and comes down cut through: L
// alpha, L - 1 switches and w. The others follow at a distance of w: 2 L alpha + (2 L - 1) r + (K + L) w in all.
#include "sim/model/fabric/collective/in_switch.hpp"

#include <gtest/gtest.h>

#include "arch/collective/builtin_collectives.hpp"
#include "sim/study/collective_transfers.hpp"
#include "test/support/draw.hpp"
#include "test/support/fabric/in_switch_twin.hpp"

namespace tessera::test {

namespace {

using arch::Interconnect;
using sim::Tick;

constexpr Tick link_latency = 1'000'000;  // 1 us
constexpr Tick switch_latency = 100'000;
Bandwidth const link_bandwidth{82'000'000'000 * 8};

Tick on_the_wire(std::int64_t bytes) { return (Bytes{bytes} / link_bandwidth).value(); }

arch::TopologySpec topology_of(std::string const& name) {
  return arch::topology_from(name, {link_bandwidth, Time{link_latency}});
}

arch::CollectiveSpec spec_of(std::int64_t bytes, std::int64_t chunks) {
  arch::CollectiveSpec spec;
  spec.algorithm = arch::builtin_collective("in-switch");
  spec.size = bytes;
  spec.chunks = chunks;
  return spec;
}

/// The sizes of the chunks of a vector.
std::vector<std::int64_t> all_reduce(std::int64_t bytes, std::int64_t chunks) {
  return arch::pieces_of(spec_of(bytes, chunks), 2);
}

sim::TransferResult run(arch::TopologySpec const& topology, std::vector<std::int64_t> const& chunks,
                        sim::EndpointSpec const& endpoints = {}) {
  Interconnect const net{topology};
  auto const network = sim::roomy_network(net, switch_latency, endpoints.packet_bytes);
  return sim::run_in_switch(net, network, endpoints, chunks);
}

Tick closed_form(std::int64_t levels, std::int64_t operands, Tick wire) {
  return 2 * levels * link_latency + (2 * levels - 1) * switch_latency + (operands + levels) * wire;
}

TEST(InSwitch, TakesItsClosedFormOnEveryTreeOfSwitches) {
  for (auto const& [name, levels] : std::vector<std::pair<std::string, int>>{{"star:2", 1},
                                                                             {"star:16", 1},
                                                                             {"htree:2", 1},
                                                                             {"htree:16", 4},
                                                                             {"fat-tree:4x1", 1},
                                                                             {"fat-tree:4x3", 3},
                                                                             {"fat-tree:2x4", 4}}) {
    for (std::int64_t const chunks : {1, 2, 16}) {
      auto const result = run(topology_of(name), all_reduce(chunks * 500'000, chunks));
      EXPECT_EQ(result.time, closed_form(levels, chunks, on_the_wire(500'000))) << name;
    }
  }
}

TEST(InSwitch, AddsPacketByPacketWhereThereArePackets) {
  sim::EndpointSpec endpoints;
  endpoints.packet_bytes = 4096;
  endpoints.endpoint_delay = 10'000;
  // 2 chunks of 10 packets are 20 operands.
  EXPECT_EQ(run(topology_of("star:8"), all_reduce(20 * 4096, 2), endpoints).time,
            closed_form(1, 20, on_the_wire(4096)) + 10'000);
}

TEST(InSwitch, EveryPacketHasAHeader) {
  sim::EndpointSpec endpoints;
  endpoints.packet_bytes = 4080;
  endpoints.packet_header = 16;
  EXPECT_EQ(run(topology_of("star:8"), all_reduce(20 * 4080, 2), endpoints).time,
            closed_form(1, 20, on_the_wire(4096)));
}

TEST(InSwitch, TakesTheTimeOfItsSlowestLevel) {
  auto topology = arch::topology_from(
      read_config_text("{kind: tree, shape: [2, 2], links: [{bandwidth: 41 GB/s, latency: 1 us}, "
                       "{bandwidth: 82 GB/s, latency: 1 us}]}",
                       "fabric.yaml"));
  auto const wire = on_the_wire(1'025'000);  // 12.5 us; twice as long at the top
  // Up: w and 2 w; down: 2 w, and w later than it could start onto the faster link, w.
  for (std::int64_t const chunks : {1, 5}) {
    EXPECT_EQ(run(topology, all_reduce(chunks * 1'025'000, chunks)).time,
              4 * link_latency + 3 * switch_latency + 5 * wire + (chunks - 1) * 2 * wire);
  }
}

TEST(InSwitch, OneBufferHoldsBackTheNextOperandForARoundTrip) {
  Interconnect const net{topology_of("star:4")};
  auto network = sim::roomy_network(net, switch_latency);
  network.virtual_channels = 1;
  network.buffer_packets = 1;
  auto const wire = on_the_wire(500'000);
  // Until the sum has left, and that is known: w, alpha, r, w, alpha. That is also when it arrives.
  auto const round = 2 * link_latency + switch_latency + 2 * wire;
  for (std::int64_t const chunks : {1, 2, 7}) {
    EXPECT_EQ(sim::run_in_switch(net, network, {}, all_reduce(chunks * 500'000, chunks)).time,
              chunks * round);
  }
}

TEST(InSwitch, EveryLinkOfTheTreeCarriesTheVectorOnceEachWay) {
  std::int64_t const bytes = 1'000'003;
  for (auto const& [name, edges] : std::vector<std::pair<std::string, std::size_t>>{
           {"star:6", 6}, {"htree:8", 8 + 4 + 2}, {"fat-tree:4x2", 16 + 4}}) {
    Interconnect const net{topology_of(name)};
    auto const network = sim::roomy_network(net, switch_latency);
    auto const result = sim::run_in_switch(net, network, {}, all_reduce(bytes, 16));
    std::size_t used = 0;
    for (auto const id : net.channels().ids()) {
      auto const& count = result.use.channels[id];
      if (count.units == 0) continue;
      ++used;
      EXPECT_EQ(count.units, bytes) << name;
      EXPECT_EQ(count.packets, 16) << name;
      EXPECT_GE(count.busy, on_the_wire(bytes)) << name;
      EXPECT_LE(count.busy, on_the_wire(bytes) + 16) << name;  // each rounded up
    }
    EXPECT_EQ(used, 2 * edges) << name;
    for (std::size_t endpoint = 0; endpoint < net.endpoints(); ++endpoint) {
      EXPECT_EQ(result.use.channels[net.injection(arch::VertexId{endpoint})].units, bytes);
    }
    EXPECT_EQ(result.bytes, static_cast<std::int64_t>(net.endpoints()) * bytes);
    EXPECT_EQ(result.busiest_bytes, bytes);
  }
}

/// A tree of stars and trees, of members alike and not.
arch::TopologySpec random_tree(Draw& draw, int depth) {
  auto topology = topology_of("star:" + std::to_string(draw(2, 4)));
  topology.members.clear();
  if (depth == 1 || draw(0, 3) == 0) return topology;
  auto const alike = random_tree(draw, depth - 1);
  for (std::size_t place = 0; place < topology.places(); ++place) {
    topology.members.push_back(draw(0, 1) == 0 ? alike : random_tree(draw, depth - 1));
  }
  return topology;
}

TEST(InSwitch, TakesTheTicksOfItsTwinFlitByFlit) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw{seed};
    Interconnect const net{random_tree(draw, 3)};
    sim::CutThroughSpec network;
    network.virtual_channels = static_cast<std::uint32_t>(draw(1, 2));
    network.buffer_packets = static_cast<std::uint32_t>(draw(1, 3));
    network.pipeline = draw(0, 4);
    auto const slowest_down = draw(1, 3);
    for (auto const& channel : net.channels()) {
      // Up as fast as it likes; down at one speed, so that bits cannot run out.
      auto const goes_up = net.is_endpoint(channel.from) || channel.to < channel.from;
      auto const is_up = goes_up && !net.is_endpoint(channel.to);
      network.channels.push_back({is_up ? draw(1, 2) : slowest_down, 1, draw(1, 5)});
    }
    std::int64_t const chunks = draw(1, 6);
    std::int64_t const flits = draw(chunks, 40);
    auto const found = sim::run_in_switch(net, network, {}, all_reduce(flits, chunks));
    std::vector<std::uint32_t> operands;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      operands.push_back(static_cast<std::uint32_t>(arch::block_of(flits, chunk, chunks)));
    }
    EXPECT_EQ(found.time, InSwitchTwin(net, network, operands).run());
  }
}

TEST(InSwitch, MovesLessThanEndpointsCanAndBeatsThemInAPipeline) {
  auto const topology = topology_of("star:16");
  Interconnect const net{topology};
  auto const network = sim::roomy_network(net, switch_latency);
  std::int64_t const bytes = 64'000'000;
  auto const in_switch = sim::run_in_switch(net, network, {}, all_reduce(bytes, 64));
  for (auto const* const algorithm : {"ring", "halving-doubling"}) {
    auto spec = spec_of(bytes, 1);
    spec.algorithm = arch::builtin_collective(algorithm);
    auto const result = sim::run_transfers(net, network, {}, sim::transfers_of(spec, 16));
    EXPECT_LT(in_switch.time, result.time);
    // Endpoints send 2 (p - 1) / p of the vector each, instead of all of it once.
    EXPECT_EQ(result.bytes, 2 * 15 * bytes);
  }
}

TEST(InSwitch, NeedsSwitchesThatAreNotEndpoints) {
  for (auto const* const name : {"star:4", "htree:4", "fat-tree:2x2"}) {
    EXPECT_TRUE(sim::has_tree_of_switches(topology_of(name))) << name;
  }
  for (auto const* const name : {"ring:4", "mesh:2x2", "torus:3x3", "full:4", "dragonfly:3x2x1"}) {
    EXPECT_FALSE(sim::has_tree_of_switches(topology_of(name))) << name;
  }
  auto const nested = [](std::string const& member) {
    return arch::topology_from(read_config_text(
        "{kind: star, shape: [2], link: {bandwidth: 1 GB/s, latency: 1 ns}, members: [{count: "
        "2, "
        "topology: {kind: " +
            member + ", shape: [3], link: {bandwidth: 1 GB/s, latency: 1 ns}}}]}",
        "fabric.yaml"));
  };
  EXPECT_TRUE(sim::has_tree_of_switches(nested("star")));
  EXPECT_FALSE(sim::has_tree_of_switches(nested("torus")));
}

}  // namespace

}  // namespace tessera::test

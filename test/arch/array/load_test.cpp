// Arrays: the presets, the round trip, and every value that makes no sense.
#include "arch/array/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/error_message.hpp"

namespace tessera::arch {
namespace {

using test::error_message;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

[[nodiscard]] std::string complaint(std::vector<std::string> const& overrides,
                                    std::string const& preset = "hypar-paper") {
  return error_message([&] { return load(preset, overrides).levels(); });
}

TEST(Presets, AreListedWithADescription) {
  std::vector<std::string> names;
  for (auto const& array : builtin_arrays()) {
    names.push_back(array.name);
    EXPECT_FALSE(array.description.empty());
    EXPECT_EQ(load(array.name).name, array.name);
  }
  EXPECT_THAT(names, IsSupersetOf({"hypar-paper", "hmc-htree-16"}));
}

TEST(Presets, HyparPaperIsTheArrayOfThePublishedTimes) {
  auto const array = load("hypar-paper");
  EXPECT_EQ(array.levels(), 4);
  auto const& accelerator = array.accelerator(0);
  auto const& unit = std::get<MacRateUnitSpec>(accelerator.processing_unit);
  // 168 MACs of two operations at 250 MHz = 84 GOPS (HyPar, section on the architecture)
  EXPECT_EQ(2 * unit.macs_per_cycle * accelerator.clock.value(), 84'000'000'000);
  EXPECT_EQ(unit.mac_count, MacRateUnitSpec::MacCount::input_map);
  EXPECT_FALSE(unit.charges_update);
  EXPECT_TRUE(std::holds_alternative<IdealMemorySpec>(array.accelerator(0).memory));
  // C bytes of both directions take C / (1 B * 250 MHz): both directions of the root have 0.25 GB/s
  auto const at_root = array.fabric.link_bandwidth * array.lanes_at_root();
  EXPECT_EQ(2 * at_root.value(), 8 * 250'000'000);
  EXPECT_EQ(array.execution.overlap, ExecutionSpec::Overlap::none);
  EXPECT_EQ(array.energy.memory_access, Energy{640e-12});
  EXPECT_FALSE(array.energy.counts_local_memory);
}

TEST(Presets, HmcHtree16HasTheCubesMemory) {
  auto const array = load("hmc-htree-16");
  auto const& memory = std::get<DramMemorySpec>(array.accelerator(0).memory).dram;
  EXPECT_EQ(memory.peak_bandwidth(), Bandwidth{32LL * 32 * 2'500'000'000});  // vaults * TSVs * rate
  EXPECT_EQ(array.accelerator(0).memory_capacity, Bytes{32LL * 16 * (16 << 20)});
  EXPECT_DOUBLE_EQ(array.energy.memory_access.value(), 32 * 5.0e-12);
  EXPECT_DOUBLE_EQ(array.energy.link_word.value(), 32 * 5.48e-12);
  EXPECT_TRUE(array.energy.counts_local_memory);
}

TEST(Load, WhatToConfigWritesIsReadBackEqual) {
  for (auto const& builtin : builtin_arrays()) {
    for (auto const* const size : {"accelerators=16", "accelerators=1", "accelerators=64"}) {
      auto const spec = load(builtin.name);
      auto const is_alike = spec.fabric.levels == FabricSpec::Levels::alike;
      auto const is_network = spec.fabric.topology == FabricSpec::Topology::network;
      if (is_alike || is_network || spec.groups.size() > 1)
        continue;  // trees only; links of their own; sizes of groups
      auto const array = load(builtin.name, {size, "fabric.topology=torus"});
      auto const text = write_config(to_config(array));
      auto const again = array_from(read_config_text(text, "written.yaml"));
      EXPECT_EQ(write_config(to_config(again)), text);
      EXPECT_EQ(again.accelerators, array.accelerators);
      EXPECT_EQ(again.fabric.topology, FabricSpec::Topology::torus);
      EXPECT_EQ(again.energy.link_word, array.energy.link_word);
    }
  }
}

TEST(Load, ToConfigWritesEveryKey) {
  EXPECT_EQ(
      write_config(to_config(load("hypar-paper", {"description=short"}))),
      "schema: tessera.array/2\n"
      "name: hypar-paper\n"
      "description: short\n"
      "accelerators: 16\n"
      "accelerator:\n"
      "  clock: 250 MHz\n"
      "  processing_unit: {kind: mac-rate, macs_per_cycle: 168, mac_count: input-map, update: "
      "free}\n"
      "  memory: {kind: ideal, capacity: 8 GB}\n"
      "fabric:\n"
      "  topology: htree\n"
      "  clock: 1 GHz\n"
      "  link: {bandwidth: 125 Mb/s, latency: 1 ns}\n"
      "execution: {overlap: none}\n"
      "energy:\n"
      "  multiply: 3.7 pJ\n"
      "  add: 900 fJ\n"
      "  buffer_access: 5 pJ\n"
      "  memory_access: 640 pJ\n"
      "  link_word: 0 J\n"
      "  local_memory: ignored\n"
      "  exchanged_word_accesses: 4\n"
      "planner: {fit: ignore}\n");
}

TEST(Load, SumsArePaddedWhereAFileSaysSo) {
  EXPECT_EQ(load("hypar-paper").execution.sums, SumPieces::exact);
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128", "tpu-v2v3-256"}) {
    EXPECT_EQ(load(name).execution.sums, SumPieces::padded) << name;
    EXPECT_EQ(load(name, {"execution.sums=exact"}).execution.sums, SumPieces::exact);
  }
  EXPECT_THAT(complaint({"execution.sums=even"}), HasSubstr("execution.sums"));
}

TEST(Load, KernelsBeginInPhaseWithADramOfTheirOwnOnly) {
  EXPECT_EQ(load("hypar-paper").execution.kernels, ExecutionSpec::Kernels::free);
  EXPECT_EQ(load("tpu-v3-128").execution.kernels, ExecutionSpec::Kernels::in_phase);
  EXPECT_EQ(load("tpu-v3-128", {"execution.kernels=free"}).execution.kernels,
            ExecutionSpec::Kernels::free);
  auto const refused = [](std::vector<std::string> const& settings) {
    return complaint(settings, "tpu-v3-128");
  };
  EXPECT_THAT(complaint({"execution.kernels=in-phase"}),
              EndsWith("execution.kernels: 'in-phase' does not go here: an accelerator is no core "
                       "with a DRAM; use free"));
  EXPECT_THAT(refused({"accelerator.transfers={path: through-memory, block: 64 KiB}"}),
              HasSubstr("serves more than its kernels"));
  EXPECT_THAT(refused({"accelerator.memory.dram.policy.scheduler=frfcfs",
                       "accelerator.memory.dram.policy.starvation_cap=300"}),
              HasSubstr("it takes one rank of DRAM, scheduler 'fcfs'"));
  // 1138 ps * (tRAS 30 + tRP 13 + tRFC 308)
  EXPECT_THAT(refused({"accelerator.processing_unit.core.kernel_start=399 ns"}),
              EndsWith("kernels start in 399 ns, and closing all rows and refreshing them takes "
                       "399438 ps; use free"));
  EXPECT_EQ(refused({"accelerator.processing_unit.core.kernel_start=400 ns"}), "no error");
}

TEST(Load, KernelsOfRowStationaryArraysBeginInPhaseIfTheyTakeAStart) {
  EXPECT_EQ(load("hmc-htree-16").execution.kernels, ExecutionSpec::Kernels::in_phase);
  std::string const start = "accelerator.processing_unit.core.kernel_start=";
  EXPECT_THAT(complaint({start + "0 ns"}, "hmc-htree-16"),
              EndsWith("kernels start in 0 ps, and closing all rows and refreshing them takes "
                       "200800 ps; use free"));
  EXPECT_EQ(complaint({start + "0 ns", "execution.kernels=free"}, "hmc-htree-16"), "no error");
  EXPECT_EQ(complaint({start + "201 ns"}, "hmc-htree-16"), "no error");
}

TEST(Load, OverridesAnyKey) {
  EXPECT_EQ(load("tpu-v3-128", {"fabric.link.bandwidth=2 GB/s"}).fabric.link_bandwidth,
            Bandwidth{16'000'000'000});
  auto const changed = load("hypar-paper", {"accelerators=64", "fabric.topology=torus"});
  EXPECT_EQ(changed.levels(), 6);
  EXPECT_EQ(changed.fabric.topology, FabricSpec::Topology::torus);
}

TEST(Load, EveryPowerOfTwoUpToAMillionIsAnArray) {
  int levels = 0;
  for (std::int64_t count = 1; count <= 1 << 20; count *= 2, ++levels) {
    for (auto const* const topology : {"fabric.topology=htree", "fabric.topology=torus"}) {
      bool const is_tree = std::string{topology} == "fabric.topology=htree";
      if (count > 65536 && !is_tree) continue;
      auto const size = "accelerators=" + std::to_string(count);
      auto const array =
          load("hypar-paper", {size, topology, "fabric.link.bandwidth=1048.576 Gb/s"});
      EXPECT_EQ(array.levels(), levels);
      EXPECT_EQ(array.lane_bandwidth(1) * array.lanes_at_root(), Bandwidth{1'048'576'000'000});
    }
  }
}

TEST(Load, LinksOfATreeHalveOrAreAlikeAtAllLevels) {
  std::vector<std::string> const alike{"fabric.link.levels=alike"};
  EXPECT_EQ(load("hypar-paper").fabric.levels, FabricSpec::Levels::halved);
  auto const array = load("hypar-paper", alike);
  EXPECT_EQ(array.lane_bandwidth(1), Bandwidth{1'000'000'000 / 8});
  EXPECT_EQ(array.lane_bandwidth(4), Bandwidth{1'000'000'000});
  EXPECT_EQ(array_from(to_config(array)).fabric.levels, FabricSpec::Levels::alike);
  EXPECT_EQ(
      complaint({"fabric.link.levels=alike", "fabric.topology=torus"}),
      "--set arch.fabric.link.levels=alike: fabric.link.levels: is for an H-tree (a torus has "
      "no levels); leave it out");
}

TEST(Load, AHalfOfATreeMayHaveLinksOfItsOwn) {
  auto const array = load("accpar-paper-256");
  EXPECT_EQ(array.groups[0].link_bandwidth, std::nullopt);
  EXPECT_EQ(array.groups[1].link_bandwidth, Bandwidth{128'000'000'000});
  EXPECT_EQ(array.lane_bandwidth(8, 0), Bandwidth{64'000'000'000});
  EXPECT_EQ(array.lane_bandwidth(8, 255), Bandwidth{128'000'000'000});
  EXPECT_EQ(array.lane_bandwidth(1, 128), Bandwidth{1'000'000'000});  // 128 lanes
  EXPECT_EQ(array_from(to_config(array)).groups[1].link_bandwidth, array.groups[1].link_bandwidth);
  auto const refused =
      "groups.1.link: is for an H-tree whose two halves are its groups (there every "
      "link leads to one group); leave it out";
  EXPECT_THAT(complaint({"fabric.topology=torus", "fabric.link.levels=halved"}, "accpar-paper-256"),
              HasSubstr(refused));
  EXPECT_THAT(complaint({"groups.0.count=64", "groups.1.count=192"}, "accpar-paper-256"),
              HasSubstr(refused));
  EXPECT_THAT(
      complaint({"groups.1.link.bandwidth=64000000001 b/s"}, "accpar-paper-256"),
      HasSubstr("groups.1.link.bandwidth: '64000000001 b/s' does not divide into 128 lanes"));
  EXPECT_THAT(complaint({"groups.1.link.bandwith=64 Gb/s"}, "accpar-paper-256"),
              HasSubstr("bandwith: unknown key"));
  EXPECT_THAT(complaint({"groups.1.link.bandwidth=0 b/s"}, "accpar-paper-256"),
              HasSubstr("is zero"));
}

TEST(Load, OtherSizesAreErrors) {
  EXPECT_EQ(complaint({"accelerators=34"}),
            "--set arch.accelerators=34: accelerators: 34 accelerators do not form a hierarchy of "
            "small groups (17 parts at one level would all talk to each other); use a number "
            "without prime factors over 13, best a power of two");
  EXPECT_EQ(
      complaint({"accelerators=2097152"}),  // a power of two
      "--set arch.accelerators=2097152: accelerators: 2097152 accelerators are out of range (the "
      "largest array that is simulated has 1048576); use a number from 1 to 1048576");
  EXPECT_EQ(complaint({"accelerators=131072", "fabric.topology=torus"}),
            "--set arch.accelerators=131072: accelerators: 131072 accelerators are out of range "
            "(the largest torus has 65536); use a number from 1 to 65536");
  for (auto const* const size : {"0", "-16", "17", "2097152", "16.0", "many"}) {
    EXPECT_NE(complaint({std::string{"accelerators="} + size}), "no error") << size;
  }
}

TEST(Load, ABandwidthAtTheRootIsSharedOutInWholeBitsPerSecond) {
  // 10^9 = 2^9 * 5^9: nine halvings are exact, ten are not.
  EXPECT_EQ(load("hypar-paper", {"accelerators=1024"}).fabric.link_bandwidth, Bandwidth{1'953'125});
  EXPECT_EQ(load("hypar-paper", {"accelerators=2048"}).fabric.link_bandwidth, Bandwidth{976'562});
  EXPECT_EQ(
      load("hypar-paper", {"accelerators=1024", "fabric.topology=torus"}).fabric.link_bandwidth,
      Bandwidth{976'562});
  EXPECT_THAT(complaint({"fabric.link.bandwidth=1 b/s"}),
              EndsWith("leaves less than 1 b/s for each of 16 accelerators; use more"));
}

TEST(Load, ABandwidthThatDoesNotDivideIntoLanesOfAlikeLinksIsAnError) {
  EXPECT_EQ(complaint({"accelerators=1024", "fabric.link.levels=alike"}), "no error");
  EXPECT_THAT(complaint({"accelerators=2048", "fabric.link.levels=alike"}),
              AllOf(StartsWith("hypar-paper.yaml:"),
                    EndsWith("fabric.link.bandwidth: '1 Gb/s' does not divide into 1024 lanes of a "
                             "whole number of b/s (2048 accelerators); use 1000000512 b/s")));
}

/// hypar-paper on another network.
[[nodiscard]] std::string on_network(std::string const& topology) {
  return "fabric={topology: {" + topology + "}, clock: 1 GHz}";
}
constexpr char const* wire = ", link: {bandwidth: 2 Gb/s, latency: 40 ns}";

TEST(Load, AFabricMayBeAnyNetwork) {
  auto const array =
      load("hypar-paper", {on_network(std::string{"kind: mesh, shape: [4, 4]"} + wire)});
  EXPECT_EQ(array.fabric.topology, FabricSpec::Topology::network);
  ASSERT_NE(array.fabric.graph, nullptr);
  EXPECT_EQ(array.fabric.graph->endpoints(), 16U);
  auto const again = array_from(to_config(array));
  EXPECT_EQ(again.fabric.graph->channels().size(), array.fabric.graph->channels().size());
  EXPECT_EQ(write_config(to_config(again)), write_config(to_config(array)));
}

TEST(Load, ANetworkHasAnEndpointForEachAccelerator) {
  EXPECT_THAT(
      complaint({on_network(std::string{"kind: mesh, shape: [4, 2]"} + wire)}),
      EndsWith("fabric.topology: has 8 endpoints, but the array has 16 accelerators; change "
               "the shape or 'accelerators'"));
  EXPECT_THAT(complaint({on_network(std::string{"kind: dragonfly, shape: [2, 4, 2]"} + wire)}),
              EndsWith("fabric.topology: has several accelerators at one router; add 'port', the "
                       "link between them"));
  EXPECT_THAT(
      complaint({on_network(std::string{"kind: edges, shape: [16], edges: [[0, 1]]"} + wire)}),
      HasSubstr("fabric.topology: the interconnect is not connected"));
}

TEST(Load, ANetworkHasItsOwnLinks) {
  auto const mesh = std::string{"{kind: mesh, shape: [4, 4]"} + wire + "}";
  EXPECT_THAT(complaint({"fabric.topology=" + mesh}),
              EndsWith("fabric.link: is for htree and torus (a topology map has its own links); "
                       "leave it out"));
  EXPECT_THAT(complaint({"fabric.topology=mesh"}),
              EndsWith("fabric.topology: 'mesh' needs a shape and links of its own; write {kind: "
                       "mesh, shape: [...], link: {bandwidth: ..., latency: ...}}"));
  EXPECT_THAT(
      complaint({on_network("kind: mesh, shape: [4, 4], link: {bandwidth: 2 Gb/s, latency: 2 s}")}),
      EndsWith("fabric.topology.link.latency: is over 1 s (no link or memory is that slow)"));
  EXPECT_THAT(complaint({on_network(std::string{"kind: mesh, shape: [16, 16]"} + wire),
                         "accelerators=256", "groups.0.link.bandwidth=1 Gb/s"},
                        "accpar-paper-256"),
              HasSubstr("is for an H-tree whose two halves are its groups"));
}

TEST(Load, MessagesAndLinksMayTakeNoTime) {
  auto const bare = load("hypar-paper");
  EXPECT_EQ(bare.accelerator(0).dispatch_latency, Cycles{1});
  EXPECT_EQ(bare.fabric.hop_latency, Cycles{1});
  auto const array =
      load("hypar-paper", {"accelerator.dispatch={latency: 0}", "fabric.hop={latency: 0}",
                           "fabric.link.bandwidth=unlimited"});
  EXPECT_EQ(array.accelerator(0).dispatch_latency, Cycles{0});
  EXPECT_EQ(array.fabric.hop_latency, Cycles{0});
  EXPECT_EQ(array.lane_bandwidth(4), unlimited_bandwidth);
  EXPECT_EQ(Bytes{1'000'000} / array.lane_bandwidth(4), Time{0});
  auto const text = write_config(to_config(array));
  EXPECT_EQ(write_config(to_config(array_from(read_config_text(text, "array.yaml")))), text);
  EXPECT_THAT(complaint({"accelerator.dispatch={latency: -1}"}),
              EndsWith("accelerator.dispatch.latency: must be from 0 to 1000 cycles"));
  EXPECT_THAT(complaint({"fabric.hop={latency: 1001}"}),
              EndsWith("fabric.hop.latency: must be from 0 to 1000 cycles"));
}

TEST(Load, AFabricInPacketsTakesTime) {
  auto const packets = std::string{
      ", clock: 1 GHz, packet: 256 B, router: {pipeline: 3 ns, virtual_channels: 2, "
      "buffer_packets: 8}}"};
  auto const mesh = std::string{"fabric={topology: {kind: mesh, shape: [4, 4]"};
  EXPECT_THAT(complaint({mesh + ", link: {bandwidth: unlimited, latency: 1 ns}}" + packets}),
              HasSubstr("fabric.topology: has links of unlimited bandwidth"));
  EXPECT_THAT(complaint({mesh + wire + "}, hop: {latency: 0}" + packets}),
              HasSubstr("fabric.hop: is for whole messages"));
  EXPECT_THAT(complaint({mesh + wire + "}" + packets, "accelerator.dispatch={latency: 0}"}),
              HasSubstr("fabric.packet: does not go with accelerators whose 'dispatch' takes no "
                        "time"));
}

/// The same in packets.
[[nodiscard]] std::string in_packets(std::string const& topology, std::string const& router) {
  return "fabric={topology: {" + topology + wire + "}, clock: 1 GHz, packet: 256 B, router: {" +
         router + "}}";
}
constexpr char const* router = "pipeline: 3 ns, virtual_channels: 2, buffer_packets: 8";

TEST(Load, ANetworkMayCarryPackets) {
  auto const array = load("hypar-paper", {in_packets("kind: torus, shape: [4, 4]", router)});
  ASSERT_TRUE(array.fabric.packets);
  EXPECT_EQ(array.fabric.packets->packet, Bytes{256});
  EXPECT_EQ(array.fabric.packets->header, Bytes{0});
  EXPECT_EQ(array.fabric.packets->router.pipeline, Time{3'000});
  EXPECT_EQ(array.fabric.packets->router.virtual_channels, 2);
  EXPECT_EQ(array.fabric.packets->router.buffer_packets, 8);
  EXPECT_EQ(write_config(to_config(array_from(to_config(array)))), write_config(to_config(array)));
}

TEST(Load, PacketsOverSeveralPathsHaveTheirOwnRoutes) {
  auto const several =
      load("hypar-paper",
           {in_packets("kind: torus, shape: [4, 4]", std::string{router} + ", paths: equal-cost")});
  // Two hops round a ring of four: both ways are as long.
  auto const& graph = *several.fabric.graph;
  EXPECT_GT(graph.hops(*graph.own_router(VertexId{0}), VertexId{2}).count, 1U);
  EXPECT_THAT(write_config(to_config(several)), HasSubstr("paths: equal-cost"));
}

TEST(Load, PacketsMayHaveHeaders) {
  auto const torus = in_packets("kind: torus, shape: [4, 4]", router);
  auto const array = load("hypar-paper", {torus, "fabric.header=16 B"});
  EXPECT_EQ(array.fabric.packets->header, Bytes{16});
  EXPECT_EQ(write_config(to_config(array_from(to_config(array)))), write_config(to_config(array)));
  EXPECT_THAT(complaint({torus, "fabric.header=16"}), HasSubstr("fabric.header: "));
  EXPECT_THAT(complaint({torus, "fabric.packet=3 GiB", "fabric.header=1 GiB"}),
              EndsWith("fabric.header: makes packets of 4 GiB or more (no packet is that large)"));
  EXPECT_THAT(complaint({on_network(std::string{"kind: torus, shape: [4, 4]"} + wire),
                         "fabric.header=16 B"}),
              EndsWith("fabric: missing keys 'packet', 'router'"));
}

TEST(Load, WhatPacketsLackIsNamed) {
  auto const torus = std::string{"kind: torus, shape: [4, 4]"};
  EXPECT_THAT(complaint({in_packets(torus,
                                    "pipeline: 3 ns, virtual_channels: 1, "
                                    "buffer_packets: 8, paths: equal-cost")}),
              HasSubstr("fabric.router.virtual_channels: 1 is too few"));
  EXPECT_THAT(complaint({in_packets(torus, std::string{router} + ", flits: 2")}),
              HasSubstr("fabric.router.flits: unknown key"));
  EXPECT_THAT(complaint({in_packets(torus, "pipeline: 3, virtual_channels: 2, buffer_packets: 8")}),
              HasSubstr("fabric.router.pipeline: "));
  EXPECT_THAT(complaint({in_packets(torus, router), "fabric.packet=0 B"}),
              EndsWith("fabric.packet: is zero; it must be more"));
  EXPECT_THAT(complaint({in_packets(torus, router), "fabric.packet=4 GiB"}),
              EndsWith("fabric.packet: is 4 GiB or more (no packet is that large)"));
  EXPECT_THAT(complaint({on_network(torus + wire), "fabric.packet=256 B"}),
              EndsWith("fabric: missing key 'router'"));
  EXPECT_THAT(complaint({in_packets(torus,
                                    "pipeline: 0 ns, virtual_channels: 2, "
                                    "buffer_packets: 8"),
                         "fabric.topology.link.latency=0 ns"}),
              EndsWith("fabric.router.pipeline: is zero, and so is the latency of a link between "
                       "routers (a hop must take time)"));
}

TEST(Load, TheBuiltInFabricsRefusePacketsAndNameTheMapToWrite) {
  EXPECT_THAT(
      complaint({"fabric.packet=256 B"}),
      EndsWith("fabric.packet: is for a topology map ('htree' carries whole messages); write "
               "topology: {kind: tree, shape: [...], link: {bandwidth: ..., latency: "
               "...}}"));
  EXPECT_THAT(complaint({"fabric.topology=torus", std::string{"fabric.router={"} + router + "}"}),
              HasSubstr("fabric.router: is for a topology map ('torus' carries whole messages); "
                        "write topology: {kind: torus, "));
}

TEST(Load, LinksOfANetworkCarryBothWaysAtOnce) {
  std::string const link = "{bandwidth: 2 Gb/s, latency: 40 ns, duplex: ";
  EXPECT_EQ(complaint({on_network("kind: mesh, shape: [4, 4], link: " + link + "full}")}),
            "no error");
  EXPECT_THAT(complaint({on_network("kind: mesh, shape: [4, 4], links: [" + link + "full}, " +
                                    link + "half}]")}),
              EndsWith("fabric.topology.links.1.duplex: half duplex is for the probes of fabrics "
                       "(links of an array carry both ways at once); leave it out"));
}

TEST(Load, AMisspeltOverrideNamesTheNearestKey) {
  EXPECT_EQ(complaint({"fabric.link.bandwith=2 GB/s"}),
            "--set arch.fabric.link.bandwith=2 GB/s: fabric.link.bandwith: unknown key; did you "
            "mean 'bandwidth'?");
  EXPECT_EQ(complaint({"fabrik.topology=torus"}),
            "--set arch.fabrik.topology=torus: fabrik: unknown key; did you mean 'fabric'?");
}

TEST(Load, ANegativeBandwidthIsAnError) {
  EXPECT_EQ(
      complaint({"fabric.link.bandwidth=-1 GB/s"}),
      "--set arch.fabric.link.bandwidth=-1 GB/s: fabric.link.bandwidth: '-1 GB/s' is negative "
      "(a bandwidth is zero or more); write it like '2 GB/s'");
}

TEST(Load, SaysHowGroupsMakeTheirCollectives) {
  EXPECT_TRUE(load("hypar-paper").execution.collectives.go_by_levels());
  auto const ring = load(
      "hypar-paper", {"execution.collectives=ring", "accelerator.reduce={bandwidth: 1600 GB/s}"});
  EXPECT_EQ(ring.execution.collectives.name, "ring");
  EXPECT_EQ(ring.accelerator(0).reduce_bandwidth, Bandwidth{12'800'000'000'000});
  auto const again = array_from(read_config_text(write_config(to_config(ring)), "there"));
  EXPECT_EQ(again.execution.collectives.name, "ring");
  EXPECT_EQ(again.accelerator(0).reduce_bandwidth, ring.accelerator(0).reduce_bandwidth);
  EXPECT_EQ(complaint({"execution.collectives=torus"}),
            "--set arch.execution.collectives=torus: execution.collectives: 'torus' goes round the "
            "dimensions of a grid, and this fabric is none (a torus, or a network of kind mesh or "
            "torus); use ring or auto");
  EXPECT_EQ(complaint({"execution.collectives=torus", "fabric.topology=torus"}), "no error");
  EXPECT_THAT(complaint({"execution.collectives=tree"}), HasSubstr("double-tree"));
  EXPECT_THAT(complaint({"accelerator.reduce={bandwidth: 0 GB/s}"}),
              EndsWith("is zero; it must be more"));
}

TEST(Load, TransfersGoBesideTheMemoryOrThroughIt) {
  auto const block = [](arch::ArraySpec const& array) {
    return array.accelerator(0).transfer_block;
  };
  auto const setting = std::string{"accelerator.transfers={path: through-memory, block: 16 KiB}"};
  EXPECT_EQ(block(load("hmc-htree-16")), std::nullopt);
  EXPECT_EQ(block(load("hmc-htree-16", {"accelerator.transfers={path: beside-memory}"})),
            std::nullopt);
  auto const through = load("hmc-htree-16", {setting, "execution.kernels=free"});
  EXPECT_EQ(block(through), Bytes{16 * 1024});
  EXPECT_EQ(block(array_from(read_config_text(write_config(to_config(through)), "there"))),
            Bytes{16 * 1024});
  EXPECT_THAT(complaint({setting}),
              EndsWith("needs a processing unit of kind core and a memory of kind dram"));
  EXPECT_THAT(
      complaint({"accelerator.transfers={path: through-memory, block: 1 B}"}, "hmc-htree-16"),
      EndsWith("accelerator.transfers.block: is less than a block of the memory (256 B)"));
  EXPECT_THAT(complaint({"accelerator.transfers={path: beside-memory, block: 1 B}"}),
              EndsWith("accelerator.transfers.block: unknown key; known: path"));
}

TEST(Load, ValuesThatNoModelCanUseAreErrors) {
  for (std::string const text :
       {"fabric.link.bandwidth=0 b/s", "fabric.clock=0 Hz", "fabric.clock=2 THz",
        "accelerator.clock=0 Hz", "accelerator.memory.capacity=0 B", "fabric.link.latency=2 s",
        "accelerator.processing_unit.macs_per_cycle=0", "energy.add=-1 pJ", "energy.add=1",
        "fabric.topology=mesh", "execution.overlap=some", "accelerator.memory.kind=magic",
        "accelerator.processing_unit.kind=systolic", "schema=tessera.array/3", "schema=1",
        "name=[a]", "fabric=fast", "accelerator.memory.bandwidth=1 GB/s"}) {
    auto const message = complaint({text});
    EXPECT_EQ(message.substr(0, 11 + text.size()), "--set arch." + text) << message;
  }
}

TEST(Load, AMemoryWithABandwidthNeedsOne) {
  EXPECT_THAT(complaint({"accelerator.memory.kind=bandwidth"}),
              EndsWith("accelerator.memory: missing keys 'bandwidth', 'latency'"));
  auto const array = load(
      "hypar-paper",
      {"accelerator.memory={kind: bandwidth, bandwidth: 1 GB/s, latency: 5 ns, capacity: 1 B}"});
  EXPECT_EQ(std::get<BandwidthMemorySpec>(array.accelerator(0).memory).latency, Time{5000});
}

TEST(Load, ANameThatIsNeitherPathNorPresetListsThePresets) {
  EXPECT_THAT(complaint({}, "hypar-papr"),
              AllOf(StartsWith("unknown array 'hypar-papr'; did you mean 'hypar-paper'? known: "),
                    HasSubstr("accpar-paper-128, "), EndsWith("; or a path to a .yaml file")));
}

}  // namespace
}  // namespace tessera::arch

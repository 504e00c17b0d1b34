#include "arch/fabric/interconnect_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

namespace {

TEST(InterconnectSpec, EveryPresetLoadsUnderItsOwnNameAndIsFreeOfDeadlock) {
  std::vector<std::string> names;
  for (auto const& [name, description] : builtin_interconnects()) {
    names.push_back(name);
    EXPECT_FALSE(description.empty());
    auto spec = load_fabric(name).spec;
    EXPECT_EQ(spec.name, name);
    spec.topology.shape = {4, 4};  // as the large one is, but quick to check
    Interconnect const net{spec.topology, spec.packets.router.paths};
    EXPECT_EQ(net.find_deadlock(), "");
    EXPECT_GE(spec.packets.router.virtual_channels, net.classes());
  }
  EXPECT_THAT(names, testing::ElementsAre("hmc-mesh", "tpu-v3-ici"));
}

TEST(InterconnectSpec, ATpuPodHasItsPublishedBandwidth) {
  auto const spec = load_fabric("tpu-v3-ici").spec;
  // 1024 chips x 4 links x 82 GB/s, near the "340 TB/s" that Google states.
  auto const bits = static_cast<double>(spec.topology.links.front().bandwidth.value());
  auto const gigabytes = bits / 8e9;
  EXPECT_NEAR(1024 * 4 * gigabytes, 340'000, 5'000);
}

TEST(InterconnectSpec, EnergyIsCountsTimesTheirFigures) {
  InterconnectEnergy const each{Energy{4e-12}, Energy{5e-12}, Energy{1e-12}};
  EXPECT_DOUBLE_EQ(energy_of({10, 100, 1000}, each).value(), 40e-12 + 500e-12 + 1000e-12);
}

/// What a file's topology is; or what is wrong with it.
std::string described(std::string const& kind, std::string const& shape) {
  try {
    auto const link = "{bandwidth: 8 Gb/s, latency: 1 ns}";
    auto const node = read_config_text(
        "{kind: " + kind + ", shape: " + shape + ", link: " + link + ", port: " + link + "}",
        "file");
    return std::to_string(Interconnect{topology_from(node)}.channels().size());
  } catch (ConfigError const& error) {
    return error.what();
  }
}

// The symptom: `kind: ring` was unknown in a file, `--topology fully-connected:8` to the probe.
TEST(TopologyNames, AreTheSameInFilesAndOnCommandLines) {
  WireSpec const wire{Bandwidth{8'000'000'000}, Time{1'000}};
  for (auto const& example : topology_examples()) {
    auto const colon = example.find(':');
    auto shape = "[" + example.substr(colon + 1) + "]";
    for (auto x = shape.find('x'); x != std::string::npos; x = shape.find('x'))
      shape.replace(x, 1, ", ");
    Interconnect const net{topology_from(example, wire)};
    EXPECT_EQ(described(example.substr(0, colon), shape), std::to_string(net.channels().size()))
        << example;
  }
  EXPECT_EQ(topology_examples().size() + 1, topology_names().size());  // all but `edges`
  EXPECT_THAT(described("rign", "[8]"), testing::HasSubstr("did you mean 'ring'?"));
  EXPECT_THAT(described("ring", "[8, 8]"), testing::HasSubstr("has 2 numbers"));
  EXPECT_THROW(static_cast<void>(topology_from("edges:8", wire)), ConfigError);
}

TEST(InterconnectSpec, EveryLinkSaysItsDuplexAndFullIsTheDefault) {
  auto const half_of = [](std::string const& topology) {
    auto const spec = load_fabric("hmc-mesh", {"topology=" + topology}).spec;
    Interconnect const net{spec.topology};
    std::size_t half = 0;
    for (auto const id : net.channels().ids()) {
      auto const duplex = net.channels()[id].wire.duplex;
      EXPECT_EQ(duplex, net.channels()[net.way_back(id)].wire.duplex);
      if (duplex == Duplex::half) ++half;
    }
    EXPECT_EQ(net.has_half_duplex(), half > 0);
    return half;
  };
  std::string const full = "{bandwidth: 8 Gb/s, latency: 1 ns}";
  std::string const half = "{bandwidth: 8 Gb/s, latency: 1 ns, duplex: half}";
  EXPECT_EQ(half_of("{kind: mesh, shape: [3, 2], link: " + full + "}"), 0U);
  EXPECT_EQ(half_of("{kind: mesh, shape: [3, 2], link: " + half + "}"), 2 * 7U);
  // Of a dimension; of the ports; of a level with the endpoints below; of an edge; of members.
  EXPECT_EQ(half_of("{kind: mesh, shape: [3, 2], links: [" + full + ", " + half + "]}"), 2 * 3U);
  EXPECT_EQ(half_of("{kind: mesh, shape: [3, 2], link: " + full + ", port: " + half + "}"), 2 * 6U);
  EXPECT_EQ(half_of("{kind: tree, shape: [2, 2], links: [" + full + ", " + half + "]}"), 2 * 4U);
  EXPECT_EQ(half_of("{kind: edges, shape: [3], links: [" + full + ", " + half +
                    "], edges: [[0, 1], [1, 2, 1]]}"),
            2U);
  EXPECT_EQ(
      half_of("{kind: torus, shape: [3], link: " + full +
              ", members: [{count: 3, topology: {kind: star, shape: [2], link: " + half + "}}]}"),
      2 * 6U);
}

TEST(InterconnectSpec, MistakesAreRefused) {
  EXPECT_THROW(static_cast<void>(load_fabric("tpu-v9")), ConfigError);
  EXPECT_THROW(static_cast<void>(load_fabric("hmc-mesh", {"router.virtual_channels=0"})),
               ConfigError);
  EXPECT_THROW(static_cast<void>(load_fabric("hmc-mesh", {"topology.shape=[4, 0]"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_fabric("hmc-mesh", {"flit=0 B"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_fabric("hmc-mesh", {"topology.link.latancy=1 ns"})),
               ConfigError);
  EXPECT_THROW(static_cast<void>(load_fabric("hmc-mesh", {"topology.link.duplex=simplex"})),
               ConfigError);
}

}  // namespace

}  // namespace tessera::arch

// What the bandwidth of a link in an array's file is of: one link's own in tessera.array/2, the root's in tessera.array/1.
#include "arch/array/fabric_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "arch/array/load.hpp"
#include "arch/array/topology.hpp"
#include "test/support/error_message.hpp"

namespace tessera::arch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bandwidth gigabit{1'000'000'000};

/// A file of the user's: its fabric stands in line 8, the bandwidth of its links in column 59 of an
/// H-tree's.
[[nodiscard]] ConfigNode file(std::string const& schema, std::string const& accelerators,
                              std::string const& fabric) {
  return read_config_text("schema: " + schema + "\nname: mine\naccelerators: " + accelerators +
                              "\naccelerator:\n  clock: 1 GHz\n"
                              "  processing_unit: {kind: mac-rate, macs_per_cycle: 1}\n"
                              "  memory: {kind: ideal, capacity: 1 GB}\n"
                              "fabric: {clock: 1 GHz, " +
                              fabric +
                              "}\nenergy: {multiply: 1 pJ, add: 1 pJ, buffer_access: 1 pJ, "
                              "memory_access: 1 pJ, link_word: 1 pJ}\n",
                          "mine.yaml");
}

[[nodiscard]] std::string links(std::string const& topology, std::string const& bandwidth,
                                std::string const& more = "") {
  return "topology: " + topology + ", link: {bandwidth: " + bandwidth + ", latency: 1 ns" + more +
         "}";
}

[[nodiscard]] ArraySpec array_of(int version, std::string const& accelerators,
                                 std::string const& fabric) {
  return array_from(file("tessera.array/" + std::to_string(version), accelerators, fabric));
}

[[nodiscard]] std::string refusal(int version, std::string const& accelerators,
                                  std::string const& fabric) {
  return test::error_message([&] { return array_of(version, accelerators, fabric).levels(); });
}

/// By name, all its lanes together.
[[nodiscard]] std::map<std::string, std::int64_t> bandwidths(ArraySpec const& array) {
  std::map<std::string, std::int64_t> all;
  Topology const topology{array};
  for (auto const& link : topology.links()) {
    all[link.name] = (link.lane_bandwidth * link.lanes).value();
  }
  return all;
}

[[nodiscard]] std::vector<std::string> remark_lines(std::vector<Remark> const& remarks) {
  std::vector<std::string> all;
  for (auto const& remark : remarks) all.push_back(remark.text);
  return all;
}

TEST(LinkBandwidth, Of656GbPerLinkStandsInTheFileAs656Gb) {
  auto const array = load("tpu-v3-128");
  EXPECT_EQ(array.fabric.link_bandwidth, 656 * gigabit);
  EXPECT_THAT(write_config(to_config(array)), HasSubstr("link: {bandwidth: 82 GB/s, "));
  for (auto const& [name, bandwidth] : bandwidths(array)) {
    ASSERT_EQ(bandwidth, 656'000'000'000) << name;
  }
}

TEST(LinkBandwidth, OfTheFirstSchemaIsStillTheRoots) {
  auto const torus =
      load("tpu-v3-128", {"schema=tessera.array/1", "fabric.link.bandwidth=83.968 Tb/s"});
  EXPECT_EQ(bandwidths(torus), bandwidths(load("tpu-v3-128")));
  auto const tree =
      load("accpar-released", {"schema=tessera.array/1", "fabric.link.bandwidth=512 Gb/s"});
  EXPECT_EQ(bandwidths(tree), bandwidths(load("accpar-released")));
  EXPECT_EQ(array_of(1, "12", links("htree", "12 Gb/s")).fabric.link_bandwidth, 2 * gigabit);
  EXPECT_EQ(array_of(1, "12", links("torus", "12 Gb/s")).fabric.link_bandwidth, gigabit);
}

/// Of all links of each level that lead up, together.
[[nodiscard]] std::map<int, std::int64_t> level_bandwidths(ArraySpec const& array) {
  std::map<int, std::int64_t> all;
  Topology const topology{array};
  for (auto const& link : topology.links()) {
    all[link.level] += (link.lane_bandwidth * link.lanes).value();
  }
  for (auto& [level, bandwidth] : all) bandwidth /= 2;
  return all;
}

// The symptom: 13 accelerators had 13 links of the root's bandwidth, 12 had three, 8 two.
TEST(LinkBandwidth, OfTheRootIsSharedOutWhateverTheAritiesAre) {
  std::int64_t const root = 2'000'000'000;  // two links of 1 Gb/s
  for (std::int64_t accelerators = 2; accelerators <= 16; ++accelerators) {
    SCOPED_TRACE(accelerators);
    auto const array = array_of(1, std::to_string(accelerators), links("htree", "1 Gb/s"));
    EXPECT_EQ(array.fabric.link_bandwidth, Bandwidth{root / accelerators});
    for (auto const& [level, bandwidth] : level_bandwidths(array)) {
      EXPECT_EQ(bandwidth, root / accelerators * accelerators) << "level " << level;
    }
    auto const torus = array_of(1, std::to_string(accelerators), links("torus", "1 Gb/s"));
    EXPECT_EQ(torus.fabric.link_bandwidth, Bandwidth{root / 2 / accelerators});
  }
}

TEST(LinkBandwidth, OfTheSecondSchemaIsTheSameInAnArrayOfAnySize) {
  for (std::string const topology : {"htree", "torus"}) {
    for (std::string const size : {"2", "12", "16", "2048"}) {
      auto const array = array_of(2, size, links(topology, "1 Gb/s"));
      EXPECT_EQ(array.lane_bandwidth(array.levels()), gigabit) << topology << ' ' << size;
    }
  }
  auto const tree = bandwidths(array_of(2, "16", links("htree", "1 Gb/s")));
  EXPECT_EQ(tree.at("accelerator-0>switch-4.0"), 1'000'000'000);
  EXPECT_EQ(tree.at("switch-2.0>switch-1.0"), 8'000'000'000);
}

// Alike at all levels, in a network and of one accelerator, a number is of one link in both.
TEST(LinkBandwidth, IsTheSameInBothSchemasWhereLinksAreAllAlike) {
  for (auto const& fabric :
       {links("htree", "8 Gb/s", ", levels: alike"),
        std::string{
            "topology: {kind: mesh, shape: [16], link: {bandwidth: 8 Gb/s, latency: 1 ns}}"}}) {
    auto const first = array_of(1, "16", fabric);
    auto const second = array_of(2, "16", fabric);
    EXPECT_EQ(bandwidths(first), bandwidths(second));
    EXPECT_THAT(first.remarks, IsEmpty());
  }
  EXPECT_THAT(array_of(1, "1", links("htree", "8 Gb/s")).remarks, IsEmpty());
}

TEST(LinkBandwidth, OfAHalfIsItsLinksOwnToo) {
  auto const halves = [](std::string const& schema, std::string const& bandwidths) {
    return load("accpar-paper-256",
                {"schema=" + schema, "fabric.link.levels=halved",
                 "fabric.link.bandwidth=" + bandwidths, "groups.1.link.bandwidth=256 Gb/s"});
  };
  auto const own = halves("tessera.array/2", "64 Gb/s");
  EXPECT_EQ(own.lane_bandwidth(8, 0), 64 * gigabit);
  EXPECT_EQ(own.lane_bandwidth(1, 255), 256 * gigabit);
  auto const of_root = halves("tessera.array/1", "128 Gb/s");
  EXPECT_EQ(of_root.lane_bandwidth(8, 0), gigabit);
  EXPECT_EQ(of_root.lane_bandwidth(8, 255), 2 * gigabit);
  EXPECT_EQ(of_root.remarks.size(), 2U);
}

TEST(LinkBandwidth, EveryArrayIsWrittenInTheSecondSchemaAndReadBackTheSame) {
  for (int const version : {1, 2}) {
    for (std::string const size : {"1", "2", "12", "16"}) {
      for (auto const& fabric : {links("htree", "24 Gb/s"), links("torus", "24 Gb/s"),
                                 links("htree", "24 Gb/s", ", levels: alike")}) {
        auto const array = array_of(version, size, fabric);
        auto const written = write_config(to_config(array));
        EXPECT_THAT(written, HasSubstr("schema: tessera.array/2\n"));
        auto const again = array_from(read_config_text(written, "written.yaml"));
        EXPECT_EQ(bandwidths(again), bandwidths(array)) << written;
        EXPECT_THAT(again.remarks, IsEmpty());
      }
    }
  }
  auto const mixed = load("accpar-paper-256");
  EXPECT_EQ(bandwidths(array_from(to_config(mixed))), bandwidths(mixed));
}

TEST(LinkBandwidth, ThatIsTheRootsHasARemarkThatSaysHowToWriteALinksOwn) {
  EXPECT_THAT(
      remark_lines(array_of(1, "16", links("htree", "1 Gb/s")).remarks),
      ElementsAre("mine.yaml:8:59: fabric.link.bandwidth: '1 Gb/s' is of an H-tree's links at "
                  "the root (tessera.array/1); an accelerator's own link has 125 Mb/s, which "
                  "tessera.array/2 writes 'bandwidth: 125 Mb/s'"));
  EXPECT_EQ(bandwidths(array_of(2, "16", links("htree", "125 Mb/s"))),
            bandwidths(array_of(1, "16", links("htree", "1 Gb/s"))));
  EXPECT_THAT(remark_lines(array_of(1, "128", links("torus", "83.968 Tb/s")).remarks),
              ElementsAre(HasSubstr("each link of the torus has 656 Gb/s, which tessera.array/2 "
                                    "writes 'bandwidth: 656 Gb/s'")));
  EXPECT_THAT(array_of(2, "16", links("htree", "1 Gb/s")).remarks, IsEmpty());
}

TEST(LinkBandwidth, OfAPresetHasARemarkOnlyWhereTheUserWroteIt) {
  for (auto const& preset : builtin_arrays()) EXPECT_THAT(load(preset.name).remarks, IsEmpty());
  EXPECT_THAT(
      remark_lines(load("hypar-paper", {"fabric.link.bandwidth=8 Gb/s"}).remarks),
      ElementsAre(HasSubstr("--set arch.fabric.link.bandwidth=8 Gb/s: fabric.link.bandwidth: "
                            "'8 Gb/s' is of an H-tree's links at the root")));
}

TEST(LinkBandwidth, ThatARootCannotCountIsRefusedAndTheSuggestionTaken) {
  EXPECT_EQ(
      refusal(2, "4096", links("htree", "5000000 Gb/s")),
      "mine.yaml:8:59: fabric.link.bandwidth: makes links at the root of the H-tree, 2048 times "
      "as wide, of more b/s than can be counted; use 4503599627370495 b/s or less");
  EXPECT_EQ(refusal(2, "4096", links("htree", "4503599627370495 b/s")), "no error");
  EXPECT_EQ(refusal(2, "4096", links("torus", "5000000 Gb/s")), "no error");
  EXPECT_EQ(refusal(1, "16", links("htree", "9223372036854775806 b/s")), "no error");
  EXPECT_THAT(
      refusal(1, "16", links("htree", "9223372036854775806 b/s", ", levels: alike")),
      HasSubstr("does not divide into 8 lanes of a whole number of b/s (16 accelerators); use "
                "9223372036854775800 b/s"));
}

TEST(LinkBandwidth, NeedsToDivideIntoLanesOnlyWhereOneLinkHasSeveral) {
  EXPECT_EQ(refusal(2, "2048", links("htree", "1000000001 b/s")), "no error");
  EXPECT_THAT(refusal(2, "2048", links("htree", "1000000001 b/s", ", levels: alike")),
              HasSubstr("does not divide into 1024 lanes"));
}

TEST(LinkBandwidth, OfAnUnknownSchemaOrUnderAnotherKeyIsRefusedAtItsPlace) {
  auto const of = [](std::string const& schema, std::string const& fabric) {
    return test::error_message([&] { return array_from(file(schema, "16", fabric)).levels(); });
  };
  EXPECT_EQ(of("tessera.array/3", links("htree", "1 Gb/s")),
            "mine.yaml:1:9: schema: is not an array (expected 'tessera.array/2')");
  EXPECT_EQ(
      of("tessera.array/2", links("htree", "1 Gb/s", ", bandwidth_at_root: 8 Gb/s")),
      "mine.yaml:8:82: fabric.link.bandwidth_at_root: unknown key; known: bandwidth, latency, "
      "levels");
  EXPECT_THAT(
      of("tessera.array/2",
         "topology: {kind: mesh, shape: [16], link: {bandwidth: 8 Gb/s, latency: 1 ns}}, link: "
         "{bandwidth: 1 Gb/s, latency: 1 ns}"),
      HasSubstr("mine.yaml:8:109: fabric.link: is for htree and torus"));
}

/// A mesh of 16 with all keys that any switching has.
[[nodiscard]] std::string switched(std::string const& switching, std::string const& router = "",
                                   std::string const& wire = "") {
  return "topology: {kind: mesh, shape: [16], link: {bandwidth: 8 Gb/s, latency: 1 ns" + wire +
         "}}, switching: " + switching +
         ", packet: 64 B, flit: 4 B, router: {pipeline: 1 ns, virtual_channels: 2, "
         "buffer_packets: 4" +
         router + "}";
}

TEST(Switching, OneFileCanBeTriedWithEachByOneKey) {
  EXPECT_FALSE(array_of(2, "16", switched("message")).fabric.packets);
  for (auto const& [name, switching] : switchings()) {
    auto const array = array_of(2, "16", switched(name));
    EXPECT_EQ(array.fabric.packets.value().switching, switching);
  }
  // 64 bytes are 16 flits of 4.
  EXPECT_EQ(array_of(2, "16", switched("wormhole")).fabric.packets->buffer_flits(), 4 * 16);
  auto const flits = array_of(2, "16", switched("wormhole", ", buffer_flits: 8"));
  EXPECT_EQ(flits.fabric.packets->buffer_flits(), 8);
}

TEST(Switching, IsByMessageWithoutPacketsAndByCutThroughWithThem) {
  std::string const mesh =
      "topology: {kind: mesh, shape: [16], link: {bandwidth: 8 Gb/s, latency: 1 ns}}";
  EXPECT_FALSE(array_of(2, "16", mesh).fabric.packets);
  auto const packets = array_of(2, "16",
                                mesh +
                                    ", packet: 64 B, router: {pipeline: 1 ns, "
                                    "virtual_channels: 2, buffer_packets: 4}");
  EXPECT_EQ(packets.fabric.packets.value().switching, Switching::cut_through);
}

TEST(Switching, IsWrittenAndReadBackTheSame) {
  for (auto const& [name, switching] : switchings()) {
    for (std::string const router : {"", ", buffer_flits: 8", ", arbitration: oldest-first"}) {
      auto const array = array_of(2, "16", switched(name, router));
      auto const text = write_config(to_config(array));
      auto const again = array_from(read_config_text(text, "written.yaml"));
      EXPECT_EQ(again.fabric.packets.value().switching, switching);
      if (switching == Switching::wormhole) {
        EXPECT_EQ(again.fabric.packets->buffer_flits(), array.fabric.packets->buffer_flits());
      }
      EXPECT_EQ(again.fabric.packets->router.arbitration, array.fabric.packets->router.arbitration);
      EXPECT_EQ(write_config(to_config(again)), text);
    }
  }
}

TEST(Switching, MistakesAreRefusedWhereTheyStand) {
  EXPECT_THAT(refusal(2, "16", switched("wormhol")), HasSubstr("did you mean 'wormhole'?"));
  EXPECT_THAT(refusal(2, "16", links("htree", "1 Gb/s") + ", switching: wormhole"),
              HasSubstr("fabric.switching: is for a topology map"));
  EXPECT_EQ(refusal(2, "16", links("htree", "1 Gb/s") + ", switching: message"), "no error");
  auto const without_flit = switched("wormhole");
  auto const flit = without_flit.find(", flit: 4 B");
  EXPECT_THAT(refusal(2, "16", std::string{without_flit}.erase(flit, 11)), HasSubstr("flit"));
  EXPECT_THAT(refusal(2, "16", switched("wormhole", ", buffer_flits: 0")),
              HasSubstr("fabric.router.buffer_flits: must be from 1 to 4096"));
  EXPECT_THAT(refusal(2, "16", switched("wormhole", "", ", lanes: 2")),
              HasSubstr("has links of several lanes"));
  auto many = switched("wormhole");
  many.replace(many.find("virtual_channels: 2"), 19, "virtual_channels: 22");
  EXPECT_THAT(refusal(2, "16", many),
              HasSubstr("a router of 3 ports with 22 virtual channels each, but wormhole routers "
                        "have 64 in all; use 21 or fewer, or switching cut-through"));
  auto rates = switched("wormhole");
  std::string const alike = "shape: [16], link: {bandwidth: 8 Gb/s, latency: 1 ns}";
  rates.replace(rates.find(alike), alike.size(),
                "shape: [4, 4], links: [{bandwidth: 8 Gb/s, latency: 1 ns}, {bandwidth: 4 Gb/s, "
                "latency: 1 ns}]");
  EXPECT_THAT(refusal(2, "16", rates), HasSubstr("has links of several bandwidths"));
  auto far = switched("wormhole");
  far.replace(far.find("latency: 1 ns"), 13, "latency: 1 s");
  EXPECT_THAT(refusal(2, "16", far), HasSubstr("cycles of a flit, more than 1048576"));
  auto roomy = switched("wormhole");
  roomy.replace(roomy.find("packet: 64 B"), 12, "packet: 64 MB");
  EXPECT_THAT(refusal(2, "16", roomy), HasSubstr("has room for 64000000 flits"));
}

TEST(Torus, SaysItsNumberingAndWhatGoesHalfWayRound) {
  auto const torus = [](std::string const& shape, std::string const& more) {
    return "topology: {kind: torus, shape: " + shape + more +
           ", link: {bandwidth: 8 Gb/s, latency: 1 ns}}";
  };
  std::string const by_level = ", numbering: by-level";
  EXPECT_EQ(refusal(2, "8", torus("[4, 2]", by_level)), "no error");
  EXPECT_THAT(refusal(2, "8", torus("[2, 4]", by_level)),
              HasSubstr("is not what numbering by-level gives (the levels of 8 are dealt out in "
                        "turn); use [4, 2]"));
  EXPECT_EQ(refusal(2, "12", torus("[6, 2]", by_level)), "no error");
  EXPECT_THAT(refusal(2, "8", torus("[4, 2]", ", half_way: neither")), HasSubstr("half_way"));
  EXPECT_THAT(refusal(2, "8",
                      torus("[4, 2]", ", half_way: both") +
                          ", packet: 64 B, router: {pipeline: 1 ns, virtual_channels: 2, "
                          "buffer_packets: 4}"),
              HasSubstr("half_way: is for whole messages, which are cut in two; let packets choose "
                        "with router.paths: equal-cost"));
  EXPECT_THAT(
      refusal(2, "8",
              "topology: {kind: mesh, shape: [8], half_way: both, link: {bandwidth: 8 Gb/s, "
              "latency: 1 ns}}"),
      HasSubstr("fabric.topology.half_way: unknown key"));
}

}  // namespace
}  // namespace tessera::arch

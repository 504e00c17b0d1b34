// Reading maps: what was not asked for is refused, what is missing is named.
#include <gtest/gtest.h>

#include "arch/base/config.hpp"
#include "test/support/error_message.hpp"

namespace tessera {
namespace {

using test::error_message;

[[nodiscard]] ConfigNode read(std::string_view text) { return read_config_text(text, "a.yaml"); }

/// Reads {bandwidth, latency (optional)} and finishes.
[[nodiscard]] Bandwidth read_link(ConfigNode const& node) {
  auto link = node.as_map();
  auto const bandwidth = link.required<Bandwidth>("bandwidth");
  static_cast<void>(link.optional<Time>("latency", Time{0}));
  link.finish();
  return bandwidth;
}

TEST(ConfigMap, HandsOutWhatIsAskedFor) {
  auto const root = read("{bandwidth: 2 GB/s, latency: 5 ns}");
  EXPECT_EQ(read_link(root), Bandwidth{16'000'000'000});
  auto map = root.as_map();
  EXPECT_EQ(map.optional<Time>("latency", Time{0}), Time{5000});
  EXPECT_EQ(map.optional<Time>("delay", Time{7}), Time{7});
  EXPECT_EQ(map.optional<Time>("delay"), std::nullopt);
}

TEST(ConfigMap, KeysAreFoundInAnyOrderAndAgain) {
  auto const root = read("{a: 0, b: 1, c: 2}");
  auto map = root.as_map();
  for (std::string const key : {"c", "a", "b", "b", "a", "none", "c", "a"}) {
    auto const* const found = map.find(key);
    EXPECT_EQ(found != nullptr, key != "none") << key;
    if (found == nullptr) continue;
    EXPECT_EQ(found->as<std::int64_t>(), key.front() - 'a') << key;
  }
}

TEST(ConfigMap, AnUnknownKeyIsRefusedWithTheNearestOne) {
  auto const root = read("bandwidth: 2 GB/s\nlatancy: 5 ns\n");
  EXPECT_EQ(error_message([&] { return read_link(root); }),
            "a.yaml:2:1: latancy: unknown key; did you mean 'latency'?");
}

TEST(ConfigMap, AnUnknownKeyWithoutANearOneListsTheKnown) {
  auto const root = read("{bandwidth: 2 GB/s, colour: red}");
  EXPECT_EQ(error_message([&] { return read_link(root); }),
            "a.yaml:1:21: colour: unknown key; known: bandwidth, latency");
}

TEST(ConfigMap, AMisspeltRequiredKeyIsReportedWhereItStands) {
  auto const root = read("latency: 5 ns\nbandwith: 2 GB/s\n");
  EXPECT_EQ(error_message([&] { return read_link(root); }),
            "a.yaml:2:1: bandwith: unknown key; did you mean 'bandwidth'?");
}

TEST(ConfigMap, AMissingKeyIsReportedAtItsMap) {
  auto const root = read("a: 1\nlink: {latency: 5 ns}\n");
  EXPECT_EQ(error_message([&] { return read_link(root.as_map().node("link")); }),
            "a.yaml:2:7: link: missing key 'bandwidth'");
}

TEST(ConfigMap, AnErrorOfAValueNamesItsPlaceAndPath) {
  auto const root = read("link:\n  bandwidth: 2\n");
  EXPECT_EQ(error_message([&] { return read_link(root.as_map().node("link")); }).substr(0, 48),
            "a.yaml:2:14: link.bandwidth: '2' has no unit (a ");
}

TEST(ConfigMap, AListOrTextIsNoMap) {
  EXPECT_EQ(error_message([] { return read_link(read("[1]")); }),
            "a.yaml:1:1: expected a map of keys to values, got a list");
  EXPECT_EQ(error_message([] { return read_link(read("fast")); }),
            "a.yaml:1:1: expected a map of keys to values, got 'fast'");
  EXPECT_EQ(error_message([] { return read("{a: 1}").as_list().size(); }),
            "a.yaml:1:1: expected a list, got a map");
}

enum class Colour { red, green };
std::vector<std::pair<std::string, Colour>> const colours = {{"red", Colour::red},
                                                             {"green", Colour::green}};

TEST(ConfigMap, AChoiceIsOneOfItsNames) {
  auto const root = read("{colour: green, other: geren}");
  auto map = root.as_map();
  EXPECT_EQ(map.choice("colour", colours), Colour::green);
  EXPECT_EQ(map.choice("absent", colours, Colour::red), Colour::red);
  EXPECT_EQ(error_message([&] { return map.choice("other", colours); }),
            "a.yaml:1:24: other: unknown other 'geren'; did you mean 'green'? known: red, green");
}

TEST(ConfigNode, WhatStandsForAScalarHasItsKeyPathAndKeepsItsOwnPlace) {
  auto const root = read("a: {b: name}\n");
  auto const whole = root.with_scalars([](std::string const& key, ConfigNode const& scalar) {
    return key == "b" ? read_config_text("c: [x, y]\n", "b.yaml") : scalar;
  });
  auto a = whole.as_map().node("a").as_map();
  auto b = a.node("b").as_map();
  EXPECT_EQ(b.node("c").as_list()[1].error("no").what(), std::string{"b.yaml:1:8: a.b.c.1: no"});
  EXPECT_EQ(b.error("no").what(), std::string{"b.yaml:1:1: a.b: no"});
  auto other = whole.as_map().node("a").as_map();
  EXPECT_EQ(error_message([&] {
              other.finish();
              return 0;
            }),
            "a.yaml:1:5: a.b: unknown key");
}

}  // namespace
}  // namespace tessera

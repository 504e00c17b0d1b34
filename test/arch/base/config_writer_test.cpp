// What the writer writes, the reader reads back.
#include <gtest/gtest.h>

#include <random>

#include "arch/base/config.hpp"

namespace tessera {
namespace {

TEST(ConfigWriter, KeepsShortListsAndMapsOnOneLine) {
  auto link = ConfigNode::map();
  link.add("bandwidth", "2 Gb/s").add("latency", "1 ns");
  auto splits = ConfigNode::list();
  splits.append(ConfigNode::scalar("n")).append(ConfigNode::scalar("-"));
  auto fabric = ConfigNode::map();
  fabric.add("topology", "htree").add("link", std::move(link)).add("splits", std::move(splits));
  auto root = ConfigNode::map();
  root.add("name", "hypar/vgg-a").add("fabric", std::move(fabric)).add("none", ConfigNode::list());
  EXPECT_EQ(write_config(root),
            "name: hypar/vgg-a\n"
            "fabric:\n"
            "  topology: htree\n"
            "  link: {bandwidth: 2 Gb/s, latency: 1 ns}\n"
            "  splits: [n, \"-\"]\n"
            "none: []\n");
}

TEST(ConfigWriter, BreaksListsThatDoNotFitOnALine) {
  auto list = ConfigNode::list();
  for (int item = 0; item < 60; ++item) list.append(ConfigNode::scalar("item"));
  auto root = ConfigNode::map();
  root.add("list", std::move(list));
  EXPECT_EQ(write_config(root).substr(0, 22), "list:\n  - item\n  - ite");
}

TEST(ConfigNode, TheSameKeyTwiceIsABug) {
  auto map = ConfigNode::map();
  map.add("a", "1");
  EXPECT_THROW(map.add("a", "2"), ContractError);
  auto const one = ConfigNode::scalar("1");
  EXPECT_THROW(static_cast<void>(ConfigNode::map({{"a", one}, {"a", one}})), ContractError);
}

TEST(ConfigNode, KnowsItsPathHoweverTheTreeIsBuilt) {
  auto inner = ConfigNode::map();
  inner.add("c", "1");
  auto list = ConfigNode::list();
  list.append(std::move(inner));
  auto root = ConfigNode::map();
  root.add("a", std::move(list));
  EXPECT_EQ(root.as_map().node("a").as_list()[0].as_map().node("c").path(), "a.0.c");
}

/// Random trees of texts that are hard to write.
class TreeMaker {
 public:
  explicit TreeMaker(std::uint64_t seed) : random_{seed} {}

  [[nodiscard]] ConfigNode tree(int depth) {
    auto const kind = depth == 0 ? 0 : below(3);
    if (kind == 0) return ConfigNode::scalar(text());
    auto node = kind == 1 ? ConfigNode::list() : ConfigNode::map();
    for (int count = below(6); count > 0; --count) {
      if (kind == 1) {
        node.append(tree(depth - 1));
      } else {
        node.add(text() + std::to_string(count), tree(depth - 1));
      }
    }
    return node;
  }

 private:
  [[nodiscard]] int below(int limit) {
    return std::uniform_int_distribution<int>{0, limit - 1}(random_);
  }

  [[nodiscard]] std::string text() {
    static std::vector<std::string> const pieces = {
        "a",
        "null",
        "~",
        "",
        " ",
        "-",
        "- ",
        ":",
        ": ",
        "#",
        " #",
        "\"",
        "'",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&x",
        "*x",
        "!t",
        "|",
        ">",
        "%",
        "@",
        "`",
        "\n",
        "\t",
        "?",
        "? ",
        "16",
        "=",
        "---",
        "...",
        "\u00e9\u20ac",
        "\r",
        "\x01",
        "<<",
        "true",
        "2 GB/s",
        "x\n\n",
        "long words and more of them to reach the end of a line "};
    std::string result;
    for (int count = below(5); count > 0; --count) {
      result += pieces[static_cast<std::size_t>(below(static_cast<int>(pieces.size())))];
    }
    return result;
  }

  std::mt19937_64 random_;
};

void expect_equal(ConfigNode const& a, ConfigNode const& b) {
  ASSERT_EQ(a.kind(), b.kind()) << a.path();
  ASSERT_EQ(a.path(), b.path());
  ASSERT_EQ(a.text(), b.text()) << a.path();
  if (a.kind() == ConfigNode::Kind::list) {
    ASSERT_EQ(a.as_list().size(), b.as_list().size()) << a.path();
    for (std::size_t i = 0; i < a.as_list().size(); ++i) {
      expect_equal(a.as_list()[i], b.as_list()[i]);
    }
  }
  if (a.kind() != ConfigNode::Kind::map) return;
  ASSERT_EQ(a.entries().size(), b.entries().size()) << a.path();
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    ASSERT_EQ(a.entries()[i].first, b.entries()[i].first);
    expect_equal(a.entries()[i].second, b.entries()[i].second);
  }
}

TEST(ConfigWriter, ReadingWhatWasWrittenGivesTheSameTree) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    auto const tree = TreeMaker{seed}.tree(4);
    auto const text = write_config(tree);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    expect_equal(tree, read_config_text(text, "written"));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tessera

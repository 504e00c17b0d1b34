#include "workloads/repeated_blocks.hpp"

#include <gtest/gtest.h>

#include "workloads/load.hpp"

namespace tessera::workloads {
namespace {

/// "a 2(bc) d": blocks that repeat with how often.
std::string folded(std::string const& letters) {
  std::vector<std::string> items;
  for (auto const letter : letters) items.emplace_back(1, letter);
  std::string text;
  for (auto const& [begin, length, times] : repeats(items)) {
    auto const block = letters.substr(begin, length);
    text.append(text.empty() ? "" : " ");
    text.append(times == 1 ? block : std::to_string(times) + "(" + block + ")");
  }
  return text;
}

TEST(RepeatedBlocks, CoverAsMuchAsTheyCan) {
  EXPECT_EQ(folded("abcbcd"), "a 2(bc) d");
  EXPECT_EQ(folded("aaaa"), "4(a)");
  EXPECT_EQ(folded("abababc"), "3(ab) c");
  EXPECT_EQ(folded("aabaab"), "2(aab)");
  EXPECT_EQ(folded("abc"), "a b c");
  EXPECT_EQ(folded(""), "");
}

TEST(RepeatedBlocks, OfTransformersAreTheirLayers) {
  for (auto const& [name, layers, first] :
       {std::tuple{"gpt-355m", 24, "layer1/norm1"}, std::tuple{"bert-3.8b", 32, "layer1/query"}}) {
    auto const network = load(name);
    std::vector<std::string> keys;
    for (auto const& op : network.operators()) keys.push_back(block_key(op));
    auto largest = Repeat{};
    for (auto const& repeat : repeats(keys)) {
      if (repeat.times > largest.times) largest = repeat;
    }
    EXPECT_EQ(largest.times, static_cast<std::size_t>(layers)) << name;
    EXPECT_EQ(network.at(OperatorId{largest.begin}).name, first);
  }
}

TEST(RepeatedBlocks, NamesDifferInNumbersOnly) {
  EXPECT_EQ(name_pattern("layer12/norm1"), "layer#/norm#");
  EXPECT_EQ(name_pattern("encoder/backward"), "encoder/backward");
}

}  // namespace
}  // namespace tessera::workloads

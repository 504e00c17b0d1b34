// What `show --resolved` says of where values are from.
#include "sim/app/show_resolved.hpp"

#include <gtest/gtest.h>

#include "sim/app/svg.hpp"

namespace tessera::sim {
namespace {

/// Without the spaces in front of comments.
std::string squeezed(std::string const& text) {
  std::string result;
  for (char const letter : text) {
    if (letter == ' ' && !result.empty() && result.back() == ' ') continue;
    result += letter;
  }
  return result;
}

TEST(ShowResolved, ValuesHaveTheLineThatTheyStandOnAndOthersAreDefaults) {
  auto const written =
      read_config_text("link: {bandwidth: 1000 Mb/s}\ntopology: torus\n", "a.yaml");
  auto const resolved = read_config_text(
      "link: {bandwidth: 1 Gb/s, latency: 4 ns}\ntopology: {kind: torus}\nsizes: [1, 2]\n", "b");
  EXPECT_EQ(squeezed(with_sources(resolved, written)),
            "link:\n"
            " bandwidth: 1 Gb/s # a.yaml:1, there '1000 Mb/s'\n"
            " latency: 4 ns # default\n"
            "topology:\n"
            " kind: torus # a.yaml:2\n"  // a word of the file stands for all below it
            "sizes: [1, 2] # default\n");
}

TEST(ShowResolved, WhatWasSetSaysSo) {
  auto written = read_config_text("items: [{a: 1, b: 2}]\n", "a.yaml");
  written.override_key("items.0.b", "3", "--set arch.items.0.b=3");
  EXPECT_EQ(squeezed(with_sources(written, written)),
            "items:\n - a: 1 # a.yaml:1\n b: 3 # --set arch.items.0.b=3\n");
}

TEST(ShowDrawing, NamesAreTextAndNoMarkup) {
  Drawing drawing;
  drawing.title = "a<b>&c";
  drawing.nodes.push_back({"<n>", "", 0, 0, false});
  auto const text = svg_of(drawing);
  EXPECT_NE(text.find("<title>a&lt;b&gt;&amp;c</title>"), std::string::npos);
  EXPECT_NE(text.find(">&lt;n&gt;</text>"), std::string::npos);
}

}  // namespace
}  // namespace tessera::sim

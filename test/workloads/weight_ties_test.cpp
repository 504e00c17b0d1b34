#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string const embedding =
    "{name: words, kind: embedding, input: ids, entries: 100, outputs: 8}";

/// Reads ids; the first operator is at net.yaml:7:5.
std::string text_with(std::vector<std::string> const& operators) {
  test::NetworkText text;
  text.input = "{name: ids, positions: 4}";
  return text.with(operators);
}

std::string tie_error(std::vector<std::string> const& operators) {
  return test::error_of(text_with(operators));
}

/// The kinds' own names of a weight's axes.
std::vector<Dim> axes_of(Network const& network, std::string const& op) {
  std::vector<Dim> dims;
  for (auto const& axis : network.at(network.find(op)).weight->axes) dims.push_back(axis.dim);
  return dims;
}

TEST(WeightTies, OutputHasTheTableOfWordsAsItsWeights) {
  auto const network = test::network_of(
      text_with({embedding, "{name: a, kind: linear, input: words, outputs: 8}",
                 "{name: output, kind: linear, input: a, outputs: 100, tied_to: words}"}));
  auto const& words = network.at(network.find("words"));
  auto const& output = network.at(network.find("output"));
  EXPECT_EQ(words.weight->tensor, output.weight->tensor);
  EXPECT_THAT(network.at(words.weight->tensor).consumers,
              ElementsAre(network.find("words"), network.find("output")));
  EXPECT_EQ(network.weights(), Elements{100 * 8 + 8 * 8});
  EXPECT_THAT(axes_of(network, "words"), ElementsAre(Dim::c, Dim::k));   // entries, outputs
  EXPECT_THAT(axes_of(network, "output"), ElementsAre(Dim::k, Dim::c));  // outputs, inputs
}

TEST(WeightTies, ALinearOperatorThatGoesBackHasTheTranspose) {
  auto const network = test::network_of(
      text_with({embedding, "{name: down, kind: linear, input: words, outputs: 2, tied_to: up}",
                 "{name: up, kind: linear, input: down, outputs: 8}"}));
  EXPECT_EQ(network.weights(), Elements{100 * 8 + 8 * 2});
  EXPECT_THAT(axes_of(network, "down"), ElementsAre(Dim::k, Dim::c));
  EXPECT_THAT(axes_of(network, "up"), ElementsAre(Dim::c, Dim::k));
}

TEST(WeightTies, LayersOfARangeAndOfABlockMayShareThem) {
  auto const network = test::network_of(
      "schema: tessera.network/1\nname: test\nbatch: 4\nelement: fp32\n"
      "input: {name: x, features: 8}\n"
      "blocks:\n"
      "  twice:\n"
      "    - {name: a, kind: linear, input: $input, outputs: 8}\n"
      "    - {name: b, kind: linear, input: a, outputs: 8, tied_to: a}\n"
      "    - {name: c, kind: linear, input: b, outputs: 8, tied_to: $outer}\n"
      "operators:\n"
      "  - {name: first, kind: linear, input: x, outputs: 8}\n"
      "  - {name: more1..3, kind: linear, input: first, outputs: 8, tied_to: first}\n"
      "  - {name: both1..2, block: twice, input: more3, outer: first}\n");
  EXPECT_EQ(network.weights(), Elements{3 * 8 * 8});  // first, both1/a, both2/a
}

TEST(WeightTies, SourceTextMakesTheSameNetwork) {
  auto const network = test::network_of(text_with(
      {embedding, "{name: output, kind: linear, input: words, outputs: 100, tied_to: words}"}));
  EXPECT_EQ(with_batch(network, 16).weights(), network.weights());
}

TEST(WeightTies, AnUnknownOperatorIsAnErrorWithTheNearestName) {
  EXPECT_THAT(
      tie_error(
          {embedding, "{name: output, kind: linear, input: words, outputs: 100, tied_to: wrods}"}),
      testing::AllOf(HasSubstr("net.yaml:8:"), HasSubstr("tied_to: unknown operator 'wrods'"),
                     HasSubstr("words")));
  EXPECT_THAT(tie_error({embedding,
                         "{name: output, kind: linear, input: words, outputs: 100, tied_to: ids}"}),
              HasSubstr("unknown operator 'ids'"));
}

TEST(WeightTies, WhatHasNoWeightsCannotShareThem) {
  EXPECT_THAT(tie_error({embedding, "{name: norm, kind: layer_norm, input: words}",
                         "{name: output, kind: linear, input: norm, outputs: 100, tied_to: norm}"}),
              HasSubstr("operator 'norm' has no weights to share"));
  EXPECT_THAT(tie_error({embedding, "{name: norm, kind: softmax, input: words, tied_to: words}"}),
              testing::AllOf(HasSubstr("net.yaml:8:"),
                             HasSubstr("operator 'norm' has no weights to share")));
}

TEST(WeightTies, OtherShapesAreAnErrorAtTheTieWhicheverComesFirst) {
  auto const* const output =
      "{name: output, kind: linear, input: words, outputs: 101, tied_to: words}";
  EXPECT_THAT(tie_error({embedding, output}),
              testing::AllOf(HasSubstr("net.yaml:8:"), HasSubstr("tied_to: "),
                             HasSubstr("'output' has weights [101, 8] and 'words' [100, 8]"),
                             HasSubstr("leave tied_to out")));
  EXPECT_THAT(tie_error({"{name: words, kind: embedding, input: ids, entries: 100, outputs: 8, "
                         "tied_to: output}",
                         "{name: output, kind: linear, input: words, outputs: 101}"}),
              testing::AllOf(HasSubstr("net.yaml:7:"), HasSubstr("'output' has weights [101, 8]")));
}

TEST(WeightTies, AnOperatorTiedToItselfAChainAndACircleAreErrorsThatSayWhatToWrite) {
  auto const a = [](std::string const& tie) {
    return "{name: a, kind: linear, input: words, outputs: 8" + tie + "}";
  };
  auto const b = [](std::string const& tie) {
    return "{name: b, kind: linear, input: a, outputs: 8" + tie + "}";
  };
  EXPECT_THAT(tie_error({embedding, a(", tied_to: a")}), HasSubstr("'a' is tied to itself"));
  EXPECT_THAT(tie_error({embedding, a(", tied_to: b"), b(", tied_to: a")}),
              testing::AllOf(HasSubstr("'b' is tied to 'a' itself"),
                             HasSubstr("leave one of the two tied_to out")));
  EXPECT_THAT(tie_error({embedding, a(""), b(", tied_to: a"),
                         "{name: c, kind: linear, input: b, outputs: 8, tied_to: b}"}),
              testing::AllOf(HasSubstr("net.yaml:10:"), HasSubstr("write tied_to: a")));
}

TEST(WeightTies, AListOrAMapIsNoName) {
  EXPECT_THAT(
      tie_error({embedding,
                 "{name: output, kind: linear, input: words, outputs: 100, tied_to: [words]}"}),
      HasSubstr("tied_to"));
}

TEST(WeightTies, ABlockTiesItsOwnOperatorsOnly) {
  auto const error = test::error_of(
      "schema: tessera.network/1\nname: test\nbatch: 4\nelement: fp32\n"
      "input: {name: x, features: 8}\n"
      "blocks:\n"
      "  one:\n"
      "    - {name: a, kind: linear, input: $input, outputs: 8, tied_to: first}\n"
      "operators:\n"
      "  - {name: first, kind: linear, input: x, outputs: 8}\n"
      "  - {name: both1..2, block: one, input: first}\n");
  EXPECT_THAT(error, HasSubstr("unknown operator of the block 'first'"));
}

}  // namespace
}  // namespace tessera::workloads

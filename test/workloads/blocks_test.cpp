// Blocks and ranges: what a network repeats, written once. Blocks come behind the operators here, which begin in line 7.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"

namespace tessera::workloads {
namespace {

using test::error_of;
using test::network_of;
using test::NetworkText;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string const residual =
    "blocks:\n"
    "  residual:\n"
    "    - {name: a, kind: conv, input: $input, filters: $width, kernel: 3, padding: 1}\n"
    "    - {name: b, kind: conv, input: a, filters: 3, kernel: $kernel}\n"
    "    - {name: sum, kind: add, inputs: [b, $input]}\n";

NetworkText with_blocks(std::string const& blocks) {
  NetworkText text;
  text.more = blocks;
  return text;
}

std::string error_with(std::string const& blocks, std::vector<std::string> const& operators) {
  return error_of(with_blocks(blocks).with(operators));
}

std::string use(std::string const& keys) { return "{name: one, block: residual, " + keys + "}"; }

/// "sum <- b x" per operator
std::vector<std::string> wiring(Network const& network) {
  std::vector<std::string> lines;
  for (auto const& op : network.operators()) {
    auto line = op.name + " <-";
    for (auto const& input : op.inputs) line += " " + network.at(input.tensor).name;
    lines.push_back(line);
  }
  return lines;
}

TEST(Block, IsItsOperatorsWithParametersFilledInAndNamesBelowItsOwn) {
  auto const network = network_of(
      with_blocks(residual).with({use("input: x, width: 5, kernel: 1"),
                                  "{name: end, kind: conv, input: one, filters: 1, kernel: 1}"}));
  EXPECT_THAT(wiring(network),
              ElementsAre("one/a <- x", "one/b <- one/a", "one <- one/b x", "end <- one"));
  EXPECT_EQ(network.at(network.find("one/a")).extents[Dim::k], 5);
}

TEST(Block, WithARangeOfNamesIsAChain) {
  auto const network = network_of(with_blocks(residual).with(
      {"{name: stage2_2..4, block: residual, input: x, width: 5, kernel: 1}"}));
  EXPECT_EQ(network.operators().size(), 9U);
  auto const lines = wiring(network);
  EXPECT_EQ(lines[2], "stage2_2 <- stage2_2/b x");
  EXPECT_EQ(lines[3], "stage2_3/a <- stage2_2");
  EXPECT_EQ(lines[8], "stage2_4 <- stage2_4/b stage2_3");
}

TEST(Range, RepeatsAnOperatorThatIsWrittenOut) {
  auto const network = network_of(
      NetworkText{}.with({"{name: conv1..3, kind: conv, input: x, filters: 5, kernel: 1}",
                          "{name: end, kind: conv, input: conv3, filters: 1, kernel: 1}"}));
  EXPECT_THAT(wiring(network),
              ElementsAre("conv1 <- x", "conv2 <- conv1", "conv3 <- conv2", "end <- conv3"));
}

TEST(Range, OfInputsIsAllOfItsNames) {
  auto const text =
      NetworkText{}.with({"{name: a1..3, kind: conv, input: x, filters: 3, kernel: 1}",
                          "{name: sum, kind: add, inputs: [x, a1..3]}"});
  EXPECT_EQ(wiring(network_of(text)).back(), "sum <- x a1 a2 a3");
}

TEST(RangeError, OfInputsIsBlamedWhereItStands) {
  auto const text =
      NetworkText{}.with({"{name: a1..3, kind: conv, input: x, filters: 3, kernel: 1}",
                          "{name: sum, kind: add, inputs: [x, a3..1]}"});
  EXPECT_THAT(error_of(text),
              AllOf(StartsWith("net.yaml:8:"), HasSubstr("a range of names ascends")));
}

TEST(Block, IsWrittenBackAsItWasWritten) {
  auto const text = with_blocks(residual).with({use("input: x, width: 5, kernel: 1")});
  auto const network = network_of(text);
  auto const again = network_of(network.source_text());
  EXPECT_THAT(network.source_text(), HasSubstr("$width"));
  EXPECT_EQ(wiring(again), wiring(network));
}

TEST(BlockError, BlamesTheUseForItsArguments) {
  EXPECT_THAT(error_with(residual, {use("input: x, width: 0, kernel: 1")}),
              AllOf(StartsWith("net.yaml:7:51: "), HasSubstr("must be at least 1, not 0")));
  EXPECT_THAT(error_with(residual, {use("input: x, kernel: 1")}),
              AllOf(StartsWith("net.yaml:7:5: operators.0: missing key 'width'")));
  EXPECT_THAT(error_with(residual, {use("input: x, width: 5, kernel: 1, stride: 2")}),
              AllOf(StartsWith("net.yaml:7:65: operators.0.stride: unknown key")));
  EXPECT_THAT(error_with(residual, {use("input: y, width: 5, kernel: 1")}),
              AllOf(StartsWith("net.yaml:7:41: "), HasSubstr("unknown tensor 'y'")));
}

TEST(BlockError, BlamesTheBlockForItsOperatorsAndNamesTheUse) {
  EXPECT_THAT(
      error_with(residual, {use("input: x, width: 5, kernel: 11")}),
      AllOf(StartsWith("net.yaml:11:7: blocks.residual.1: the kernel of 11 rows does not fit"),
            HasSubstr("; in 'one'")));
  EXPECT_THAT(error_with("blocks:\n  b:\n    - {name: a, kind: cnov, input: $input}\n",
                         {"{name: one, block: b, input: x}"}),
              AllOf(StartsWith("net.yaml:10:23: "), HasSubstr("did you mean 'conv'?")));
}

TEST(BlockError, KnowsWhatABlockMayRead) {
  auto const block =
      "blocks:\n  b:\n    - {name: first, kind: conv, input: $input, filters: 3, kernel: 1}\n"
      "    - {name: c, kind: conv, input: frist, filters: 3, kernel: 1}\n";
  EXPECT_THAT(error_with(block, {"{name: one, block: b, input: x}"}),
              AllOf(StartsWith("net.yaml:11:36: "),
                    HasSubstr("unknown tensor of the block 'frist'; did you mean 'first'?")));
}

TEST(BlockError, SuggestsTheNearestBlock) {
  EXPECT_THAT(error_with(residual, {"{name: one, block: residul, input: x}"}),
              AllOf(StartsWith("net.yaml:7:24: "), HasSubstr("did you mean 'residual'?")));
  EXPECT_THAT(error_with("", {"{name: one, block: residual, input: x}"}),
              HasSubstr("unknown block 'residual'"));
}

TEST(BlockError, KnowsBlocksThatAreUnusedEmptyOrNested) {
  auto const plain = "{name: a, kind: conv, input: x, filters: 5, kernel: 1}";
  EXPECT_THAT(error_with(residual, {plain}),
              AllOf(StartsWith("net.yaml:10:5: blocks.residual: no operator uses the block")));
  EXPECT_THAT(error_with("blocks:\n  b: []\n", {plain}), HasSubstr("at least one operator"));
  EXPECT_THAT(error_with("blocks:\n  b:\n    - {name: a, block: b, input: $input}\n", {plain}),
              HasSubstr("a block cannot hold another block"));
}

TEST(RangeError, KnowsRangesThatAreNone) {
  auto const error = [](std::string const& name) {
    return error_of(
        NetworkText{}.with({"{name: " + name + ", kind: conv, input: x, filters: 5, kernel: 1}"}));
  };
  EXPECT_THAT(error("conv3..1"),
              HasSubstr("net.yaml:7:12: operators.0.name: a range of names ascends"));
  EXPECT_THAT(error("conv1..1"), HasSubstr("(1 to 1 does not)"));
  EXPECT_THAT(error("conv1..100001"), HasSubstr("makes more than 100000 operators"));
  EXPECT_THAT(error("conv..3"), HasSubstr("is no range of names"));
  EXPECT_THAT(error("conv1..x"), HasSubstr("is no range of names"));
  EXPECT_THAT(error("..3"), HasSubstr("is no range of names"));
  EXPECT_THAT(error("conv1..99999999999999999999"), HasSubstr("is no range of names"));
  EXPECT_THAT(error_of(NetworkText{}.with({"{name: s1..2, kind: add, inputs: [x, y]}"})),
              HasSubstr("only an operator with one input can be repeated"));
}

}  // namespace
}  // namespace tessera::workloads

// SCALE-Sim's topology files: both formats, and what is wrong with a file.
#include "sim/import/topology_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/error_message.hpp"

namespace tessera::sim {
namespace {

using test::error_message;
using testing::ElementsAre;
using testing::HasSubstr;
using workloads::Phase;

std::string const conv_header =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
    "Strides,\n";

std::string problem_of(std::string const& text) {
  return error_message([&] { return topology_from(text, "net.csv"); });
}

Gemm product_of(std::string const& text) {
  return gemms_of(topology_from(text, "net.csv").front().shape, Phase::forward).front();
}

TEST(TopologyFile, AConvolutionIsAProductOfPositionsFiltersAndWindow) {
  // (224 - 7) / 2 + 1 = 109.5: the last window hangs over the edge, so 110.
  EXPECT_EQ(product_of(conv_header + "Conv1, 224, 224, 7, 7, 3, 64, 2,\n"),
            (Gemm{1, 110 * 110, 64, 3 * 7 * 7}));
  // 26 x 24 windows of 3 x 5.
  EXPECT_EQ(product_of(conv_header + "Conv2, 28, 28, 3, 5, 16, 32, 1,\n"),
            (Gemm{1, 26 * 24, 32, 16 * 3 * 5}));
}

TEST(TopologyFile, AProductIsALineOfMNK) {
  auto const layers =
      topology_from("Layer, M, N, K,\nfc1, 256, 128, 1024,\nfc2,1,2,3\n", "net.csv");
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].name, "fc1");
  EXPECT_THAT(gemms_of(layers[0].shape, Phase::forward), ElementsAre(Gemm{1, 256, 128, 1024}));
  EXPECT_THAT(gemms_of(layers[1].shape, Phase::forward), ElementsAre(Gemm{1, 1, 2, 3}));
}

TEST(TopologyFile, ColumnsMayStandInAnyOrderAndCase) {
  EXPECT_EQ(product_of("k,N,layer name,m\n3,2,fc,1\n"), (Gemm{1, 1, 2, 3}));
}

TEST(TopologyFile, StridesMayDifferByDirection) {
  auto const text =
      "Layer, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Stride "
      "Height, Stride Width\nconv, 9, 9, 1, 1, 1, 1, 2, 4\n";
  EXPECT_EQ(product_of(text), (Gemm{1, 5 * 3, 1, 1}));
}

TEST(TopologyFile, WhatIsWrongWithAColumnIsSaidAtTheColumn) {
  EXPECT_THAT(problem_of("Layer, M, N, KK\nfc, 1, 2, 3\n"),
              HasSubstr("net.csv:1:14: unknown column 'KK'"));
  EXPECT_THAT(
      problem_of("Layer name, IFMAP Hieght\n"),
      HasSubstr("net.csv:1:13: unknown column 'IFMAP Hieght'; did you mean 'IFMAP Height'?"));
  EXPECT_THAT(problem_of("Layer, M, N, M\n"), HasSubstr("net.csv:1:14: a second column 'M'"));
  EXPECT_THAT(problem_of("Layer, M, N\n"), HasSubstr("net.csv:1:1: no column 'K'"));
  EXPECT_THAT(problem_of("Layer, M, N, K, Channels\n"),
              HasSubstr("net.csv:1:1: a column 'Channels' beside 'K'"));
  EXPECT_THAT(problem_of("conv1, 224, 224, 7, 7, 3, 64, 2,\n"),
              HasSubstr("net.csv:1:1: unknown column 'conv1'"));
}

TEST(TopologyFile, WhatIsWrongWithALayerIsSaidAtItsCell) {
  auto const gemm = [](std::string const& line) { return problem_of("Layer, M, N, K\n" + line); };
  EXPECT_THAT(gemm("fc, 1, two, 3\n"), HasSubstr("net.csv:2:8: 'two' is not a whole number"));
  EXPECT_THAT(gemm("fc, 1, 0, 3\n"), HasSubstr("net.csv:2:8: N must be from 1 to 1000000000"));
  EXPECT_THAT(gemm("fc, 1, -2, 3\n"), HasSubstr("net.csv:2:8: N must be from 1"));
  EXPECT_THAT(gemm("fc, 1, 2\n"), HasSubstr("net.csv:2:8: 3 cells (there are 4 columns)"));
  EXPECT_THAT(gemm("fc, 1, 2, 3, 4\n"), HasSubstr("5 cells (there are 4 columns)"));
  EXPECT_THAT(gemm(", 1, 2, 3\n"), HasSubstr("net.csv:2:1: a layer without a name"));
  EXPECT_THAT(problem_of(conv_header + "c, 5, 5, 7, 7, 1, 1, 1,\n"),
              HasSubstr("net.csv:2:4: the filter (7) is larger than the input"));
}

TEST(TopologyFile, WhatCannotBeCountedIsTooLarge) {
  auto const gemm = [](std::string const& line) { return problem_of("Layer, M, N, K\n" + line); };
  EXPECT_EQ(gemm("fc, 1000000000, 1000000, 1\n"), "no error");  // 10^15 MACs
  EXPECT_THAT(gemm("fc, 1000000000, 1000001, 1\n"), HasSubstr("'fc' is too large"));
  EXPECT_THAT(gemm("fc, 1000000000, 1000000000, 1000000000\n"), HasSubstr("too large"));
  // Hardly a product, but 10^27 inputs.
  EXPECT_THAT(
      problem_of(conv_header + "c, 1000000000, 1000000000, 1, 1, 1000000000, 1, 1000000000,\n"),
      HasSubstr("too large"));
}

TEST(TopologyFile, AFileWithoutLayersIsRefused) {
  EXPECT_THAT(problem_of(""), HasSubstr("net.csv: is empty"));
  EXPECT_THAT(problem_of("Layer, M, N, K\n"), HasSubstr("has no layer"));
}

}  // namespace
}  // namespace tessera::sim

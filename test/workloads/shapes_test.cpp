#include "workloads/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"

namespace tessera::workloads {
namespace {

using test::error_of;
using test::network_of;
using test::NetworkText;
using testing::ElementsAre;
using testing::HasSubstr;

/// The shape that `op`, named a, makes of `rows` x 8 images with 3 channels, 4 of them.
Shape shape_from_rows(int rows, std::string const& op) {
  auto const input = "{name: x, channels: 3, rows: " + std::to_string(rows) + ", columns: 8}";
  auto const network = network_of(NetworkText{input}.with({op}));
  return network.at(network.at(network.find("a")).output.tensor).extents;
}

std::string conv(std::string const& keys) {
  return "{name: a, kind: conv, input: x, filters: 5, " + keys + "}";
}

TEST(ConvShape, RoundsAStrideDown) {
  EXPECT_THAT(shape_from_rows(7, conv("kernel: 3, stride: 2")), ElementsAre(4, 5, 3, 3));
  EXPECT_THAT(shape_from_rows(8, conv("kernel: 3, stride: 2")), ElementsAre(4, 5, 3, 3));
  EXPECT_THAT(shape_from_rows(9, conv("kernel: 3, stride: 2")), ElementsAre(4, 5, 4, 3));
}

TEST(ConvShape, ShrinksToOneRowAndNoFurther) {
  EXPECT_THAT(shape_from_rows(3, conv("kernel: 3")), ElementsAre(4, 5, 1, 6));
  auto const too_small =
      NetworkText{"{name: x, channels: 3, rows: 2, columns: 8}"}.with({conv("kernel: 3")});
  EXPECT_THAT(error_of(too_small), HasSubstr("net.yaml:7:5: operators.0: the kernel of 3 rows does "
                                             "not fit (the map has 2, with padding 2)"));
}

TEST(ConvShape, CountsPaddingOnBothSides) {
  EXPECT_THAT(shape_from_rows(2, conv("kernel: 4, padding: [1, 0]")), ElementsAre(4, 5, 1, 5));
  auto const too_wide = NetworkText{}.with({conv("kernel: [3, 11], padding: 1")});
  EXPECT_THAT(error_of(too_wide), HasSubstr("the kernel of 11 columns does not fit (the map has 8, "
                                            "with padding 10)"));
}

TEST(PoolShape, IsAsLargeAsItsStrideWhenOneNumberIsGiven) {
  EXPECT_THAT(shape_from_rows(9, conv("kernel: 1, pool: 2")), ElementsAre(4, 5, 4, 4));
  EXPECT_THAT(shape_from_rows(9, conv("kernel: 1, pool: [3, 2]")), ElementsAre(4, 5, 3, 4));
  EXPECT_THAT(shape_from_rows(9, conv("kernel: 1, pool: {size: 3}")), ElementsAre(4, 5, 3, 2));
}

TEST(PoolShape, RoundsDownUnlessToldOtherwise) {
  // 3x3 windows of stride 2 in 8 rows: (8 - 3) / 2 = 2.5, plus one.
  EXPECT_THAT(shape_from_rows(8, conv("kernel: 1, pool: {size: 3, stride: 2}")),
              ElementsAre(4, 5, 3, 3));
  EXPECT_THAT(shape_from_rows(8, conv("kernel: 1, pool: {size: 3, stride: 2, rounding: down}")),
              ElementsAre(4, 5, 3, 3));
  EXPECT_THAT(shape_from_rows(8, conv("kernel: 1, pool: {size: 3, stride: 2, rounding: up}")),
              ElementsAre(4, 5, 4, 4));
  EXPECT_THAT(shape_from_rows(9, conv("kernel: 1, pool: {size: 3, stride: 2, rounding: up}")),
              ElementsAre(4, 5, 4, 4));
}

TEST(PoolShape, RoundedUpHasNoWindowThatBeginsBehindTheMap) {
  // Windows of 2 with stride 3 over 8 + 1 rows begin at -1, 2, 5 and 8; row 8 is padding.
  EXPECT_THAT(
      shape_from_rows(8, conv("kernel: 1, pool: {size: 2, stride: 3, padding: 1, rounding: up}")),
      ElementsAre(4, 5, 3, 3));
  // Over 9 rows the window at 8 holds a row.
  EXPECT_THAT(
      shape_from_rows(9, conv("kernel: 1, pool: {size: 2, stride: 3, padding: 1, rounding: up}")),
      ElementsAre(4, 5, 4, 3));
}

TEST(PoolShape, LeavesAtLeastOneRow) {
  EXPECT_THAT(shape_from_rows(4, conv("kernel: 3, pool: 2")), ElementsAre(4, 5, 1, 3));
  auto const nothing =
      NetworkText{"{name: x, channels: 3, rows: 3, columns: 8}"}.with({conv("kernel: 3, pool: 2")});
  EXPECT_THAT(error_of(nothing),
              HasSubstr("net.yaml:7:5: operators.0: the pooling window of 2 rows does not fit (the "
                        "map has 1, with padding 1)"));
}

TEST(Flattening, MakesOneAxisOfChannelsRowsAndColumnsForEveryReader) {
  auto const network = network_of(
      NetworkText{}.with({conv("kernel: 3"), "{name: b, kind: linear, input: a, outputs: 2}",
                          "{name: c, kind: linear, input: a, outputs: 3}"}));
  auto const& producer = network.at(network.find("a"));
  auto const& tensor = network.at(producer.output.tensor);
  EXPECT_THAT(tensor.extents, ElementsAre(4, 5 * 6 * 6));
  ASSERT_EQ(producer.output.axes.size(), 2U);
  auto const& channels = producer.output.axes[1];
  EXPECT_EQ(channels.dim, Dim::k);
  EXPECT_EQ(channels.step, 6 * 6);
  EXPECT_EQ(channels.window, 6 * 6);
  EXPECT_TRUE(producer.can_split(Dim::k));
  EXPECT_THAT(tensor.consumers, ElementsAre(network.find("b"), network.find("c")));
  EXPECT_EQ(network.at(network.find("c")).extents[Dim::c], 5 * 6 * 6);
}

TEST(Flattening, HoldsForTheInputAndForSumsToo) {
  auto const network = network_of(NetworkText{}.with(
      {conv("kernel: 1"), "{name: b, kind: conv, input: a, filters: 5, kernel: 1}",
       "{name: sum, kind: add, inputs: [a, b]}",
       "{name: fc, kind: linear, input: sum, outputs: 2}"}));
  auto const& sum = network.at(network.find("sum"));
  EXPECT_THAT(network.at(sum.output.tensor).extents, ElementsAre(4, 5 * 8 * 8));
  EXPECT_THAT(sum.splittable_dims(), ElementsAre(Dim::n, Dim::k));

  auto const direct =
      network_of(NetworkText{}.with({"{name: fc, kind: linear, input: x, outputs: 2}"}));
  EXPECT_EQ(direct.at(direct.find("fc")).extents[Dim::c], 3 * 8 * 8);
}

TEST(Flattening, IsAnErrorWhenAReaderIsNotLinear) {
  auto const text =
      NetworkText{}.with({"{name: b, kind: conv, input: a, filters: 5, kernel: 1}",
                          "{name: c, kind: linear, input: a, outputs: 2}", conv("kernel: 1")});
  EXPECT_THAT(
      error_of(text),
      HasSubstr("net.yaml:7:34: operators.0.input: 'a' is flattened for a linear operator"));
}

TEST(Conv, NeedsAFeatureMap) {
  auto const text = NetworkText{"{name: x, features: 9}"}.with({conv("kernel: 1")});
  EXPECT_THAT(
      error_of(text),
      HasSubstr("net.yaml:7:5: operators.0: a convolution needs a feature map ('x' is [4, 9]"));
}

TEST(Add, NeedsInputsOfOneShape) {
  auto const text =
      NetworkText{}.with({conv("kernel: 1"), "{name: sum, kind: add, inputs: [x, a]}"});
  EXPECT_THAT(error_of(text), HasSubstr("operators.1.inputs.1: only tensors of one shape can be "
                                        "added ('x' is [4, 3, 8, 8], 'a' is [4, 5, 8, 8])"));
}

TEST(BoundedProduct, StopsAtItsLimitAndNeverOverflows) {
  EXPECT_EQ(bounded_product({}, 7), 1);
  EXPECT_EQ(bounded_product({2, 3}, 6), 6);
  EXPECT_EQ(bounded_product({2, 3}, 5), std::nullopt);
  EXPECT_EQ(bounded_product({INT64_MAX, INT64_MAX, INT64_MAX}, INT64_MAX), std::nullopt);
  EXPECT_EQ(bounded_product({1}, 0), std::nullopt);
}

}  // namespace
}  // namespace tessera::workloads

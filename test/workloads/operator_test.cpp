#include "workloads/operator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"

namespace tessera::workloads {
namespace {

using test::network_of;
using test::NetworkText;
using testing::ElementsAre;

Operator only_operator(std::string const& op, NetworkText const& file = {}) {
  return network_of(file.with({op})).at(OperatorId{0});
}

/// Where index `i` of `axis` begins and ends, unclipped.
std::pair<std::int64_t, std::int64_t> touched(AxisAccess const& axis, std::int64_t i) {
  auto const begin = i * axis.step - axis.before;
  return {begin, begin + axis.window};
}

TEST(Conv, HasTheLoopsOfItsOwnMapAndNotOfThePooledOne) {
  // (8 + 2 * 1 - 3) / 1 + 1 = 8 rows, of which the pool leaves 4.
  auto const op =
      only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 3, padding: 1, pool: 2}");
  EXPECT_EQ(op.kind, OperatorKind::conv);
  EXPECT_EQ(op.extents[Dim::n], 4);
  EXPECT_EQ(op.extents[Dim::k], 5);
  EXPECT_EQ(op.extents[Dim::c], 3);
  EXPECT_EQ(op.extents[Dim::h], 8);
  EXPECT_EQ(op.extents[Dim::w], 8);
  EXPECT_EQ(op.extents[Dim::r], 3);
  EXPECT_EQ(op.extents[Dim::s], 3);
}

TEST(Conv, CountsOneMacPerTurnOfAllLoops) {
  auto const op = only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: [3, 2]}",
                                {"{name: x, channels: 3, rows: 8, columns: 7}", "4", "fp32",
                                 "training: {input_error: computed}\n"});
  Macs const all{4 * 5 * 3 * 6 * 6 * 3 * 2};  // n k c h w r s
  EXPECT_EQ(op.macs(Phase::forward), all);
  EXPECT_EQ(op.macs(Phase::backward_data), all);
  EXPECT_EQ(op.macs(Phase::backward_weight), all);
  EXPECT_EQ(op.macs(Phase::update), Macs{5 * 3 * 3 * 2});
  EXPECT_EQ(op.input_rows, 8);
  EXPECT_EQ(op.input_columns, 7);
}

TEST(Conv, ReadsTheWindowThatStrideKernelAndPaddingSay) {
  auto const op = only_operator(
      "{name: a, kind: conv, input: x, filters: 5, kernel: [3, 5], stride: [2, 1], padding: [1, "
      "2]}");
  auto const& rows = op.inputs.at(0).axes.at(2);
  auto const& columns = op.inputs.at(0).axes.at(3);
  EXPECT_EQ(touched(rows, 0), std::pair(std::int64_t{-1}, std::int64_t{2}));
  EXPECT_EQ(touched(rows, 3), std::pair(std::int64_t{5}, std::int64_t{8}));  // the last: 6 - 1
  EXPECT_EQ(touched(columns, 7), std::pair(std::int64_t{5}, std::int64_t{10}));
  EXPECT_EQ(op.extents[Dim::h], 4);  // (8 + 2 - 3) / 2 + 1
  EXPECT_EQ(op.extents[Dim::w], 8);  // (8 + 4 - 5) / 1 + 1
}

TEST(Conv, IsSplitOverRowsAndColumnsWhenWindowsOverlap) {
  auto const op = only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 3}");
  EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h, Dim::w));
  EXPECT_FALSE(op.can_split(Dim::r));
}

TEST(Conv, IsSplitOverRowsAndColumnsWhenWindowsTouch) {
  auto const pixels = only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 1}");
  EXPECT_THAT(pixels.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h, Dim::w));
  auto const patches =
      only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 2, stride: 2}");
  EXPECT_THAT(patches.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h, Dim::w));
}

TEST(Conv, IsSplitOverRowsWhosePatchesLeaveARestOrGaps) {
  // Patches of 2 cover rows 0 to 7 of 9; pixels two rows apart leave every other one out.
  for (auto const* const kernel : {"2", "1"}) {
    auto const op = only_operator(std::string{"{name: a, kind: conv, input: x, filters: 5, "} +
                                      "stride: 2, kernel: " + kernel + "}",
                                  {"{name: x, channels: 3, rows: 9, columns: 8}"});
    EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h, Dim::w));
  }
}

TEST(Conv, IsNotSplitOverPooledOrFlattenedRows) {
  auto const pooled =
      only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 1, pool: 2}");
  EXPECT_THAT(pooled.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c));

  auto const flat =
      network_of(NetworkText{}.with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1}",
                                     "{name: b, kind: linear, input: a, outputs: 2}"}));
  EXPECT_THAT(flat.at(flat.find("a")).splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c));
}

TEST(Conv, WithGroupsMultipliesTheChannelsOfOneGroup) {
  auto const op = only_operator(
      "{name: a, kind: conv, input: x, filters: 6, kernel: 3, padding: 1, groups: 3}");
  EXPECT_EQ(op.macs(Phase::forward), Macs{4 * 6 * 8 * 8 * 3 * 3} * (3 / 3));
  EXPECT_EQ(op.macs(Phase::update), Macs{6 * 1 * 3 * 3});
  EXPECT_EQ(op.groups, 3);
}

TEST(Conv, WithGroupsIsNotSplitOverInputChannelsOfWhichEachFilterReadsItsOwn) {
  auto const op = only_operator("{name: a, kind: conv, input: x, filters: 8, kernel: 3, groups: 2}",
                                {"{name: x, channels: 4, rows: 8, columns: 8}"});
  EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h, Dim::w));
}

TEST(Conv, WithDilationReadsTapsThatLieApart) {
  auto const op =
      only_operator("{name: a, kind: conv, input: x, filters: 5, kernel: 3, dilation: [2, 1]}");
  auto const& rows = op.inputs.at(0).axes.at(2);
  EXPECT_EQ(touched(rows, 1), std::pair(std::int64_t{1}, std::int64_t{6}));  // rows 1, 3, 5
  EXPECT_EQ(op.extents[Dim::h], 4);                                          // 8 - 5 + 1
  EXPECT_EQ(op.extents[Dim::w], 6);
  EXPECT_EQ(op.extents[Dim::r], 3);
}

TEST(Pool, IsSplitOverChannelsRowsAndColumns) {
  auto const halved = only_operator("{name: a, kind: pool, input: x, size: 2}");
  EXPECT_THAT(halved.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h, Dim::w));
  auto const sliding =
      only_operator("{name: a, kind: pool, input: x, size: 3, stride: 1, padding: 1}");
  EXPECT_THAT(sliding.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h, Dim::w));
  EXPECT_EQ(sliding.extents[Dim::h], 8);
}

TEST(Pool, OfTheWholeMapLeavesOnePositionAndMultipliesNothing) {
  auto const network =
      network_of(NetworkText{}.with({"{name: a, kind: pool, input: x, size: global}",
                                     "{name: b, kind: linear, input: a, outputs: 2}"}));
  auto const& op = network.at(network.find("a"));
  EXPECT_THAT(network.at(op.output.tensor).extents, ElementsAre(4, 3));
  EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n, Dim::k));
  for (auto const phase : all_phases) EXPECT_EQ(op.macs(phase), Macs{0});
  EXPECT_FALSE(op.has(Phase::update));
}

TEST(Recast, GivesItsInputAnotherShapeAndIsSplitOverSamplesOnly) {
  auto const network = network_of(
      NetworkText{}.with({"{name: a, kind: recast, input: x, channels: 6, rows: 4, columns: 2}",
                          "{name: b, kind: conv, input: a, filters: 2, kernel: 1}",
                          "{name: c, kind: recast, input: b, features: 7}",
                          "{name: d, kind: linear, input: c, outputs: 2}"}));
  EXPECT_THAT(network.at(network.at(network.find("a")).output.tensor).extents,
              ElementsAre(4, 6, 4, 2));
  EXPECT_EQ(network.at(network.find("d")).extents[Dim::c], 7);
  for (auto const* const name : {"a", "c"}) {
    auto const& op = network.at(network.find(name));
    EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n)) << name;
    EXPECT_FALSE(op.can_split(Dim::k)) << name;
    EXPECT_EQ(op.macs(Phase::forward), Macs{0}) << name;
  }
}

TEST(Conv, LeavesDimensionsOfExtentOneWhole) {
  auto const op = only_operator("{name: a, kind: conv, input: x, filters: 1, kernel: 8}",
                                {"{name: x, channels: 1, rows: 8, columns: 8}", "2"});
  EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n));
  EXPECT_TRUE(op.can_split(Dim::k));
}

TEST(Linear, IsAMatrixMultiplication) {
  auto const op =
      only_operator("{name: a, kind: linear, input: x, outputs: 6}", {"{name: x, features: 5}"});
  EXPECT_EQ(op.macs(Phase::forward), Macs{4 * 6 * 5});
  EXPECT_EQ(op.macs(Phase::update), Macs{6 * 5});
  EXPECT_EQ(op.input_rows, 1);
  EXPECT_EQ(op.input_columns, 1);
  EXPECT_THAT(op.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c));
  EXPECT_EQ(op.inputs.at(0).axis_of(Dim::c), 1U);
  EXPECT_EQ(op.inputs.at(0).axis_of(Dim::k), std::nullopt);
  EXPECT_EQ(op.weight.value().axis_of(Dim::k), 0U);
  EXPECT_EQ(op.output.axis_of(Dim::c), std::nullopt);
}

TEST(Phases, OfAnOperatorThatReadsTheInputLeaveOutTheErrorUnlessItIsAskedFor) {
  std::string const op = "{name: a, kind: linear, input: x, outputs: 6}";
  NetworkText file{"{name: x, features: 5}"};
  for (auto const* const skipped : {"", "training: {input_error: skipped}\n", "training: {}\n"}) {
    file.more = skipped;
    auto const first = only_operator(op, file);
    EXPECT_FALSE(first.has(Phase::backward_data)) << skipped;
    EXPECT_EQ(first.macs(Phase::backward_data), Macs{0}) << skipped;
    EXPECT_TRUE(first.has(Phase::backward_weight)) << skipped;
  }
  file.more = "training: {input_error: computed}\n";
  EXPECT_TRUE(only_operator(op, file).has(Phase::backward_data));
}

TEST(Phases, OfLaterOperatorsAlwaysHaveTheError) {
  auto const network = network_of(NetworkText{"{name: x, features: 6}"}.with(
      {"{name: a, kind: linear, input: x, outputs: 6}",
       "{name: b, kind: linear, input: a, outputs: 6}", "{name: c, kind: add, inputs: [x, b]}"}));
  EXPECT_FALSE(network.at(network.find("a")).has(Phase::backward_data));
  EXPECT_TRUE(network.at(network.find("b")).has(Phase::backward_data));
  EXPECT_TRUE(network.at(network.find("c")).has(Phase::backward_data));  // for b, not for x
}

TEST(Add, HasNothingToLearnAndNothingToMultiply) {
  auto const network =
      network_of(NetworkText{}.with({"{name: a, kind: conv, input: x, filters: 3, kernel: 1}",
                                     "{name: sum, kind: add, inputs: [x, a]}"}));
  auto const& sum = network.at(network.find("sum"));
  EXPECT_TRUE(sum.has(Phase::forward));
  EXPECT_TRUE(sum.has(Phase::backward_data));
  EXPECT_FALSE(sum.has(Phase::backward_weight));
  EXPECT_FALSE(sum.has(Phase::update));
  for (auto const phase : all_phases) EXPECT_EQ(sum.macs(phase), Macs{0}) << name(phase);
  EXPECT_THAT(sum.splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h, Dim::w));
  EXPECT_EQ(sum.inputs.size(), 2U);
  EXPECT_EQ(sum.extents[Dim::k], 3);
  EXPECT_EQ(sum.input_rows, 8);
}

TEST(Names, AreThoseOfTheFiles) {
  EXPECT_STREQ(name(Dim::n), "n");
  EXPECT_STREQ(name(Dim::s), "s");
  EXPECT_STREQ(name(Phase::forward), "forward");
  EXPECT_STREQ(name(Phase::update), "update");
  EXPECT_STREQ(name(OperatorKind::conv), "conv");
  EXPECT_STREQ(name(OperatorKind::add), "add");
}

}  // namespace
}  // namespace tessera::workloads

// Passes of the vector unit: their slots against a count cycle by cycle, their tiles, and what operations consist of.
#include "sim/model/compute/vector_unit.hpp"

#include <gtest/gtest.h>

#include "sim/model/compute/operator_shape.hpp"
#include "sim/model/compute/phase_work.hpp"
#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

using test::Draw;
using workloads::Phase;

arch::VectorUnitSpec const tpu_vectors{128, 8, 2, 1, 1};

std::int64_t cycles(VectorWork const& work, std::int64_t elements) {
  return vector_cost(tpu_vectors, pass_over(work, Elements{elements})).cycles.value();
}

/// Cycle by cycle: every slot takes what is left of its kind. Rows come together a vector of
/// sublanes at a time: its lanes are halved until one is left, each time a rotation and an
/// operation.
std::int64_t cycles_one_by_one(arch::VectorUnitSpec const& unit, VectorPass const& pass) {
  std::int64_t vectors = 0;
  for (auto left = pass.elements.value(); left > 0; left -= unit.lanes * unit.sublanes) ++vectors;
  auto alu = vectors * pass.work.alu;
  for (auto rows = pass.reduced_rows; rows > 0; rows -= unit.sublanes) {
    for (auto lanes = unit.lanes; lanes > 1; lanes = (lanes + 1) / 2) alu += 2;
  }
  auto loads = vectors * pass.work.loads;
  auto stores = vectors * pass.work.stores;
  std::int64_t cycle = 0;
  for (; alu > 0 || loads > 0 || stores > 0; ++cycle) {
    alu -= unit.alus;
    loads -= unit.loads;
    stores -= unit.stores;
  }
  return cycle;
}

TEST(VectorUnit, TheBusiestSlotDecides) {
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 1024), 1);
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 1025), 2);
  EXPECT_EQ(cycles(work_of(VectorOperation::relu_backward), 10 * 1024), 20);  // two loads each
  EXPECT_EQ(cycles(work_of(VectorOperation::adam), 1024), 7);                 // 14 on two ALUs
  EXPECT_EQ(cycles(work_of(VectorOperation::sgd), 1024), 2);                  // w and its gradient
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 0), 0);
}

TEST(VectorUnit, CountsSlotsAsIfTheyWereFilledCycleByCycle) {
  Draw draw{50};
  for (int trial = 0; trial < 2000; ++trial) {
    arch::VectorUnitSpec const unit{draw(1, 9), draw(1, 4), draw(1, 4), draw(1, 2), draw(1, 2)};
    auto pass = pass_over({draw(0, 20), draw(0, 4), draw(0, 3)}, Elements{draw(0, 300)});
    pass.reduced_rows = draw(0, 40);
    EXPECT_EQ(vector_cost(unit, pass).cycles.value(), cycles_one_by_one(unit, pass)) << trial;
  }
}

TEST(VectorUnit, LanesMeetInAsManyStepsAsTheirLogarithm) {
  // 512 rows are 64 vectors of 8; each takes 2 x 7 operations, on two ALUs.
  auto pass = pass_over({1, 1, 0}, Elements{512 * 512});
  auto const without = vector_cost(tpu_vectors, pass).cycles;
  EXPECT_EQ(without, Cycles{256});  // a load each
  pass.work.alu = 2;                // as many cycles on two ALUs
  pass.reduced_rows = 512;
  EXPECT_EQ(vector_cost(tpu_vectors, pass).cycles - without, Cycles{64 * 7});
}

TEST(VectorUnit, ASoftmaxMovesItsTensorFiveTimesAndALayerNormSeven) {
  auto const traffic = [](std::vector<VectorPass> const& passes) {
    Elements sum{0};
    for (auto const& pass : passes) sum += pass.traffic();
    return sum;
  };
  EXPECT_EQ(traffic(softmax_passes(Elements{1000}, 10)), Elements{5000});
  EXPECT_EQ(traffic(layer_norm_passes(Elements{1000}, 10)), Elements{7000});
  EXPECT_EQ(traffic(softmax_error_passes(Elements{1000}, 10)), Elements{5000});
  EXPECT_EQ(traffic(layer_norm_error_passes(Elements{1000}, 10)), Elements{5000});
}

TEST(VectorUnit, WithoutOneIntermediateResultsStayOnChip) {
  auto const softmax = merged(softmax_passes(Elements{1000}, 10));
  EXPECT_EQ(softmax.reads[0] + softmax.reads[1], Elements{2000});  // for the maximum, for exponents
  EXPECT_EQ(softmax.writes, Elements{1000});
  EXPECT_EQ(softmax.work.alu, 14);
  auto const norm = merged(layer_norm_passes(Elements{1000}, 10));
  EXPECT_EQ(norm.traffic(), Elements{3000});
  EXPECT_EQ(norm.work.alu, 7);
}

TEST(VectorUnit, TilesOfAPassAreThePassAndFitABank) {
  Draw draw{51};
  for (int trial = 0; trial < 500; ++trial) {
    auto pass = pass_over({draw(0, 9), draw(0, 4), draw(0, 3)}, Elements{draw(1, 9999)});
    pass.reads[0] = pass.reads[0] * draw(1, 5);  // windows
    arch::ScratchpadSpec const scratchpad{Bytes{draw(20, 900) * 16}, 16};
    auto const tiled = in_banks(pass, scratchpad, Bytes{4});
    Elements elements{0};
    Elements read{0};
    for (std::int64_t index = 0; index < tiled.tiles(); ++index) {
      auto const tile = tiled.tile(index);
      EXPECT_LE(Bytes{4} * tile.elements.value(), scratchpad.bank());
      elements += tile.elements;
      read += tile.reads[0];
    }
    EXPECT_EQ(elements, pass.elements);
    EXPECT_GE(read, pass.reads[0]);
    EXPECT_LE(read, pass.reads[0] + Elements{tiled.tiles()});
  }
  EXPECT_EQ(in_banks(pass_over({1, 1, 1}, Elements{0}), {Bytes{64}, 1}, Bytes{4}).tiles(), 0);
}

ElementwiseShape shape(ElementwiseShape::Work work, Fusion fusion, std::int64_t tensors = 1) {
  ElementwiseShape shape;
  shape.elements = 1000;
  shape.rows = 8;  // as many as sublanes
  shape.work = work;
  shape.tensors = shape.inputs = tensors;
  shape.read = 1000 * tensors;
  shape.fusion = fusion;
  return shape;
}

TEST(VectorUnit, BetweenTwoProductsOnlyTheExponentsOfASoftmaxAreAKernel) {
  auto const alone = vector_passes(shape(ElementwiseShape::Work::softmax, {}), Phase::forward, {});
  auto const between =
      vector_passes(shape(ElementwiseShape::Work::softmax, {true, true}), Phase::forward, {});
  ASSERT_EQ(alone.size(), 3U);
  ASSERT_EQ(between.size(), 1U);
  EXPECT_EQ(between.front().traffic(), Elements{2000});
  EXPECT_EQ(vector_cost(tpu_vectors, between.front()).operations,
            vector_cost(tpu_vectors, alone[0]).operations +
                vector_cost(tpu_vectors, alone[1]).operations +
                vector_cost(tpu_vectors, alone[2]).operations);
}

TEST(VectorUnit, ASumBehindAProductReadsTheOtherTensorOnly) {
  auto const combine = ElementwiseShape::Work::combine;
  auto const alone = vector_passes(shape(combine, {}, 2), Phase::forward, {});
  EXPECT_EQ(alone.front().traffic(), Elements{3000});
  EXPECT_TRUE(alone.front().starts_kernel);
  auto const fused = vector_passes(shape(combine, {true, false}, 2), Phase::forward, {});
  EXPECT_EQ(fused.front().traffic(), Elements{1000});
  EXPECT_EQ(fused.front().writes, Elements{0});
  EXPECT_FALSE(fused.front().starts_kernel);
}

}  // namespace
}  // namespace tessera::sim

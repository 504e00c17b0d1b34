// The boundary of the PE arrays: phases of operators on whole cores.
#include "sim/model/compute/compute_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/compute/systolic_array.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using workloads::Phase;

ComputeOptions with_memory() {
  ComputeOptions options;
  options.memory = ComputeOptions::Memory::core;
  return options;
}

ConvShape conv() {
  ConvSide const side{14, 14, 3, 1, 1, 1};
  return {8, 256, 128, 1, side, side};
}

class EveryPresetCore : public testing::TestWithParam<char const*> {};

TEST_P(EveryPresetCore, RunsEveryPhaseOfTheZooWithItsAnalyticalMacs) {
  ComputeMemo memo{arch::load_core(GetParam())};
  for (auto const& [name, description] : workloads::builtin_networks()) {
    auto const network = workloads::load(name, {"batch=16"});
    for (auto const& op : network.operators()) {
      for (auto const phase : workloads::own_phases) {
        if (!op.has(phase)) continue;
        auto const& cost = memo.cost(shape_of(op, op.extents), phase);
        auto const where = std::string{name} + ' ' + op.name + ' ' + workloads::name(phase);
        EXPECT_TRUE(cost.cycles > Cycles{0} || op.macs(phase) == Macs{0}) << where;
        EXPECT_EQ(phase == Phase::update ? Macs{0} : op.macs(phase), cost.macs) << where;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryPresetCore,
                         testing::Values("tpu-v2", "tpu-v3", "eyeriss", "hypar-pu"));

TEST(ComputeCost, IdealMemoryGivesTheArraysOwnCycles) {
  auto const core = arch::load_core("tpu-v3");
  auto const& array = std::get<arch::SystolicCoreSpec>(core.unit).array;
  auto const cost = compute_cost(core, MatmulShape{{1, 1024, 1024, 1024}}, Phase::forward);
  EXPECT_EQ(cost.cycles, systolic_cost(array, {1, 1024, 1024, 1024}).cycles);
  EXPECT_EQ(cost.stalled, Cycles{0});
  EXPECT_EQ(cost.memory_traffic, Bytes{0});
}

TEST(ComputeCost, MemoryStallsAndIsPaidFor) {
  auto const core = arch::load_core("tpu-v3");
  for (auto const phase : workloads::own_phases) {
    auto const ideal = compute_cost(core, conv(), phase);
    auto const real = compute_cost(core, conv(), phase, with_memory());
    EXPECT_GT(real.cycles, ideal.cycles);
    EXPECT_GT(real.stalled, Cycles{0});
    EXPECT_GT(real.memory_traffic, Bytes{0});
    EXPECT_GT(real.energy, ideal.energy);
    EXPECT_EQ(real.cycles, std::max(real.products, real.vector) + real.stalled);
  }
}

TEST(ComputeCost, AComputationOfARowStationaryArrayTakesOneStart) {
  auto const core = arch::load_core("hypar-pu", {"kernel_start=400 ns"});
  auto const at_once = arch::load_core("hypar-pu", {"kernel_start=0 ns"});
  for (auto const phase : workloads::own_phases) {
    auto const cost = compute_cost(core, conv(), phase, with_memory());
    auto const without = compute_cost(at_once, conv(), phase, with_memory());
    EXPECT_EQ(cost.cycles - without.cycles, Cycles{100});
    EXPECT_EQ(cost.stalled - without.stalled, Cycles{100});
    EXPECT_EQ(compute_cost(core, conv(), phase).cycles,
              compute_cost(at_once, conv(), phase).cycles);
  }
}

TEST(ComputeCost, FewFilledLanesCostUtilisation) {
  auto const core = arch::load_core("tpu-v2");
  auto const full = compute_cost(core, MatmulShape{{1, 8192, 128, 128}}, Phase::forward);
  auto const half = compute_cost(core, MatmulShape{{1, 8192, 128, 64}}, Phase::forward);
  EXPECT_GT(utilisation(core, full), 0.9);
  EXPECT_EQ(half.cycles, full.cycles);
  EXPECT_DOUBLE_EQ(utilisation(core, half), utilisation(core, full) / 2);
  EXPECT_EQ(half.executed, full.executed);
}

TEST(ComputeCost, ABatchOfOneIsPaddedToEightUnderLargeWindowsOnly) {
  auto const core = arch::load_core("tpu-v3");
  auto shape = conv();
  auto const eight = compute_cost(core, shape, Phase::forward);
  shape.samples = 1;
  EXPECT_EQ(compute_cost(core, shape, Phase::forward).cycles, eight.cycles);
  shape.rows.taps = shape.columns.taps = 1;
  shape.rows.padding = shape.columns.padding = 0;
  EXPECT_LT(compute_cost(core, shape, Phase::forward).executed, Macs{8 * 196} * 256 * 128);
}

TEST(ComputeCost, AWindowedInputIsLoadedOnce) {
  // 3 x 3 windows overlap nine times; all of it fits: the tensors themselves, once each.
  auto const cost = compute_cost(arch::load_core("tpu-v3"), conv(), Phase::forward, with_memory());
  EXPECT_EQ(cost.memory_traffic,
            Bytes{4 * (8 * 128 * 14 * 14 + 256 * 128 * 9 + 8 * 256 * 14 * 14)});
}

TEST(ComputeCost, AdamTakesLongerThanSgdAndIsElementWise) {
  auto const core = arch::load_core("tpu-v3");
  ComputeOptions adam;
  adam.optimizer = VectorOperation::adam;
  auto const sgd = compute_cost(core, conv(), Phase::update);
  EXPECT_GT(compute_cost(core, conv(), Phase::update, adam).cycles, sgd.cycles);
  EXPECT_EQ(sgd.products, Cycles{0});
  EXPECT_EQ(sgd.macs, Macs{0});
}

TEST(ComputeCost, ABoardIsFasterThanACoreAndAtMostEightTimes) {
  auto const core = arch::load_core("tpu-v3");
  auto const board = arch::viewed(core, arch::CoreView::board);
  auto const network = workloads::load("accpar/resnet-50", {"batch=64"});
  for (auto const& op : network.operators()) {
    auto const shape = shape_of(op, op.extents);
    auto const one = compute_cost(core, shape, Phase::forward);
    auto const all = compute_cost(board, shape, Phase::forward);
    EXPECT_LE(all.cycles, one.cycles);
    EXPECT_GE(all.cycles * 8, one.cycles);
  }
}

TEST(ComputeCost, TheMemoAnswersEachQuestionOnce) {
  ComputeMemo memo{arch::load_core("tpu-v3"), with_memory()};
  auto const first = memo.cost(conv(), Phase::forward);
  EXPECT_EQ(memo.cost(conv(), Phase::forward).cycles, first.cycles);
  EXPECT_EQ(memo.size(), 1U);
  EXPECT_NE(memo.cost(conv(), Phase::backward_data).cycles, Cycles{0});
  EXPECT_EQ(memo.size(), 2U);
  auto const direct =
      compute_cost(arch::load_core("tpu-v3"), conv(), Phase::forward, with_memory());
  EXPECT_EQ(direct.cycles, first.cycles);
}

}  // namespace
}  // namespace tessera::sim

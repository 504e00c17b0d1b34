// The closed form's laws. SCALE-Sim's cycles are the suite `systolic` of tessera validate.
#include "sim/model/compute/systolic_array.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::sim {
namespace {

using arch::Dataflow;
using arch::SystolicArraySpec;
using Schedule = SystolicArraySpec::Schedule;
using Operands = SystolicArraySpec::Operands;

SystolicArraySpec scale_sim(std::int64_t side, std::string const& dataflow) {
  return {side,
          side,
          1,
          dataflow == "ws"   ? Dataflow::weight_stationary
          : dataflow == "os" ? Dataflow::output_stationary
                             : Dataflow::input_stationary,
          Schedule::serial,
          Operands::fixed};
}

SystolicArraySpec tpu(std::int64_t arrays = 1) {
  return {128, 128, arrays, Dataflow::weight_stationary, Schedule::overlapped, Operands::fixed};
}

std::int64_t cycles(SystolicArraySpec const& array, Gemm const& gemm) {
  return systolic_cost(array, gemm).cycles.value();
}

/// macs / (cycles * PEs).
double utilisation(arch::SystolicArraySpec const& array, SystolicCost const& cost) {
  return static_cast<double>(cost.macs.value()) /
         static_cast<double>(array.rows * array.columns * array.arrays * cost.cycles.value());
}

TEST(SystolicArray, OneFoldIsLoadStepsAndTheWayToTheFarCorner) {
  // 128 rows of weights, 1000 steps, 127 + 127 PEs on the way.
  EXPECT_EQ(cycles(tpu(), {1, 1000, 128, 128}), 128 + 1000 + 127 + 127);
}

TEST(SystolicArray, TheNextWeightsLoadUnderAFoldThatIsLongEnough) {
  // 12 folds: a long one costs its steps, a short one the load of 128 rows.
  auto const ends = 128 + 127 + 127;
  EXPECT_EQ(cycles(tpu(), {1, 1000, 384, 512}), ends + 12 * 1000);
  EXPECT_EQ(cycles(tpu(), {1, 128, 384, 512}), ends + 12 * 128);
  EXPECT_EQ(cycles(tpu(), {1, 50, 384, 512}), ends + 11 * 128 + 50);
}

TEST(SystolicArray, OverlapNeverCostsAndReachesThePeakOnLargeProducts) {
  auto serial = tpu();
  serial.schedule = Schedule::serial;
  for (std::int64_t m = 1; m < 2000; m += 61) {
    EXPECT_LE(cycles(tpu(), {1, m, 300, 300}), cycles(serial, {1, m, 300, 300}));
  }
  auto const cost = systolic_cost(tpu(), {1, 8192, 1024, 1024});
  EXPECT_GT(utilisation(tpu(), cost), 0.999);
}

TEST(SystolicArray, AnEdgeFoldCostsAWholeFold) {
  EXPECT_EQ(cycles(tpu(), {1, 500, 129, 64}), cycles(tpu(), {1, 500, 256, 128}));
  // ResNet's first layer: K = 147 of 256 rows, N = 64 of 128 columns.
  auto const cost = systolic_cost(tpu(), {1, 12544 * 64, 64, 147});
  EXPECT_NEAR(utilisation(tpu(), cost), 147.0 / 256 * 64 / 128, 0.001);
}

TEST(SystolicArray, SeveralArraysShareFoldsOrSteps) {
  auto const fill = 128 + 127 + 127;
  // Eight folds on two arrays are four each; one long fold is cut in its steps.
  EXPECT_EQ(cycles(tpu(2), {1, 1000, 256, 512}), fill + 4 * 1000);
  EXPECT_EQ(cycles(tpu(2), {1, 1000, 128, 128}), fill + 500);
  EXPECT_EQ(cycles(tpu(4), {6, 1000, 128, 128}), fill + 6 * 250);
}

TEST(SystolicArray, BatchesFollowEachOtherWithoutAGap) {
  EXPECT_EQ(cycles(tpu(), {16, 512, 128, 128}), 128 + 127 + 127 + 16 * 512);
}

TEST(SystolicArray, SwappableOperandsTakeTheFasterOrder) {
  auto swappable = tpu();
  swappable.operands = Operands::swappable;
  // 129 columns are two folds across; as steps they are one more than the 128 that a load takes.
  Gemm const flat{1, 100, 129, 12'800};
  EXPECT_LT(cycles(swappable, flat), cycles(tpu(), flat) * 6 / 10);
  EXPECT_EQ(cycles(swappable, flat), cycles(tpu(), flat.transposed()));
  EXPECT_EQ(cycles(swappable, flat), cycles(swappable, flat.transposed()));
  EXPECT_EQ(systolic_cost(swappable, flat).macs, flat.macs());
}

TEST(SystolicArray, WhatStaysIsReadOnceAndWhatStreamsOncePerFoldAcross) {
  Gemm const gemm{2, 100, 300, 200};  // 2 folds down (K), 3 across (N) of 128
  auto const ws = systolic_cost(tpu(), gemm).accesses;
  EXPECT_EQ(ws.b_reads, Elements{2 * 200 * 300});
  EXPECT_EQ(ws.a_reads, Elements{2 * 100 * 200 * 3});
  EXPECT_EQ(ws.sum_writes, Elements{2 * 100 * 300 * 2});
  EXPECT_EQ(ws.sum_reads, Elements{2 * 100 * 300 * 1});

  auto const os = systolic_cost(scale_sim(128, "os"), gemm).accesses;  // 1 fold of M, 3 of N
  EXPECT_EQ(os.a_reads, Elements{2 * 100 * 200 * 3});
  EXPECT_EQ(os.b_reads, Elements{2 * 200 * 300 * 1});
  EXPECT_EQ(os.sum_writes, Elements{2 * 100 * 300});
  EXPECT_EQ(os.sum_reads, Elements{0});

  auto const is = systolic_cost(scale_sim(128, "is"), gemm).accesses;  // 1 fold of M
  EXPECT_EQ(is.a_reads, Elements{2 * 100 * 200});
  EXPECT_EQ(is.b_reads, Elements{2 * 200 * 300 * 1});
}

TEST(SystolicArray, NoArrayIsFasterThanItsPes) {
  for (auto const dataflow : {"ws", "os", "is"}) {
    for (std::int64_t m = 1; m < 600; m += 37) {
      auto const array = scale_sim(16, dataflow);
      auto const cost = systolic_cost(array, {3, m, 50, 70});
      EXPECT_LE(utilisation(array, cost), 1.0);
      EXPECT_EQ(cost.macs, Macs{3 * m * 50 * 70});
    }
  }
}

TEST(SystolicArray, AnEmptyProductIsABrokenContract) {
  EXPECT_THROW(static_cast<void>(systolic_cost(tpu(), {1, 0, 1, 1})), ContractError);
}

}  // namespace
}  // namespace tessera::sim

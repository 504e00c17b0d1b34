// The products of every phase: MACs are conserved, and each one is really needed.
#include "sim/model/compute/operator_shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using workloads::Phase;

ConvSide random_side(std::mt19937& random) {
  auto const draw = [&random](int low, int high) {
    return std::uniform_int_distribution<std::int64_t>{low, high}(random);
  };
  ConvSide side;
  side.taps = draw(1, 5);
  side.stride = draw(1, 3);
  side.dilation = draw(1, 3);
  side.padding = draw(0, 3);
  side.input = draw(14, 20);
  auto const window = (side.taps - 1) * side.dilation + 1;
  side.output = (side.input + 2 * side.padding - window) / side.stride + 1;
  return side;
}

/// Pairs (input position, tap) that an output at a whole position would join, counted one by one;
/// outputs beyond the edge are zeros that the product multiplies like any other.
std::int64_t pairs_of_error(ConvSide const& side) {
  std::int64_t pairs = 0;
  for (std::int64_t x = 0; x < side.input; ++x) {
    for (std::int64_t tap = 0; tap < side.taps; ++tap) {
      // (1000 strides keep the remainder's sign)
      auto const offset = x + side.padding - tap * side.dilation + 1000 * side.stride;
      if (offset % side.stride == 0) ++pairs;
    }
  }
  return pairs;
}

Macs macs_of(OperatorShape const& shape, Phase phase, ErrorMapping mapping) {
  return macs(gemms_of(shape, phase, mapping));
}

TEST(OperatorShape, EveryPhaseOfAConvolutionMultipliesAsOftenAsItsLoopsTurn) {
  std::mt19937 random{1};
  for (int trial = 0; trial < 500; ++trial) {
    ConvShape conv{2, 12, 6, trial % 2 == 0 ? 1 : 3, random_side(random), random_side(random)};
    auto const loops = Macs{2} * 12 * (6 / conv.groups) * conv.rows.output * conv.columns.output *
                       conv.rows.taps * conv.columns.taps;
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      EXPECT_EQ(macs_of(conv, phase, ErrorMapping::scattered), loops);
      EXPECT_EQ(analytical_macs(conv, phase), loops);
    }
    EXPECT_EQ(macs_of(conv, Phase::forward, ErrorMapping::by_residue), loops);
    EXPECT_EQ(macs_of(conv, Phase::backward_weight, ErrorMapping::by_residue), loops);
    EXPECT_TRUE(gemms_of(conv, Phase::update).empty());
  }
}

TEST(OperatorShape, ErrorByResidueMultipliesExactlyThePairsThatMeetAnOutputPosition) {
  std::mt19937 random{2};
  for (int trial = 0; trial < 500; ++trial) {
    ConvShape conv{3, 4, 5, 1, random_side(random), random_side(random)};
    EXPECT_EQ(macs_of(conv, Phase::backward_data, ErrorMapping::by_residue),
              Macs{3 * 4 * 5} * pairs_of_error(conv.rows) * pairs_of_error(conv.columns))
        << trial;
  }
}

TEST(OperatorShape, ErrorWithZerosInsertedMultipliesEveryTapAtEveryPosition) {
  // 3 x 3, stride 2: of 9 taps per position a quarter meets an error.
  ConvSide const side{8, 4, 3, 2, 1, 1};
  ConvShape const conv{1, 16, 8, 1, side, side};
  EXPECT_THAT(gemms_of(conv, Phase::backward_data, ErrorMapping::zero_inserted),
              ElementsAre(Gemm{1, 64, 8, 16 * 9}));
  // Even positions (4 of 8) have the middle tap, odd ones the two outer taps.
  EXPECT_THAT(gemms_of(conv, Phase::backward_data),
              testing::UnorderedElementsAre(Gemm{1, 16, 8, 16}, Gemm{1, 16, 8, 32},
                                            Gemm{1, 16, 8, 32}, Gemm{1, 16, 8, 64}));
  EXPECT_EQ(macs_of(conv, Phase::backward_data, ErrorMapping::zero_inserted),
            macs_of(conv, Phase::backward_data, ErrorMapping::by_residue) * 4);
}

TEST(OperatorShape, SamePaddingAndStrideOneConserveMacsInEveryMapping) {
  ConvSide const side{14, 14, 3, 1, 1, 1};
  ConvShape const conv{4, 8, 8, 2, side, side};
  for (auto const mapping :
       {ErrorMapping::by_residue, ErrorMapping::zero_inserted, ErrorMapping::scattered}) {
    EXPECT_EQ(macs_of(conv, Phase::backward_data, mapping), macs(gemms_of(conv, Phase::forward)));
  }
}

TEST(OperatorShape, BothErrorsOfAMatmulAreProducts) {
  MatmulShape const scores{{16, 512, 256, 64}};
  EXPECT_THAT(gemms_of(scores, Phase::backward_data),
              ElementsAre(Gemm{16, 512, 64, 256}, Gemm{16, 64, 256, 512}));
  EXPECT_EQ(analytical_macs(scores, Phase::backward_data),
            analytical_macs(scores, Phase::forward) * 2);
  EXPECT_TRUE(gemms_of(scores, Phase::backward_weight).empty());
}

TEST(OperatorShape, AnLstmMultipliesFourGatesPerUnitInEveryPhase) {
  LstmShape const lstm{20, 64, 1024, 512};
  for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
    EXPECT_EQ(analytical_macs(lstm, phase), Macs{20 * 64} * 4 * 512 * (1024 + 512));
  }
  // One product over all steps for the inputs, and one per step for the recurrence.
  EXPECT_EQ(gemms_of(lstm, Phase::forward).size(), 21U);
  EXPECT_EQ(gemms_of(lstm, Phase::backward_weight).size(), 2U);
}

TEST(OperatorShape, OperatorsOfTheZooKeepTheirMacsInEveryPhase) {
  for (auto const& [name, description] : workloads::builtin_networks()) {
    auto const network = workloads::load(name);
    for (auto const& op : network.operators()) {
      auto const shape = shape_of(op, op.extents);
      for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
        if (!op.has(phase)) continue;
        EXPECT_EQ(analytical_macs(shape, phase), op.macs(phase)) << name << ' ' << op.name;
      }
    }
  }
}

TEST(OperatorShape, APartOfAGroupedConvolutionHasItsShareOfTheMacs) {
  auto const network = workloads::load("alexnet", {"batch=2"});
  auto const& op = network.at(network.find("conv2"));
  for (auto const parts : {1, 2, 4, 256}) {
    auto local = op.extents;
    local[workloads::Dim::k] /= parts;
    auto const conv = std::get<ConvShape>(shape_of(op, local));
    EXPECT_EQ(conv.groups, parts == 1 ? 2 : 1) << parts;
    EXPECT_EQ(analytical_macs(conv, Phase::forward) * parts, op.macs(Phase::forward)) << parts;
  }
}

TEST(OperatorShape, APoolReadsItsWholeWindowPerElement) {
  auto const network = workloads::load("accpar/resnet-18", {"batch=2"});
  auto const& op = network.at(network.find("pool"));
  auto const pool = std::get<ElementwiseShape>(shape_of(op, op.extents));
  EXPECT_EQ(pool.elements, 2 * 512);
  EXPECT_EQ(pool.inputs, 7 * 7);
}

TEST(OperatorShape, AttentionIsAProductPerSampleAndHead) {
  auto const network = workloads::load("bert-base", {"batch=4"});
  auto const shape = [&](std::string const& name) {
    auto const& op = network.at(network.find(name));
    return std::get<MatmulShape>(shape_of(op, op.extents)).gemm;
  };
  EXPECT_EQ(shape("layer1/scores"), (Gemm{4 * 12, 512, 512, 64}));
  EXPECT_EQ(shape("layer1/context"), (Gemm{4 * 12, 512, 64, 512}));
}

TEST(OperatorShape, OfAnLstmLayerKnowsItsInputsAndSteps) {
  auto const network = workloads::load("gnmt", {"batch=4"});
  auto const& op = network.at(network.find("decoder2"));
  auto const lstm = std::get<LstmShape>(shape_of(op, op.extents));
  EXPECT_EQ(lstm.steps, 50);
  EXPECT_EQ(lstm.samples, 4);
  EXPECT_EQ(lstm.inputs, 2048);
  EXPECT_EQ(lstm.hidden, 1024);
}

TEST(OperatorShape, KnowsNormalisationsTablesAndViews) {
  auto const network = workloads::load("bert-base", {"batch=4"});
  auto const shape = [&](std::string const& name) {
    auto const& op = network.at(network.find(name));
    return std::get<ElementwiseShape>(shape_of(op, op.extents));
  };
  EXPECT_EQ(shape("layer1/probabilities").work, ElementwiseShape::Work::softmax);
  EXPECT_EQ(shape("layer1/probabilities").elements, 4 * 12 * 512 * 512);
  EXPECT_EQ(shape("layer1/norm").work, ElementwiseShape::Work::layer_norm);
  EXPECT_EQ(shape("word").weights, 30'522 * 768);
  EXPECT_EQ(shape("word").elements, 4 * 512 * 768);
  EXPECT_EQ(shape("first").elements, 0);
}

TEST(OperatorShape, AStridedConvolutionOfANetworkKeepsItsGeometry) {
  auto const network = workloads::load("hypar/alexnet");
  auto const& op = network.at(network.find("conv1"));
  auto const conv = std::get<ConvShape>(shape_of(op, op.extents));
  EXPECT_EQ(conv.rows.input, 224);
  EXPECT_EQ(conv.rows.output, 55);
  EXPECT_EQ(conv.rows.taps, 11);
  EXPECT_EQ(conv.rows.stride, 4);
  EXPECT_EQ(conv.rows.dilation, 1);
  EXPECT_EQ(conv.rows.padding, 2);
}

}  // namespace
}  // namespace tessera::sim

// The row-stationary model: its passes against the word-level twin, its mapping rules, its search, and the phases of
// training.
#include "sim/model/compute/row_stationary.hpp"

#include <gtest/gtest.h>

#include "arch/base/config_error.hpp"
#include "test/support/compute/row_stationary_twin.hpp"
#include "test/support/draw.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using arch::RowStationaryCoreSpec;
using test::Draw;
using workloads::Phase;

RowStationaryCoreSpec eyeriss() {
  return std::get<RowStationaryCoreSpec>(arch::load_core("eyeriss").unit);
}

Tensor4 tensor(Draw& draw, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  Tensor4 result(a, b, c, d);
  for (auto& number : result.numbers()) number = draw(-100, 100);
  return result;
}

/// A layer that is one pass of a mapping, and its numbers.
struct OnePass {
  RowStationaryMapping mapping;
  ConvShape conv;
  PassNumbers numbers;

  explicit OnePass(Draw& draw)
      : mapping{draw(1, 3), draw(1, 4), draw(1, 4), draw(1, 4), draw(1, 3), draw(1, 2), draw(1, 2)},
        conv{conv_of(mapping, draw)},
        numbers{tensor(draw, conv.filters, conv.channels, conv.rows.taps, conv.columns.taps),
                tensor(draw, conv.samples, conv.channels, conv.rows.input, conv.columns.input),
                tensor(draw, conv.samples, conv.filters, mapping.e, mapping.f)} {}

  static ConvSide side(std::int64_t output, Draw& draw) {
    ConvSide side;
    side.output = output;
    side.taps = draw(1, 3);
    side.stride = draw(1, 4);
    side.input = (output - 1) * side.stride + side.taps;
    return side;
  }
  static ConvShape conv_of(RowStationaryMapping const& mapping, Draw& draw) {
    return {mapping.n, mapping.p * mapping.t, mapping.q * mapping.r,
            1,         side(mapping.e, draw), side(mapping.f, draw)};
  }

  /// The convolution by its definition, added to the sums.
  [[nodiscard]] Tensor4 expected() const {
    auto sums = numbers.sums;
    for (std::int64_t n = 0; n < conv.samples; ++n) {
      for (std::int64_t k = 0; k < conv.filters; ++k) {
        for (std::int64_t y = 0; y < mapping.e; ++y) {
          for (std::int64_t x = 0; x < mapping.f; ++x) sums.at(n, k, y, x) += at(n, k, y, x);
        }
      }
    }
    return sums;
  }

 private:
  [[nodiscard]] std::int64_t at(std::int64_t n, std::int64_t k, std::int64_t y,
                                std::int64_t x) const {
    std::int64_t sum = 0;
    for (std::int64_t c = 0; c < conv.channels; ++c) {
      for (std::int64_t i = 0; i < conv.rows.taps; ++i) {
        for (std::int64_t s = 0; s < conv.columns.taps; ++s) {
          sum += numbers.filters.at(k, c, i, s) *
                 numbers.inputs.at(n, c, y * conv.rows.stride + i, x * conv.columns.stride + s);
        }
      }
    }
    return sum;
  }
};

TEST(RowStationary, APassTakesTheCyclesAndWordsOfItsTwinWhichConvolvesCorrectly) {
  Draw draw{40};
  auto core = eyeriss();
  core.rows = 24;  // room for every draw
  for (int trial = 0; trial < 10'000; ++trial) {
    OnePass const pass{draw};
    core.networks = {draw(1, 4), draw(1, 3), draw(1, 4)};
    auto const cost = row_stationary_cost(core, pass.conv, pass.mapping);
    auto const twin = run_row_stationary_twin(core, pass.conv, pass.mapping, pass.numbers);
    ASSERT_EQ(cost.cycles, Cycles{twin.cycles}) << trial;
    ASSERT_TRUE(twin.sums == pass.expected()) << trial;
    if (pass.conv.columns.stride <= pass.conv.columns.taps) {
      ASSERT_EQ(cost.buffer_words, Elements{twin.sum_words + twin.input_words}) << trial;
    }
    ASSERT_EQ(cost.macs, analytical_macs(pass.conv, Phase::forward));
  }
}

TEST(RowStationary, SetsFoldAndReplicateAsOnTheChip) {
  auto const core = eyeriss();
  // JSSC'17: CONV1 two sets of 11 x 7; CONV2 one set of 5 x 27 in two segments; CONV3 four of 3 x 13.
  EXPECT_EQ(sets_that_fit(core, 11, 7), 2);
  EXPECT_EQ(sets_that_fit(core, 5, 27), 1);
  EXPECT_EQ(sets_that_fit(core, 3, 13), 4);
  EXPECT_EQ(sets_that_fit(core, 1, 1), 168);
  EXPECT_EQ(sets_that_fit(core, 7, 15), 0);  // two segments of seven rows do not fit
  EXPECT_EQ(sets_that_fit(core, 13, 1), 0);
}

TEST(RowStationary, AMappingMustFitArrayScratchpadsAndBuffer) {
  ConvSide const side{15, 13, 3, 1, 1, 1};
  ConvShape const conv{4, 384, 256, 1, side, side};
  RowStationaryMapping const good{4, 13, 13, 16, 4, 1, 4};
  EXPECT_TRUE(fits(eyeriss(), conv, good));
  auto more = good;
  more.q = 5;  // 5 * 3 words of input, 12 in the spad
  EXPECT_FALSE(fits(eyeriss(), conv, more));
  more = good;
  more.p = 19;  // 19 * 4 * 3 = 228 words of filters, 224 in the spad
  EXPECT_FALSE(fits(eyeriss(), conv, more));
  more = good;
  more.t = 5;  // a fifth set of three rows, twelve in the array
  EXPECT_FALSE(fits(eyeriss(), conv, more));
  auto small = eyeriss();
  small.buffer = {Bytes{22 * 4096},
                  22};  // 64 planes of 4 * 13 * 13 sums are 21.1 banks, the inputs 1.8
  EXPECT_FALSE(fits(small, conv, good));
}

TEST(RowStationary, TheSearchIsNeverSlowerThanTheChipsMappings) {
  // AlexNet, JSSC'17, Table III.
  struct Layer {
    ConvSide side;
    std::int64_t filters, channels, groups;
    RowStationaryMapping mapping;
  };
  std::vector<Layer> const layers = {
      {{227, 55, 11, 4, 1, 0}, 96, 3, 1, {1, 7, 55, 16, 1, 1, 2}},
      {{31, 27, 5, 1, 1, 0}, 256, 96, 2, {1, 27, 27, 16, 2, 1, 1}},
      {{15, 13, 3, 1, 1, 0}, 384, 256, 1, {4, 13, 13, 16, 3, 2, 2}},
      {{15, 13, 3, 1, 1, 0}, 384, 384, 2, {4, 13, 13, 16, 3, 2, 2}},
      {{15, 13, 3, 1, 1, 0}, 256, 384, 2, {4, 13, 13, 16, 3, 2, 2}},
  };
  auto const core = eyeriss();
  for (auto const& layer : layers) {
    ConvShape const conv{4, layer.filters, layer.channels, layer.groups, layer.side, layer.side};
    auto const found = choose_mapping(core, conv);
    EXPECT_TRUE(fits(core, conv, found));
    EXPECT_LE(row_stationary_cost(core, conv, found).cycles,
              row_stationary_cost(core, conv, layer.mapping).cycles);
  }
}

TEST(RowStationary, EdgesOfFiltersChannelsImagesAndRowsLoseNoMac) {
  Draw draw{41};
  auto const core = eyeriss();
  for (int trial = 0; trial < 200; ++trial) {
    auto const side = [&draw] {
      ConvSide result{0, draw(1, 30), draw(1, 5), draw(1, 2), 1, 0};
      result.input = (result.output - 1) * result.stride + result.taps;
      return result;
    };
    ConvShape const conv{draw(1, 5), draw(1, 70), draw(1, 40), 1, side(), side()};
    auto const cost = row_stationary_cost(core, conv, choose_mapping(core, conv));
    EXPECT_EQ(cost.macs, analytical_macs(conv, Phase::forward));
    EXPECT_GE(cost.cycles.value() * 168, cost.macs.value());
  }
}

TEST(RowStationary, EveryPhaseOfTheZooRunsOnHyParsProcessingUnit) {
  auto const core = std::get<RowStationaryCoreSpec>(arch::load_core("hypar-pu").unit);
  for (auto const* const name : {"hypar/lenet-c", "hypar/alexnet"}) {
    auto const network = workloads::load(name, {"batch=4"});
    for (auto const& op : network.operators()) {
      auto const shape = shape_of(op, op.extents);
      for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
        for (auto const& conv : convolutions_of(core, shape, phase)) {
          auto const cost = row_stationary_cost(core, conv, choose_mapping(core, conv));
          EXPECT_GT(cost.cycles, Cycles{0}) << op.name;
          EXPECT_GE(cost.macs, Macs{1});
        }
      }
    }
  }
}

TEST(RowStationary, PhasesOfAConvolutionThatFitsKeepItsMacs) {
  ConvSide const side{12, 12, 3, 1, 1, 1};
  ConvShape const conv{2, 8, 6, 2, side, side};
  auto const core = eyeriss();
  for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
    Macs sum{0};
    for (auto const& part : convolutions_of(core, conv, phase)) {
      sum += analytical_macs(part, Phase::forward);
    }
    EXPECT_EQ(sum, analytical_macs(conv, phase)) << name(phase);
  }
}

TEST(RowStationary, AProductIsAConvolutionOfOneByOne) {
  auto const parts = convolutions_of(eyeriss(), MatmulShape{{3, 10, 20, 30}}, Phase::forward);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(analytical_macs(parts[0], Phase::forward), Macs{3 * 10 * 20 * 30});
  EXPECT_EQ(parts[0].groups, 3);
}

TEST(RowStationary, ManySamplesOfManyInputsAreTakenFewAtATime) {
  // One output of 10^4 inputs: 64 samples of 12 * 168 words are more than the buffer holds.
  ConvShape conv;
  conv.samples = 1000;
  conv.channels = 10'000;
  auto const mapping = choose_mapping(eyeriss(), conv);
  EXPECT_LT(mapping.n, 61);
  EXPECT_EQ(row_stationary_cost(eyeriss(), conv, mapping).macs, Macs{1000 * 10'000});
}

TEST(RowStationary, ABufferWithoutRoomForOneRowIsTheUsersFault) {
  auto core = eyeriss();
  core.buffer = {Bytes{4}, 2};
  ConvSide const side{15, 13, 3, 1, 1, 1};
  EXPECT_THROW(static_cast<void>(choose_mapping(core, {1, 4, 4, 1, side, side})), ConfigError);
}

TEST(RowStationary, EnergyIsCountsTimesConstants) {
  auto const core = eyeriss();
  RowStationaryCost cost;
  cost.macs = Macs{1000};
  cost.register_accesses = Elements{4000};
  cost.network_words = Elements{500};
  cost.buffer_words = Elements{100};
  cost.memory_words = Elements{10};
  cost.cycles = Cycles{7};
  auto const energy = energy_of(core, cost);
  EXPECT_EQ(energy.macs, core.energy.mac * 1000.0);
  EXPECT_EQ(energy.registers, core.energy.register_file * 4000.0);
  EXPECT_EQ(energy.network, core.energy.network * 500.0);
  EXPECT_EQ(energy.buffer, core.energy.buffer * 100.0);
  EXPECT_EQ(energy.memory, core.energy.memory * 10.0);
  EXPECT_EQ(energy.clock, core.energy.cycle * 7.0);
  EXPECT_LT(energy_of(core, cost, 0.5).macs, energy.macs);
  EXPECT_LT(energy_of(core, cost, 0.5).registers, energy.registers);
  EXPECT_EQ(energy_of(core, cost, 0.5).buffer, energy.buffer);
}

}  // namespace
}  // namespace tessera::sim

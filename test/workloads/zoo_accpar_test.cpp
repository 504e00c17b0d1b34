// AccPar's networks against published totals. Parameters and GMACs (listed as GFLOPS): the weight tables of
// torchvision.models (pytorch.org/vision), where not said otherwise. Our weights leave out vectors (biases, scales and
// shifts of normalisations), which are added here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "workloads/load.hpp"

namespace tessera::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

/// Vectors behind a convolution: a bias, or a scale and a shift of batch normalisation.
enum class Vectors { bias, batch_norm };

struct Published {
  char const* name;
  Vectors behind_convolutions;
  std::int64_t parameters;
  double giga_macs;  ///< per image, rounded as published
  double rounding;   ///< half of its last digit
  std::map<OperatorKind, int> structure;
};

std::ostream& operator<<(std::ostream& out, Published const& row) { return out << row.name; }

std::int64_t parameters(Network const& network, Vectors behind_convolutions) {
  auto sum = network.weights().value();
  for (auto const& op : network.operators()) {
    if (!op.weight) continue;
    bool const normalised =
        op.kind == OperatorKind::conv && behind_convolutions == Vectors::batch_norm;
    sum += op.extents[Dim::k] * (normalised ? 2 : 1);
  }
  return sum;
}

class AccParZoo : public testing::TestWithParam<Published> {
 protected:
  Network const network_ = load(GetParam().name);
};

// LeNet: Han et al. (NIPS 2015), Table 1, 431 K (Caffe's LeNet has 431,080); MACs 288 K + 1.6 M + 400 K + 5 K.
// alexnet: 60,965,224 (Caffe's bvlc_alexnet) and 724 M MACs, Sze et al. (Proc. IEEE 2017), Table II. accpar/alexnet
// has no groups: conv2, conv4 and conv5 have twice the weights and MACs of alexnet's.
INSTANTIATE_TEST_SUITE_P(
    Networks, AccParZoo,
    testing::Values(Published{"accpar/lenet",
                              Vectors::bias,
                              431'080,
                              0.002293,
                              5e-7,
                              {{OperatorKind::conv, 2}, {OperatorKind::linear, 2}}},
                    Published{"alexnet",
                              Vectors::bias,
                              60'965'224,
                              0.724,
                              0.0005,
                              {{OperatorKind::conv, 5}, {OperatorKind::linear, 3}}},
                    Published{"accpar/alexnet",
                              Vectors::bias,
                              60'965'224 + 307'200 + 663'552 + 442'368,
                              0.724 + 27 * 27 * 307'200e-9 + 13 * 13 * (663'552e-9 + 442'368e-9),
                              0.0005,
                              {{OperatorKind::conv, 5}, {OperatorKind::linear, 3}}},
                    Published{"accpar/vgg-11",
                              Vectors::bias,
                              132'863'336,
                              7.61,
                              0.005,
                              {{OperatorKind::conv, 8}, {OperatorKind::linear, 3}}},
                    Published{"accpar/vgg-13",
                              Vectors::bias,
                              133'047'848,
                              11.31,
                              0.005,
                              {{OperatorKind::conv, 10}, {OperatorKind::linear, 3}}},
                    Published{"accpar/vgg-16",
                              Vectors::bias,
                              138'357'544,
                              15.47,
                              0.005,
                              {{OperatorKind::conv, 13}, {OperatorKind::linear, 3}}},
                    Published{"accpar/vgg-19",
                              Vectors::bias,
                              143'667'240,
                              19.63,
                              0.005,
                              {{OperatorKind::conv, 16}, {OperatorKind::linear, 3}}},
                    Published{"accpar/resnet-18",
                              Vectors::batch_norm,
                              11'689'512,
                              1.81,
                              0.005,
                              {{OperatorKind::conv, 17 + 3},
                               {OperatorKind::linear, 1},
                               {OperatorKind::add, 8},
                               {OperatorKind::pool, 1}}},
                    Published{"accpar/resnet-34",
                              Vectors::batch_norm,
                              21'797'672,
                              3.66,
                              0.005,
                              {{OperatorKind::conv, 33 + 3},
                               {OperatorKind::linear, 1},
                               {OperatorKind::add, 16},
                               {OperatorKind::pool, 1}}},
                    Published{"accpar/resnet-50",
                              Vectors::batch_norm,
                              25'557'032,
                              4.09,
                              0.005,
                              {{OperatorKind::conv, 49 + 4},
                               {OperatorKind::linear, 1},
                               {OperatorKind::add, 16},
                               {OperatorKind::pool, 1}}}));

TEST_P(AccParZoo, HasThePublishedParameters) {
  EXPECT_EQ(parameters(network_, GetParam().behind_convolutions), GetParam().parameters);
}

TEST_P(AccParZoo, HasThePublishedMacs) {
  auto const per_image = static_cast<double>(network_.macs(Phase::forward).value()) /
                         static_cast<double>(network_.batch());
  EXPECT_NEAR(per_image * 1e-9, GetParam().giga_macs, GetParam().rounding);
}

TEST_P(AccParZoo, HasThePublishedOperators) {
  std::map<OperatorKind, int> structure;
  for (auto const& op : network_.operators()) ++structure[op.kind];
  EXPECT_EQ(structure, GetParam().structure);
}

std::vector<std::int64_t> shape_of(Network const& network, std::string const& op) {
  return network.at(network.at(network.find(op)).output.tensor).extents;
}

TEST(AccParShapes, OfAlexNetAreThoseOfThePaper) {
  for (auto const* const name : {"alexnet", "accpar/alexnet"}) {
    auto const network = load(name, {"batch=2"});
    EXPECT_EQ(network.at(network.find("conv1")).extents[Dim::h], 55) << name;
    EXPECT_THAT(shape_of(network, "conv1"), ElementsAre(2, 96, 27, 27)) << name;
    EXPECT_THAT(shape_of(network, "conv2"), ElementsAre(2, 256, 13, 13)) << name;
    EXPECT_THAT(shape_of(network, "conv3"), ElementsAre(2, 384, 13, 13)) << name;
    EXPECT_THAT(shape_of(network, "conv4"), ElementsAre(2, 384, 13, 13)) << name;
    EXPECT_THAT(shape_of(network, "conv5"), ElementsAre(2, 9216)) << name;
  }
}

// He et al. (CVPR 2016), Table 1: the maps of every stage.
TEST(AccParShapes, OfResidualStagesHalveFrom56To7) {
  struct Stage {
    std::string name;
    std::vector<int> blocks;  ///< of stages 2 to 5
    std::int64_t widening;
  };
  for (auto const& [name, blocks, widening] :
       {Stage{"accpar/resnet-18", {2, 2, 2, 2}, 1}, Stage{"accpar/resnet-34", {3, 4, 6, 3}, 1},
        Stage{"accpar/resnet-50", {3, 4, 6, 3}, 4}}) {
    SCOPED_TRACE(name);
    auto const network = load(name, {"batch=2"});
    EXPECT_THAT(shape_of(network, "conv1"), ElementsAre(2, 64, 56, 56));
    std::int64_t side = 56;
    std::int64_t width = 64;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
      for (int block = 1; block <= blocks[stage]; ++block) {
        auto const op = "conv" + std::to_string(stage + 2) + "_" + std::to_string(block);
        EXPECT_THAT(shape_of(network, op), ElementsAre(2, width * widening, side, side)) << op;
      }
      side /= 2;
      width *= 2;
    }
    EXPECT_THAT(shape_of(network, "pool"), ElementsAre(2, 512 * widening));
  }
}

TEST(AccParShapes, OfShortcutsJoinTheBlockAndItsInput) {
  auto const network = load("accpar/resnet-50");
  auto const reads = [&](std::string const& op) {
    std::vector<std::string> names;
    for (auto const& input : network.at(network.find(op)).inputs) {
      names.push_back(network.at(input.tensor).name);
    }
    return names;
  };
  EXPECT_THAT(reads("conv3_1"), ElementsAre("conv3_1/c", "conv3_1/shortcut"));
  EXPECT_THAT(reads("conv3_1/shortcut"), ElementsAre("conv2_3"));
  EXPECT_THAT(reads("conv3_2"), ElementsAre("conv3_2/c", "conv3_1"));
  EXPECT_THAT(reads("conv3_3/a"), ElementsAre("conv3_2"));
}

/// A layer of the authors' table: channels and side read, channels and side left, kernel.
using Layer = std::array<std::int64_t, 5>;

std::vector<Layer> weighted_layers(Network const& network) {
  std::vector<Layer> layers;
  for (auto const& op : network.operators()) {
    if (!op.weight) continue;
    auto const& left = network.at(op.output.tensor).extents;
    auto const area = left.size() == 4 ? left[2] * left[3] : left[1] / op.extents[Dim::k];
    auto side = std::int64_t{1};
    while (side * side < area) ++side;
    layers.push_back(
        {op.extents[Dim::c], op.input_rows, op.extents[Dim::k], side, op.extents[Dim::r]});
  }
  return layers;
}

// github.com/linghaosong/AccPar, Alexnet.txt.
TEST(AccParReleased, AlexNetHasEveryLayerOfTheTable) {
  EXPECT_THAT(
      weighted_layers(load("accpar-released/alexnet")),
      ElementsAre(Layer{3, 224, 96, 55, 11}, Layer{96, 55, 256, 27, 5}, Layer{256, 27, 384, 13, 3},
                  Layer{384, 13, 384, 13, 3}, Layer{384, 13, 256, 6, 3}, Layer{9216, 1, 4096, 1, 1},
                  Layer{4096, 1, 4096, 1, 1}, Layer{4096, 1, 1000, 1, 1}));
}

// Sums of in_ch * out_ch * kernel^2 over the tables.
TEST(AccParReleased, HasTheWeightsAndLayersOfTheTables) {
  std::map<std::string, std::pair<std::int64_t, std::size_t>> totals;
  for (auto const* const name : {"alexnet", "vgg11", "resnet18", "resnet34", "resnet50"}) {
    auto const network = load(std::string{"accpar-released/"} + name);
    totals[name] = {network.weights().value(), weighted_layers(network).size()};
  }
  EXPECT_THAT(totals, UnorderedElementsAre(Pair("alexnet", Pair(62'367'776, 8)),
                                           Pair("vgg11", Pair(132'851'392, 11)),
                                           Pair("resnet18", Pair(14'591'168, 18)),
                                           Pair("resnet34", Pair(24'691'904, 34)),
                                           Pair("resnet50", Pair(19'662'016, 50))));
}

TEST(AccParReleased, StagesOfAResNetReadWhatTheTableSaysAndNotWhatTheLayerBeforeLeaves) {
  auto const layers = weighted_layers(load("accpar-released/resnet50"));
  EXPECT_EQ(layers.at(3), (Layer{64, 56, 256, 56, 1}));
  EXPECT_EQ(layers.at(4), (Layer{64, 56, 64, 56, 1}));
  EXPECT_EQ(layers.at(10), (Layer{128, 28, 128, 28, 1}));
  EXPECT_EQ(layers.at(48), (Layer{512, 7, 2048, 7, 1}));
  EXPECT_EQ(layers.at(49), (Layer{2048, 1, 1000, 1, 1}));
}

TEST(AccParList, NamesTheNetworksWithTheirSources) {
  int real = 0;
  int released = 0;
  for (auto const& network : builtin_networks()) {
    if (network.name.rfind("accpar/", 0) == 0) {
      ++real;
      EXPECT_THAT(network.description, HasSubstr("HPCA 2020")) << network.name;
    }
    if (network.name.rfind("accpar-released/", 0) == 0) {
      ++released;
      EXPECT_THAT(network.description, HasSubstr("github.com/linghaosong")) << network.name;
    }
  }
  EXPECT_EQ(real, 9);
  EXPECT_EQ(released, 5);
}

}  // namespace
}  // namespace tessera::workloads

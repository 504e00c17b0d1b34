// The zoo against published totals. Weights: Fig. 8 of HyPar (HPCA 2019) at 120 B per weight; MACs: the layer tables of the
// networks' own papers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/load.hpp"

namespace tessera::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct PublishedByHyPar {
  char const* name;
  std::int64_t weights;
  std::int64_t macs;  ///< forward, per image
  std::size_t layers;
};

std::ostream& operator<<(std::ostream& out, PublishedByHyPar const& row) { return out << row.name; }

class Zoo : public testing::TestWithParam<PublishedByHyPar> {
 protected:
  Network const network_ = load(GetParam().name);
};

// AlexNet's forward MACs are on output maps: 55^2 * 48 * 3 * 11^2 + 55^2 * 128 * 48 * 5^2 + 27^2 * 192 * 128 * 3^2
// + 13^2 * 192 * 192 * 3^2 + 13^2 * 128 * 192 * 3^2 + 4608 * 2048 + 2048 * 2048 + 2048 * 1000.
INSTANTIATE_TEST_SUITE_P(
    Hypar, Zoo,
    testing::Values(PublishedByHyPar{"hypar/sfc", 140'722'176, 140'722'176, 4},
                    PublishedByHyPar{"hypar/sconv", 100'500, 12'588'000, 4},
                    PublishedByHyPar{"hypar/lenet-c", 430'500, 2'293'000, 4},
                    PublishedByHyPar{"hypar/cifar-c", 145'376, 12'354'176, 5},
                    PublishedByHyPar{"hypar/alexnet", 16'624'656, 787'720'464, 8},
                    PublishedByHyPar{"hypar/vgg-a", 132'851'392, 7'609'090'048, 11},
                    PublishedByHyPar{"hypar/vgg-b", 133'035'712, 11'308'466'176, 13},
                    PublishedByHyPar{"hypar/vgg-c", 133'625'536, 11'770'888'192, 16},
                    PublishedByHyPar{"hypar/vgg-d", 138'344'128, 15'470'264'320, 16},
                    PublishedByHyPar{"hypar/vgg-e", 143'652'544, 19'632'062'464, 19}));

TEST_P(Zoo, HasThePublishedWeights) {
  EXPECT_EQ(network_.weights(), Elements{GetParam().weights});
  EXPECT_EQ(network_.macs(Phase::update), Macs{GetParam().weights});
}

TEST_P(Zoo, HasThePublishedMacsInEachOfThreeMultiplications) {
  Macs const batch = Macs{GetParam().macs} * 256;
  EXPECT_EQ(network_.macs(Phase::forward), batch);
  EXPECT_EQ(network_.macs(Phase::backward_data), batch);
  EXPECT_EQ(network_.macs(Phase::backward_weight), batch);
}

TEST_P(Zoo, IsAChainOfSamplesInSinglePrecision) {
  EXPECT_EQ(network_.name(), GetParam().name);
  EXPECT_EQ(network_.batch(), 256);
  EXPECT_EQ(network_.element_size(), Bytes{4});
  EXPECT_EQ(network_.operators().size(), GetParam().layers);
  for (std::size_t index = 1; index < network_.operators().size(); ++index) {
    auto const& op = network_.at(OperatorId{index});
    EXPECT_EQ(network_.at(op.inputs.at(0).tensor).producer, OperatorId{index - 1}) << op.name;
  }
}

std::vector<std::int64_t> shape_in(Network const& network, std::string const& op) {
  return network.at(network.at(network.find(op)).output.tensor).extents;
}

TEST(ZooShapes, AreThoseOfCaffeWherePoolsRoundUp) {
  auto const cifar = load("hypar/cifar-c");
  EXPECT_THAT(shape_in(cifar, "conv1"), ElementsAre(256, 32, 16, 16));
  EXPECT_THAT(shape_in(cifar, "conv2"), ElementsAre(256, 32, 8, 8));
  EXPECT_THAT(shape_in(cifar, "conv3"), ElementsAre(256, 64 * 4 * 4));
}

TEST(ZooShapes, MeetBetweenConvolutionsAndLinearOperators) {
  auto const features = [](char const* name, char const* fc) {
    auto const network = load(name);
    return network.at(network.find(fc)).extents[Dim::c];
  };
  EXPECT_EQ(features("hypar/lenet-c", "fc1"), 50 * 4 * 4);
  EXPECT_EQ(features("hypar/cifar-c", "fc1"), 64 * 4 * 4);
  EXPECT_EQ(features("hypar/alexnet", "fc1"), 128 * 6 * 6);
  for (auto const* const vgg :
       {"hypar/vgg-a", "hypar/vgg-b", "hypar/vgg-c", "hypar/vgg-d", "hypar/vgg-e"}) {
    EXPECT_EQ(features(vgg, "fc1"), 512 * 7 * 7) << vgg;
  }
}

TEST(ZooShapes, OfSconvEndInOnePixel) {
  auto const sconv = load("hypar/sconv");
  EXPECT_THAT(shape_in(sconv, "conv1"), ElementsAre(256, 20, 24, 24));
  EXPECT_THAT(shape_in(sconv, "conv2"), ElementsAre(256, 50, 10, 10));
  EXPECT_THAT(shape_in(sconv, "conv3"), ElementsAre(256, 50, 6, 6));
  EXPECT_THAT(shape_in(sconv, "conv4"), ElementsAre(256, 10, 1, 1));
}

TEST(ZooShapes, OfAlexNetAreTheAccParReleases) {
  auto const alexnet = load("hypar/alexnet");
  EXPECT_THAT(shape_in(alexnet, "conv1"), ElementsAre(256, 48, 55, 55));
  EXPECT_THAT(shape_in(alexnet, "conv2"), ElementsAre(256, 128, 27, 27));
  EXPECT_THAT(shape_in(alexnet, "conv3"), ElementsAre(256, 192, 13, 13));
  EXPECT_THAT(shape_in(alexnet, "conv4"), ElementsAre(256, 192, 13, 13));
  EXPECT_THAT(shape_in(alexnet, "conv5"), ElementsAre(256, 128 * 6 * 6));
}

// Fig. 6 of HyPar needs MACs counted on input maps: 1.609 G per image for AlexNet.
TEST(ZooShapes, GiveAlexNetTheMacsOnInputMapsThatHyParCounts) {
  auto const alexnet = load("hypar/alexnet");
  std::int64_t macs = 0;
  for (auto const& op : alexnet.operators()) {
    auto const& e = op.extents;
    macs += e[Dim::k] * e[Dim::c] * e[Dim::r] * e[Dim::s] * op.input_rows * op.input_columns;
  }
  EXPECT_NEAR(static_cast<double>(macs), 1.609e9, 0.0005e9);
}

TEST(ZooList, NamesTenHyParNetworksEachWithItsSource) {
  std::vector<std::string> names;
  for (auto const& network : builtin_networks()) {
    if (network.name.rfind("hypar/", 0) != 0) continue;
    names.push_back(network.name);
    EXPECT_THAT(network.description, HasSubstr("HPCA 2019")) << network.name;
  }
  EXPECT_EQ(names.size(), 10U);
}

TEST(ZooList, LoadsWhateverItNames) {
  for (auto const& network : builtin_networks()) {
    EXPECT_EQ(load(network.name).name(), network.name);
  }
}

}  // namespace
}  // namespace tessera::workloads

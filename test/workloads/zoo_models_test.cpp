// The networks that other papers evaluate, against published totals. Our weights leave out vectors (biases, scales and
// shifts), which are added here by the rule of each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "workloads/load.hpp"

namespace tessera::workloads {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> output_shape_of(Network const& network, std::string const& op) {
  return network.at(network.at(network.find(op)).output.tensor).extents;
}

double giga_macs_per_sample(Network const& network) {
  return static_cast<double>(network.macs(Phase::forward).value()) /
         static_cast<double>(network.batch()) * 1e-9;
}

/// Elements of the vectors that accompany each operator of a kind, per feature, channel or unit.
using VectorsPerUnit = std::map<OperatorKind, std::int64_t>;

std::int64_t vectors(Network const& network, VectorsPerUnit const& rule) {
  std::int64_t sum = 0;
  for (auto const& op : network.operators()) {
    auto const found = rule.find(op.kind);
    if (found != rule.end()) sum += found->second * op.extents[Dim::k];
  }
  return sum;
}

// torchvision.models.resnet101, ResNet101_Weights: num_params 44549160, 7.80 GFLOPS (MACs).
TEST(ResNet101, HasThePublishedTotals) {
  auto const network = load("resnet-101");
  VectorsPerUnit const rule = {{OperatorKind::conv, 2}, {OperatorKind::linear, 1}};
  EXPECT_EQ(network.weights().value() + vectors(network, rule), 44'549'160);
  EXPECT_NEAR(giga_macs_per_sample(network), 7.80, 0.005);
  EXPECT_THAT(output_shape_of(network, "conv4_23"), ElementsAre(256, 1024, 14, 14));
}

// torchvision.models.inception_v3, Inception_V3_Weights: num_params 27161264 with the auxiliary classifier (1x1 of 768 to 128,
// 5x5 of 128 to 768, each with batch normalisation, and 768 to 1000 with a bias), 5.71 GFLOPS (MACs) without.
TEST(InceptionV3, HasThePublishedTotals) {
  auto const network = load("inception-v3");
  VectorsPerUnit const rule = {{OperatorKind::conv, 2}, {OperatorKind::linear, 1}};
  std::int64_t const auxiliary = 768 * 128 + 2 * 128 + 128 * 768 * 25 + 2 * 768 + 768 * 1000 + 1000;
  EXPECT_EQ(network.weights().value() + vectors(network, rule) + auxiliary, 27'161'264);
  EXPECT_NEAR(giga_macs_per_sample(network), 5.71, 0.005);
}

// Szegedy et al. (CVPR 2016), Table 1.
TEST(InceptionV3, HasTheShapesOfThePaper) {
  auto const network = load("inception-v3", {"batch=2"});
  EXPECT_THAT(output_shape_of(network, "conv3"), ElementsAre(2, 64, 73, 73));
  EXPECT_THAT(output_shape_of(network, "conv5"), ElementsAre(2, 192, 35, 35));
  EXPECT_THAT(output_shape_of(network, "mixed2"), ElementsAre(2, 288, 35, 35));
  EXPECT_THAT(output_shape_of(network, "mixed3"), ElementsAre(2, 768, 17, 17));
  EXPECT_THAT(output_shape_of(network, "mixed7"), ElementsAre(2, 768, 17, 17));
  EXPECT_THAT(output_shape_of(network, "mixed8"), ElementsAre(2, 1280, 8, 8));
  EXPECT_THAT(output_shape_of(network, "mixed10"), ElementsAre(2, 2048, 8, 8));
  EXPECT_THAT(output_shape_of(network, "pool"), ElementsAre(2, 2048));
}

struct DenseNet {
  char const* name;
  std::int64_t parameters;
  double giga_macs;
  std::size_t convolutions;
  std::int64_t last_channels;
};

std::ostream& operator<<(std::ostream& out, DenseNet const& row) { return out << row.name; }

class DenseNets : public testing::TestWithParam<DenseNet> {};

// torchvision.models.densenet121 and 201: num_params 7978856 and 20013928, 2.83 and 4.29 GFLOPS (MACs). Depth and channels: Huang et
// al. (CVPR 2017), Table 1; the depth counts the convolutions and the linear operator.
INSTANTIATE_TEST_SUITE_P(Zoo, DenseNets,
                         testing::Values(DenseNet{"densenet-121", 7'978'856, 2.83, 120, 1024},
                                         DenseNet{"densenet-201", 20'013'928, 4.29, 200, 1920}));

TEST_P(DenseNets, HaveThePublishedTotals) {
  auto const& row = GetParam();
  auto const network = load(row.name);
  // Batch normalisation of what every convolution but the first reads, of the first's output, and of
  // the last block's.
  std::int64_t scales = 2 * 64 + 2 * row.last_channels;
  std::size_t convolutions = 0;
  for (auto const& op : network.operators()) {
    if (op.kind != OperatorKind::conv) continue;
    if (convolutions++ > 0) scales += 2 * op.extents[Dim::c];
  }
  EXPECT_EQ(convolutions, row.convolutions);
  EXPECT_EQ(network.weights().value() + scales + 1000, row.parameters);
  EXPECT_NEAR(giga_macs_per_sample(network), row.giga_macs, 0.005);
  EXPECT_THAT(output_shape_of(network, "dense4"), ElementsAre(256, row.last_channels, 7, 7));
}

TEST(DenseNet121, GivesEveryLayerWhatAllBeforeItInItsBlockCompute) {
  auto const network = load("densenet-121");
  EXPECT_EQ(network.at(network.find("dense3_24/all")).inputs.size(), 24U);
  EXPECT_EQ(network.at(network.at(network.find("dense3_1")).output.tensor).consumers.size(), 24U);
}

// Press and Wolf (EACL 2017) give 66 M parameters for the large model of Zaremba et al. (2014; recalled).
TEST(Rnnlm, HasThePublishedParameters) {
  auto const network = load("rnnlm");
  VectorsPerUnit const rule = {{OperatorKind::lstm, 4}, {OperatorKind::linear, 1}};
  EXPECT_NEAR(static_cast<double>(network.weights().value() + vectors(network, rule)), 66e6, 0.5e6);
  // Every weight but the embedding's multiplies once per word.
  EXPECT_EQ(network.macs(Phase::forward),
            Macs{network.batch()} * 35 * (network.weights().value() - 10'000 * 1500));
}

// Five operators of eight steps each are a layer of 40 steps: the same weights once, and as many products.
TEST(Unrolled, HasTheWeightsOfALayerOnceAndItsProductsForEveryStep) {
  auto const nmt = load("nmt-unrolled");
  std::int64_t const layer = 4 * 1024 * 2048;
  std::int64_t const words = 32'000 * 1024;
  EXPECT_EQ(nmt.weights().value(), 4 * layer + 3 * words);
  EXPECT_EQ(nmt.macs(Phase::forward), Macs{nmt.batch()} * 40 * (4 * layer + words));
  auto const rnnlm = load("rnnlm-unrolled");
  EXPECT_EQ(rnnlm.weights().value(), 2 * (4 * 2048 * 4096) + 2 * (10'000 * 2048));
  auto const& second = rnnlm.at(rnnlm.find("lstm1_2"));
  EXPECT_EQ(second.inputs.back().tensor, rnnlm.at(rnnlm.find("lstm1_1")).output.tensor);
}

// NVIDIA DeepLearningExamples, PyTorch/Translation/GNMT prints 159605817 parameters (recalled; 31,800 words are inferred: with them
// it comes out). The embeddings share one table there; a cell has two biases per gate; additive attention has v, a bias and a scale;
// query and key have no bias.
TEST(Gnmt, HasThePublishedParameters) {
  auto const network = load("gnmt");
  std::int64_t const table = 31'800 * 1024;
  std::int64_t const attention = 1024 + 1024 + 1;
  auto const cells = vectors(network, {{OperatorKind::lstm, 2 * 4}});
  EXPECT_EQ(network.weights().value() - table + cells + 31'800 + attention, 159'605'817);
}

TEST(Gnmt, JoinsBothDirectionsAndGivesTheAttentionToEveryDecoderLayerButTheFirst) {
  auto const network = load("gnmt", {"batch=2"});
  EXPECT_THAT(output_shape_of(network, "encoder1"), ElementsAre(2, 50, 2048));
  EXPECT_THAT(output_shape_of(network, "decoder4/both"), ElementsAre(2, 50, 2048));
  EXPECT_EQ(network.at(network.at(network.find("attention")).output.tensor).consumers.size(), 3U);
  EXPECT_EQ(network.at(network.find("decoder1")).extents[Dim::c], 1024 + 1024);
  EXPECT_EQ(network.at(network.find("decoder2")).extents[Dim::c], 2048 + 1024);
}

// PipeDream's repository (commit 7db6a1c), profile gnmt_large: the parameter bytes of all nodes, 1,110,870,272, are of single precision.
// Its tables are two; its attention has one vector.
TEST(Gnmt16, HasTheParametersOfPipeDreamsProfile) {
  auto const network = load("gnmt-16");
  auto const cells = vectors(network, {{OperatorKind::lstm, 2 * 4}});
  EXPECT_EQ((network.weights().value() + cells + 32'320 + 1024) * 4, 1'110'870'272);
}

TEST(Gnmt16, MultipliesEveryWeightButTheTablesOncePerWord) {
  auto const network = load("gnmt-16", {"batch=1"});
  auto const tables = 2 * 32'320 * 1024;
  auto const attention = 2 * 25 * 25 * 1024;  // scores and context
  EXPECT_EQ(network.macs(Phase::forward),
            Macs{25} * (network.weights().value() - tables) + Macs{attention});
  EXPECT_EQ(network.at(network.at(network.find("attention")).output.tensor).consumers.size(), 7U);
}

struct Transformer {
  char const* name;
  std::int64_t layers;
  std::int64_t width;
  std::int64_t heads;
  std::int64_t parameters;   ///< of the released model
  std::int64_t output_rows;  ///< of an output that shares its weights with the embedding
};

std::ostream& operator<<(std::ostream& out, Transformer const& row) { return out << row.name; }

class Transformers : public testing::TestWithParam<Transformer> {
 protected:
  Network const network_ = load(GetParam().name, {"batch=2"});
};

// Hugging Face: bert-base-uncased 109482240, bert-large-uncased 335141888 (BertModel), gpt2 124439808 (GPT2LMHeadModel).
INSTANTIATE_TEST_SUITE_P(Zoo, Transformers,
                         testing::Values(Transformer{"bert-base", 12, 768, 12, 109'482'240, 0},
                                         Transformer{"bert-large", 24, 1024, 16, 335'141'888, 0},
                                         Transformer{"gpt-2", 12, 768, 12, 124'439'808, 50'257}));

// Brown et al. (2020), Table 2.1: 175 B parameters, 96 layers of 12288, 96 heads, of sequences of 2048; 12 L h^2 and what is small beside it.
INSTANTIATE_TEST_SUITE_P(Gpt3, Transformers,
                         testing::Values(Transformer{"gpt-3", 96, 12'288, 96, 174'604'259'328,
                                                     50'257}));

// Narayanan et al. (SC 2021), equation 2, of L layers of width h, V tokens and s positions: 12 L h^2 (1 + 13 / 12 h + (V + s) / 12 L h).
// GPT has a normalisation of 2 h at its end besides. BERT has it behind its embeddings, 2 h of segments, and the pooler.
constexpr std::int64_t gpt_parameters(std::int64_t layers, std::int64_t width) {
  return layers * (12 * width + 13) * width + (50'257 + 512) * width + 2 * width;
}
constexpr std::int64_t bert_parameters(std::int64_t layers, std::int64_t width) {
  auto const pooler = width * (width + 1);
  return layers * (12 * width + 13) * width + (30'522 + 512 + 2) * width + 2 * width + pooler;
}

INSTANTIATE_TEST_SUITE_P(
    PipeDream2BW, Transformers,
    testing::Values(Transformer{"bert-355m", 24, 1024, 16, bert_parameters(24, 1024), 0},
                    Transformer{"bert-1.3b", 24, 2048, 16, bert_parameters(24, 2048), 0},
                    Transformer{"bert-2.2b", 32, 2304, 32, bert_parameters(32, 2304), 0},
                    Transformer{"bert-3.8b", 32, 3072, 32, bert_parameters(32, 3072), 0},
                    Transformer{"gpt-355m", 24, 1024, 16, gpt_parameters(24, 1024), 50'257},
                    Transformer{"gpt-1.3b", 24, 2048, 16, gpt_parameters(24, 2048), 50'257},
                    Transformer{"gpt-2.2b", 32, 2304, 32, gpt_parameters(32, 2304), 50'257},
                    Transformer{"gpt-3.8b", 32, 3072, 32, gpt_parameters(32, 3072), 50'257}));

// Hugging Face's gpt2-medium has 354823168 parameters with 1024 positions, bert-large-uncased 335141888. The names of the sizes go by GPT.
TEST(PipeDream2BWSizes, AreThoseOfTheReleasedModelsAndOfTheirNames) {
  EXPECT_EQ(gpt_parameters(24, 1024) + 512 * 1024, 354'823'168);
  EXPECT_EQ(bert_parameters(24, 1024), 335'141'888);
  EXPECT_NEAR(gpt_parameters(24, 1024) * 1e-6, 355, 1);
  EXPECT_NEAR(gpt_parameters(24, 2048) * 1e-9, 1.3, 0.05);
  EXPECT_NEAR(gpt_parameters(32, 2304) * 1e-9, 2.2, 0.05);
  EXPECT_NEAR(gpt_parameters(32, 3072) * 1e-9, 3.8, 0.05);
}

TEST_P(Transformers, HaveTheirParameters) {
  auto const& row = GetParam();
  VectorsPerUnit const rule = {{OperatorKind::linear, 1}, {OperatorKind::layer_norm, 2}};
  auto const no_biases = row.output_rows;
  EXPECT_EQ(network_.weights().value() + vectors(network_, rule) - no_biases, row.parameters);
}

// Chowdhery et al. (PaLM, 2022), appendix B: per token 6 N + 12 L H Q T FLOPs forward and backward, a third of them forward, two
// per MAC: N + 2 L H Q T, N being the weights that multiply at every position. BERT's pooler multiplies at one.
TEST_P(Transformers, HaveTheMacsOfThePublishedFormula) {
  auto const& row = GetParam();
  auto const tokens = network_.at(TensorId{0}).extents[1];
  auto const pooler = row.output_rows > 0 ? 0 : row.width * row.width;
  auto const n = row.layers * 12 * row.width * row.width + row.output_rows * row.width;
  EXPECT_EQ(network_.macs(Phase::forward),
            Macs{2} * (tokens * (n + 2 * row.layers * row.width * tokens) + pooler));
}

TEST_P(Transformers, HaveTwoProductsOfActivationsPerLayerWithAnErrorForEachOfTheirInputs) {
  std::int64_t products = 0;
  for (auto const& op : network_.operators()) {
    if (!multiplies_activations(op.kind)) continue;
    ++products;
    EXPECT_EQ(op.extents[Dim::k], GetParam().heads) << op.name;
    EXPECT_EQ(op.macs(Phase::backward_data), op.macs(Phase::forward) * 2) << op.name;
    EXPECT_FALSE(op.has(Phase::backward_weight)) << op.name;
  }
  EXPECT_EQ(products, 2 * GetParam().layers);
}

// Sun et al. (MobileBERT, ACL 2020), Table 4 (recalled): 22.5 G FLOPs for sequences of 128.
TEST(BertBase, NeedsThePublishedFlopsForSequencesOf128) {
  auto const network = load("bert-base", {"batch=2", "input.positions=128"});
  EXPECT_NEAR(2 * giga_macs_per_sample(network), 22.5, 0.01 * 22.5);
}

}  // namespace
}  // namespace tessera::workloads

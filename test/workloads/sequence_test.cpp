// Operators on sequences, and what joins tensors: shapes, MACs, and which loops may be split.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"
#include "workloads/shapes.hpp"

namespace tessera::workloads {
namespace {

using test::error_of;
using test::network_of;
using test::NetworkText;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

NetworkText const sequences{"{name: x, positions: 6, features: 8}"};
NetworkText const ids{"{name: x, positions: 6}"};

/// The operator named a in a network of sequences.
class Operators {
 public:
  explicit Operators(std::vector<std::string> const& operators, NetworkText const& text = sequences)
      : network_{network_of(text.with(operators))} {}

  [[nodiscard]] Operator const& a() const { return network_.at(network_.find("a")); }
  [[nodiscard]] Shape shape() const { return network_.at(a().output.tensor).extents; }

 private:
  Network network_;
};

std::string const query = "{name: q, kind: linear, input: x, outputs: 8}";
std::string const key = "{name: k, kind: linear, input: x, outputs: 8}";
std::string const scores = "{name: a, kind: scores, inputs: [q, k], heads: 2}";

TEST(Linear, WorksAtEveryPositionOfASequence) {
  Operators const made({"{name: a, kind: linear, input: x, outputs: 5}"});
  EXPECT_THAT(made.shape(), ElementsAre(4, 6, 5));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{4 * 6 * 8 * 5});
  EXPECT_EQ(made.a().macs(Phase::update), Macs{8 * 5});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h));
}

TEST(Embedding, CopiesARowPerIdAndLearnsItsTable) {
  Operators const made({"{name: a, kind: embedding, input: x, entries: 100, outputs: 8}"}, ids);
  EXPECT_THAT(made.shape(), ElementsAre(4, 6, 8));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{0});
  EXPECT_EQ(made.a().macs(Phase::backward_weight), Macs{0});
  EXPECT_EQ(made.a().macs(Phase::update), Macs{100 * 8});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h));
}

TEST(Embedding, HasNoErrorForItsIds) {
  auto text = ids;
  text.more = "training: {input_error: computed}\n";
  Operators const made({"{name: a, kind: embedding, input: x, entries: 9, outputs: 8}"}, text);
  EXPECT_FALSE(made.a().has(Phase::backward_data));
  EXPECT_TRUE(made.a().has(Phase::backward_weight));
}

TEST(Lstm, MultipliesFourGatesByInputAndStateAtEveryStep) {
  Operators const made({"{name: a, kind: lstm, input: x, hidden: 5}"});
  EXPECT_THAT(made.shape(), ElementsAre(4, 6, 5));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{4 * 6 * 4 * 5 * (8 + 5)});
  EXPECT_EQ(made.a().macs(Phase::update), Macs{4 * 5 * (8 + 5)});
}

TEST(Lstm, IsSplitOverSamplesOnlySinceStepsDependOnEachOther) {
  Operators const made({"{name: a, kind: lstm, input: x, hidden: 8}"});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n));
}

TEST(Lstm, GoesOnWhereAnotherStopped) {
  Operators const made({"{name: b, kind: lstm, input: x, hidden: 5}",
                        "{name: a, kind: lstm, input: x, hidden: 5, state: b, tied_to: b}"});
  ASSERT_EQ(made.a().inputs.size(), 2U);
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{4 * 6 * 4 * 5 * (8 + 5)});
}

TEST(Scores, AreAProductPerHeadOfQueriesAndKeys) {
  Operators const made({query, key, scores});
  EXPECT_THAT(made.shape(), ElementsAre(4, 2, 6, 6));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{4 * 2 * 6 * 6 * (8 / 2)});
  EXPECT_EQ(made.a().macs(Phase::backward_data), made.a().macs(Phase::forward) * 2);
  EXPECT_EQ(made.a().macs(Phase::backward_weight), Macs{0});
  EXPECT_FALSE(made.a().has(Phase::update));
}

TEST(Scores, AreSplitOverHeadsQueriesAndKeysButNotWithinAHead) {
  Operators const made({query, key, scores});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h, Dim::w));
  EXPECT_FALSE(made.a().can_split(Dim::c));
}

TEST(Context, IsAProductPerHeadOfProbabilitiesAndValues) {
  Operators const made({query, key, "{name: s, kind: scores, inputs: [q, k], heads: 2}",
                        "{name: p, kind: softmax, input: s}",
                        "{name: v, kind: linear, input: x, outputs: 10}",
                        "{name: a, kind: context, inputs: [p, v]}"});
  EXPECT_THAT(made.shape(), ElementsAre(4, 6, 10));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{4 * 2 * 6 * 6 * (10 / 2)});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::c, Dim::h));
}

TEST(Softmax, NeedsAllOfTheLastAxis) {
  Operators const of_scores({query, key, "{name: s, kind: scores, inputs: [q, k], heads: 2}",
                             "{name: a, kind: softmax, input: s}"});
  EXPECT_THAT(of_scores.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h));
  Operators const of_features({"{name: a, kind: softmax, input: x}"});
  EXPECT_THAT(of_features.a().splittable_dims(), ElementsAre(Dim::n, Dim::h));
}

TEST(LayerNorm, NeedsAllFeatures) {
  Operators const made({"{name: a, kind: layer_norm, input: x}"});
  EXPECT_THAT(made.shape(), ElementsAre(4, 6, 8));
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::h));
  EXPECT_EQ(made.a().macs(Phase::forward), Macs{0});
}

TEST(Add, OfSequencesIsSplitOverPositionsAndFeatures) {
  Operators const made({query, "{name: a, kind: add, inputs: [q, x]}"});
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::k, Dim::h));
}

TEST(Concat, HoldsItsInputsOneBehindTheOther) {
  Operators const made({"{name: b, kind: conv, input: x, filters: 5, kernel: 1}",
                        "{name: a, kind: concat, inputs: [x, b]}"},
                       NetworkText{});
  EXPECT_THAT(made.shape(), ElementsAre(4, 3 + 5, 8, 8));
  auto const& channels = made.a().inputs.at(1).axes.at(1);
  EXPECT_EQ(3 * channels.step - channels.before, 0);  // channel 3 is the second input's first
  EXPECT_THAT(made.a().splittable_dims(), ElementsAre(Dim::n, Dim::h, Dim::w));
  Operators const sequence({query, "{name: a, kind: concat, inputs: [x, q]}"});
  EXPECT_THAT(sequence.shape(), ElementsAre(4, 6, 16));
}

TEST(SequenceError, KnowsHeadsThatDoNotDivideFeatures) {
  EXPECT_THAT(
      error_of(sequences.with({query, key, "{name: a, kind: scores, inputs: [q, k], heads: 6}"})),
      AllOf(StartsWith("net.yaml:9:52: operators.2.heads: 6 heads do not divide 8 features"),
            HasSubstr("use 2")));
}

TEST(SequenceError, KnowsQueriesAndKeysThatDoNotMeet) {
  EXPECT_THAT(error_of(sequences.with({query, "{name: a, kind: scores, inputs: [q, w], heads: 2}",
                                       "{name: w, kind: linear, input: x, outputs: 6}"})),
              AllOf(StartsWith("net.yaml:8:41: operators.1.inputs.1: "),
                    HasSubstr("'q' is [4, 6, 8], 'w' is [4, 6, 6]")));
}

TEST(SequenceError, KnowsAStateOfOtherCells) {
  EXPECT_THAT(
      error_of(sequences.with({query, "{name: a, kind: lstm, input: x, hidden: 2, state: q}"})),
      AllOf(StartsWith("net.yaml:8:55: operators.1.state: a state has as many features "
                       "as there are hidden units, 2 ('q' is [4, 6, 8])")));
}

TEST(SequenceError, KnowsValuesThatDoNotMeetTheProbabilities) {
  EXPECT_THAT(error_of(sequences.with({query, "{name: a, kind: context, inputs: [q, x]}"})),
              AllOf(StartsWith("net.yaml:8:39: "),
                    HasSubstr("needs probabilities of samples, heads, queries and keys")));
}

TEST(SequenceError, KnowsWhatNeedsASequence) {
  for (auto const* const kind : {"lstm, input: x, hidden: 2", "scores, inputs: [x, y], heads: 1"}) {
    auto const text = NetworkText{"{name: x, features: 8}"}.with(
        {std::string{"{name: a, kind: "} + kind + "}",
         "{name: y, kind: linear, input: x, outputs: 8}"});
    EXPECT_THAT(error_of(text), HasSubstr("needs a sequence of samples, positions and features"))
        << kind;
  }
  EXPECT_THAT(error_of(NetworkText{}.with({"{name: a, kind: layer_norm, input: x}"})),
              HasSubstr("layer_norm needs features or a sequence"));
  EXPECT_THAT(error_of(sequences.with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1}"})),
              HasSubstr("needs a feature map ('x' is [4, 6, 8]: samples, positions and features)"));
}

TEST(SequenceError, KnowsAnEmbeddingThatReadsNoIds) {
  std::string const embedding = "{name: a, kind: embedding, input: x, entries: 9, outputs: 2}";
  EXPECT_THAT(error_of(ids.with({embedding})), IsEmpty());
  EXPECT_THAT(
      error_of(sequences.with({embedding})),
      HasSubstr("net.yaml:7:39: operators.0.input: an embedding reads one id per position"));
  EXPECT_THAT(
      error_of(NetworkText{"{name: x, features: 6}"}.with(
          {"{name: b, kind: linear, input: x, outputs: 6}",
           "{name: a, kind: embedding, input: b, entries: 9, outputs: 2}"})),
      HasSubstr("operators.1.input: an embedding reads ids, which only the network's input"));
}

TEST(SequenceError, KnowsWhatCannotBeJoined) {
  EXPECT_THAT(error_of(NetworkText{}.with({"{name: b, kind: conv, input: x, filters: 5, kernel: 3}",
                                           "{name: a, kind: concat, inputs: [x, b]}"})),
              AllOf(StartsWith("net.yaml:8:41: operators.1.inputs.1: "),
                    HasSubstr("'x' is [4, 3, 8, 8], 'b' is [4, 5, 6, 6]")));
  EXPECT_THAT(error_of(NetworkText{}.with({"{name: a, kind: concat, inputs: [x]}"})),
              HasSubstr("a concatenation needs at least two inputs"));
  EXPECT_THAT(error_of(sequences.with(
                  {query, key, "{name: a, kind: scores, inputs: [q, k, x], heads: 2}"})),
              HasSubstr("has exactly two inputs"));
}

}  // namespace
}  // namespace tessera::workloads

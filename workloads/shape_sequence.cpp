// Operators on sequences [n, positions, features].
//
//             n       k               c                 h         w                  r
// embedding   sample  feature         entry             position
// lstm        sample  hidden unit     input and hidden  time step                    gate
// scores      sample  head            feature of head   query     key
// context     sample  head            key               query     feature of head
//
// A head is a block of features, so scores and contexts can be split over heads, queries and keys but not within a head;
// an embedding over its features (a split of its entries would leave partial sums; it is left out). The time steps of an
// LSTM depend on each other and every hidden unit on all of the step before, which would have to be exchanged at each: it
// is split over samples only. Where its state is another one's (an unrolled layer, whose parts share their weights) it reads all
// that the other has made, though it needs the last step only. Attention is counted in full, a causal mask saves nothing.
#include <numeric>

#include "workloads/shape_rules.hpp"

namespace tessera::workloads::detail {

namespace {

std::string quoted(OperatorSpec const& spec, std::size_t input, Shape const& shape) {
  return "'" + spec.inputs[input].tensor + "' is " + to_text(shape);
}

void expect_sequence(OperatorSpec const& spec, std::size_t input, Shape const& shape,
                     std::string const& who) {
  if (is_sequence(shape)) return;
  throw spec.inputs[input].place.error(who +
                                       " needs a sequence of samples, positions and features (" +
                                       quoted(spec, input, shape) + ")");
}

/// The features of one head.
std::int64_t head_width(Place const& place, std::int64_t heads, std::int64_t features) {
  if (features % heads == 0) return features / heads;
  throw place.error(std::to_string(heads) + " heads do not divide " + std::to_string(features) +
                    " features (each head has its own part of them); use " +
                    std::to_string(std::gcd(heads, features)));
}

/// What the cells begin with: the same samples, and as many features as they have.
TensorAccess state_of(OperatorSpec const& spec, LstmSpec const& lstm,
                      std::vector<Shape> const& inputs) {
  auto const& state = inputs[1];
  expect_sequence(spec, 1, state, "the state of an LSTM");
  if (state[2] != lstm.hidden) {
    throw spec.inputs[1].place.error("a state has as many features as there are hidden units, " +
                                     std::to_string(lstm.hidden) + " (" + quoted(spec, 1, state) +
                                     ")");
  }
  return {{}, {plain(Dim::n), anywhere(Dim::h, state[1]), anywhere(Dim::c, state[2])}};
}

/// The axis of features that heads are blocks of.
AxisAccess head_blocks(std::int64_t width) { return {Dim::k, width, width, 0}; }

}  // namespace

ShapedOperator shape(OperatorSpec const& spec, EmbeddingSpec const& embedding,
                     std::vector<Shape> const& inputs) {
  auto const& ids = inputs.front();
  if (ids.size() != 2) {
    throw spec.inputs.front().place.error("an embedding reads one id per position (" +
                                          quoted(spec, 0, ids) +
                                          "); give its input positions only");
  }
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::embedding);
  op.extents[Dim::n] = ids[0];
  op.extents[Dim::h] = op.input_rows = ids[1];
  op.extents[Dim::k] = embedding.outputs;
  op.extents[Dim::c] = embedding.entries;
  op.inputs = {{{}, {plain(Dim::n), plain(Dim::h)}}};
  op.weight = {{}, {plain(Dim::c), plain(Dim::k)}};
  op.output.axes = {plain(Dim::n), plain(Dim::h), plain(Dim::k)};
  shaped.weight = {embedding.entries, embedding.outputs};
  shaped.output = {ids[0], ids[1], embedding.outputs};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, LstmSpec const& lstm,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  expect_sequence(spec, 0, x, "an LSTM");
  constexpr std::int64_t gates = 4;
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::lstm);
  op.extents[Dim::n] = x[0];
  op.extents[Dim::h] = op.input_rows = x[1];
  op.extents[Dim::k] = lstm.hidden;
  op.extents[Dim::c] = x[2] + lstm.hidden;
  op.extents[Dim::r] = gates;
  op.inputs = {{{}, {plain(Dim::n), anywhere(Dim::h, x[1]), anywhere(Dim::c, x[2])}}};
  if (inputs.size() > 1) {
    op.inputs.push_back(state_of(spec, lstm, inputs));
  }
  op.weight = {{}, {plain(Dim::r), plain(Dim::k), plain(Dim::c)}};
  op.output.axes = {plain(Dim::n), anywhere(Dim::h, x[1]), anywhere(Dim::k, lstm.hidden)};
  shaped.weight = {gates, lstm.hidden, x[2] + lstm.hidden};
  shaped.output = {x[0], x[1], lstm.hidden};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, ScoresSpec const& scores,
                     std::vector<Shape> const& inputs) {
  auto const& queries = inputs[0];
  auto const& keys = inputs[1];
  expect_sequence(spec, 0, queries, "attention");
  expect_sequence(spec, 1, keys, "attention");
  if (queries[2] != keys[2]) {
    throw spec.inputs[1].place.error("queries and keys need as many features (" +
                                     quoted(spec, 0, queries) + ", " + quoted(spec, 1, keys) + ")");
  }
  auto const width = head_width(scores.heads_place, scores.heads, queries[2]);
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::scores);
  op.extents[Dim::n] = queries[0];
  op.extents[Dim::k] = scores.heads;
  op.extents[Dim::c] = width;
  op.extents[Dim::h] = op.input_rows = queries[1];
  op.extents[Dim::w] = op.input_columns = keys[1];
  op.inputs = {{{}, {plain(Dim::n), plain(Dim::h), head_blocks(width)}},
               {{}, {plain(Dim::n), plain(Dim::w), head_blocks(width)}}};
  op.output.axes = {plain(Dim::n), plain(Dim::k), plain(Dim::h), plain(Dim::w)};
  shaped.output = {queries[0], scores.heads, queries[1], keys[1]};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, ContextSpec const& /*context*/,
                     std::vector<Shape> const& inputs) {
  auto const& probabilities = inputs[0];
  auto const& values = inputs[1];
  if (!is_feature_map(probabilities)) {
    throw spec.inputs[0].place.error(
        "a context needs probabilities of samples, heads, queries and keys (" +
        quoted(spec, 0, probabilities) + ")");
  }
  expect_sequence(spec, 1, values, "attention");
  auto const heads = probabilities[1];
  if (probabilities[3] != values[1]) {
    throw spec.inputs[1].place.error("there must be as many values as keys (" +
                                     quoted(spec, 0, probabilities) + ", " +
                                     quoted(spec, 1, values) + ")");
  }
  auto const width = head_width(spec.inputs[1].place, heads, values[2]);
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::context);
  op.extents[Dim::n] = values[0];
  op.extents[Dim::k] = heads;
  op.extents[Dim::c] = values[1];
  op.extents[Dim::h] = op.input_rows = probabilities[2];
  op.extents[Dim::w] = op.input_columns = width;
  op.inputs = {{{}, {plain(Dim::n), plain(Dim::k), plain(Dim::h), plain(Dim::c)}},
               {{}, {plain(Dim::n), plain(Dim::c), head_blocks(width)}}};
  op.output.axes = {plain(Dim::n), plain(Dim::h), head_blocks(width)};
  shaped.output = {values[0], probabilities[2], values[2]};
  return shaped;
}

}  // namespace tessera::workloads::detail

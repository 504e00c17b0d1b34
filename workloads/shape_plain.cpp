// Linear operators and what works element by element. Dimensions: n sample, k feature or channel (of the output), c input
// feature, h w position.
#include <algorithm>

#include "workloads/shape_rules.hpp"

namespace tessera::workloads::detail {

namespace {

void check_same_shapes(OperatorSpec const& spec, std::vector<Shape> const& inputs) {
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == inputs.front()) continue;
    throw spec.inputs[i].place.error("only tensors of one shape can be added ('" +
                                     spec.inputs.front().tensor + "' is " +
                                     to_text(inputs.front()) + ", '" + spec.inputs[i].tensor +
                                     "' is " + to_text(inputs[i]) + ")");
  }
}

/// Along which axis tensors of a shape are joined: features or channels.
std::size_t joined_axis(Shape const& shape) { return is_sequence(shape) ? 2 : 1; }

void check_joinable(OperatorSpec const& spec, std::vector<Shape> const& inputs) {
  auto const without_channels = [](Shape shape) {
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(joined_axis(shape)));
    return shape;
  };
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    bool const alike = inputs[i].size() == inputs.front().size() &&
                       without_channels(inputs[i]) == without_channels(inputs.front());
    if (alike) continue;
    throw spec.inputs[i].place.error(
        "only tensors that differ in their channels or features can be joined ('" +
        spec.inputs.front().tensor + "' is " + to_text(inputs.front()) + ", '" +
        spec.inputs[i].tensor + "' is " + to_text(inputs[i]) + ")");
  }
}

/// An access whose positions have nothing to do with the loops', but for the samples.
TensorAccess unrelated(Shape const& extents) {
  TensorAccess access{{}, {plain(Dim::n)}};
  auto const dims = axes_of(extents);
  for (std::size_t axis = 1; axis < extents.size(); ++axis) {
    access.axes.push_back(anywhere(dims[axis], extents[axis]));
  }
  return access;
}

/// Replaces the plain access along `dim` of all inputs: every output needs all positions there.
void needs_all(ShapedOperator& shaped, Dim dim) {
  for (auto& input : shaped.op.inputs) {
    for (auto& axis : input.axes) {
      if (axis.dim == dim) axis = anywhere(dim, shaped.op.extents[dim]);
    }
  }
}

}  // namespace

/// Of a sequence: at every position.
ShapedOperator shape(OperatorSpec const& /*spec*/, LinearSpec const& linear,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::linear);
  op.extents[Dim::n] = x[0];
  op.extents[Dim::k] = linear.outputs;
  op.extents[Dim::c] = x.back();
  op.inputs = {{{}, {plain(Dim::n), plain(Dim::c)}}};
  op.weight = {{}, {plain(Dim::k), plain(Dim::c)}};
  op.output.axes = {plain(Dim::n), plain(Dim::k)};
  shaped.weight = {linear.outputs, x.back()};
  shaped.output = {x[0], linear.outputs};
  if (!is_sequence(x)) return shaped;
  op.extents[Dim::h] = op.input_rows = x[1];
  op.inputs.front().axes = {plain(Dim::n), plain(Dim::h), plain(Dim::c)};
  op.output.axes = {plain(Dim::n), plain(Dim::h), plain(Dim::k)};
  shaped.output = {x[0], x[1], linear.outputs};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, AddSpec const& /*add*/,
                     std::vector<Shape> const& inputs) {
  check_same_shapes(spec, inputs);
  return element_by_element(OperatorKind::add, inputs);
}

ShapedOperator shape(OperatorSpec const& /*spec*/, RecastSpec const& recast,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::recast);
  op.extents[Dim::n] = x[0];
  shaped.output = {x[0]};
  shaped.output.insert(shaped.output.end(), recast.extents.begin(), recast.extents.end());
  op.inputs = {unrelated(x)};
  op.output = unrelated(shaped.output);
  return shaped;
}

/// Nothing is known but sizes: every output needs all positions of every input, and only samples
/// can be split. Dimension c counts the weights.
ShapedOperator shape(OperatorSpec const& /*spec*/, ProfiledSpec const& profiled,
                     std::vector<Shape> const& inputs) {
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::profiled);
  op.extents[Dim::n] = inputs.front()[0];
  for (auto const& input : inputs) op.inputs.push_back(unrelated(input));
  shaped.output = {inputs.front()[0], profiled.outputs};
  op.output = unrelated(shaped.output);
  if (profiled.weights == 0) return shaped;
  op.extents[Dim::c] = profiled.weights;
  op.weight = {{}, {plain(Dim::c)}};
  shaped.weight = {profiled.weights};
  return shaped;
}

/// Channel k of the output is channel k - before of the input that holds it, and of no other: it is
/// not split over channels.
ShapedOperator shape(OperatorSpec const& spec, ConcatSpec const& /*concat*/,
                     std::vector<Shape> const& inputs) {
  check_joinable(spec, inputs);
  auto shaped = element_by_element(OperatorKind::concat, inputs);
  auto const axis = joined_axis(shaped.output);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shaped.op.inputs[i].axes[axis] = {Dim::k, 1, 1, before};
    before += inputs[i][axis];
  }
  shaped.op.extents[Dim::k] = shaped.output[axis] = before;
  return shaped;
}

ShapedOperator shape(OperatorSpec const& /*spec*/, SoftmaxSpec const& /*softmax*/,
                     std::vector<Shape> const& inputs) {
  auto shaped = element_by_element(OperatorKind::softmax, inputs);
  needs_all(shaped, axes_of(inputs.front()).back());
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, LayerNormSpec const& /*norm*/,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  if (is_feature_map(x)) {
    throw spec.place.error("layer_norm needs features or a sequence ('" +
                           spec.inputs.front().tensor + "' is " + to_text(x) +
                           ": samples, channels, rows and columns)");
  }
  auto shaped = element_by_element(OperatorKind::layer_norm, inputs);
  needs_all(shaped, Dim::k);
  return shaped;
}

}  // namespace tessera::workloads::detail

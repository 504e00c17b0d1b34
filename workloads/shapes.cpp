#include "workloads/shapes.hpp"

#include <array>

namespace tessera::workloads {

namespace {

constexpr std::size_t feature_map_rank = 4;

AxisAccess plain(Dim dim) { return {dim, 1, 1, 0}; }

Operator operator_of(OperatorKind kind) {
  Operator op;
  op.kind = kind;
  for (auto const dim : all_dims) op.extents[dim] = 1;
  return op;
}

/// One of the two sides of a map.
struct Side {
  char const* name;  ///< "rows"
  std::int64_t Size2d::*of;
};
constexpr std::array<Side, 2> sides = {Side{"rows", &Size2d::rows},
                                       Side{"columns", &Size2d::columns}};

/// How many positions of a window fit: floor((length + 2 padding - window) / stride) + 1.
std::int64_t positions(std::int64_t spare, std::int64_t stride) { return spare / stride + 1; }

/// As positions(), rounding up; but a last window that would begin in the far padding is dropped,
/// as Caffe does (pooling_layer.cpp).
std::int64_t positions_rounded_up(std::int64_t spare, std::int64_t stride, std::int64_t reach) {
  auto const count = positions(spare + stride - 1, stride);
  return (count - 1) * stride >= reach ? count - 1 : count;
}

/// What a window leaves of a padded side; throws when it does not fit.
std::int64_t spare_length(OperatorSpec const& spec, char const* what, Side const& side,
                          Size2d const& map, Size2d const& window, Size2d const& padding) {
  auto const room = map.*side.of + 2 * (padding.*side.of);
  if (window.*side.of <= room) return room - window.*side.of;
  throw spec.place.error(std::string{what} + " of " + std::to_string(window.*side.of) + " " +
                         side.name + " does not fit (the map has " + std::to_string(map.*side.of) +
                         ", with padding " + std::to_string(room) + ")");
}

Size2d convolved(OperatorSpec const& spec, ConvSpec const& conv, Size2d const& map) {
  Size2d result;
  for (auto const& side : sides) {
    auto const spare = spare_length(spec, "the kernel", side, map, conv.kernel, conv.padding);
    result.*side.of = positions(spare, conv.stride.*side.of);
  }
  return result;
}

Size2d pooled(OperatorSpec const& spec, PoolSpec const& pool, Size2d const& map) {
  Size2d result;
  for (auto const& side : sides) {
    auto const spare = spare_length(spec, "the pooling window", side, map, pool.size, pool.padding);
    auto const stride = pool.stride.*side.of;
    result.*side.of =
        pool.rounding == PoolSpec::Rounding::down
            ? positions(spare, stride)
            : positions_rounded_up(spare, stride, map.*side.of + pool.padding.*side.of);
  }
  return result;
}

/// Rows (columns) of the output: plain, or behind a pool any position from any index.
AxisAccess output_side(Dim dim, std::optional<PoolSpec> const& pool, std::int64_t length) {
  return pool ? AxisAccess{dim, 0, length, 0} : plain(dim);
}

ShapedOperator shape(OperatorSpec const& spec, ConvSpec const& conv,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  if (!is_feature_map(x)) {
    throw spec.place.error("a convolution needs a feature map ('" + spec.inputs.front().tensor +
                           "' is " + to_text(x) + ": samples and features)");
  }
  Size2d const map{x[2], x[3]};
  auto const loops = convolved(spec, conv, map);
  auto const out = conv.pool ? pooled(spec, *conv.pool, loops) : loops;

  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::conv);
  auto& extents = op.extents;
  extents[Dim::n] = x[0];
  extents[Dim::k] = conv.filters;
  extents[Dim::c] = x[1];
  extents[Dim::h] = loops.rows;
  extents[Dim::w] = loops.columns;
  extents[Dim::r] = conv.kernel.rows;
  extents[Dim::s] = conv.kernel.columns;
  op.input_rows = map.rows;
  op.input_columns = map.columns;
  op.inputs = {{{},
                {plain(Dim::n),
                 plain(Dim::c),
                 {Dim::h, conv.stride.rows, conv.kernel.rows, conv.padding.rows},
                 {Dim::w, conv.stride.columns, conv.kernel.columns, conv.padding.columns}}}};
  op.weight = {{}, {plain(Dim::k), plain(Dim::c), plain(Dim::r), plain(Dim::s)}};
  op.output.axes = {plain(Dim::n), plain(Dim::k), output_side(Dim::h, conv.pool, out.rows),
                    output_side(Dim::w, conv.pool, out.columns)};
  shaped.weight = {conv.filters, x[1], conv.kernel.rows, conv.kernel.columns};
  shaped.output = {x[0], conv.filters, out.rows, out.columns};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& /*spec*/, LinearSpec const& linear,
                     std::vector<Shape> const& inputs) {
  auto const samples = inputs.front()[0];
  auto const features = inputs.front()[1];
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::linear);
  op.extents[Dim::n] = samples;
  op.extents[Dim::k] = linear.outputs;
  op.extents[Dim::c] = features;
  op.inputs = {{{}, {plain(Dim::n), plain(Dim::c)}}};
  op.weight = {{}, {plain(Dim::k), plain(Dim::c)}};
  op.output.axes = {plain(Dim::n), plain(Dim::k)};
  shaped.weight = {linear.outputs, features};
  shaped.output = {samples, linear.outputs};
  return shaped;
}

void check_same_shapes(OperatorSpec const& spec, std::vector<Shape> const& inputs) {
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == inputs.front()) continue;
    throw spec.inputs[i].place.error("only tensors of one shape can be added ('" +
                                     spec.inputs.front().tensor + "' is " +
                                     to_text(inputs.front()) + ", '" + spec.inputs[i].tensor +
                                     "' is " + to_text(inputs[i]) + ")");
  }
}

ShapedOperator shape(OperatorSpec const& spec, AddSpec const& /*add*/,
                     std::vector<Shape> const& inputs) {
  check_same_shapes(spec, inputs);
  constexpr std::array<Dim, feature_map_rank> dims = {Dim::n, Dim::k, Dim::h, Dim::w};
  auto const& x = inputs.front();
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::add);
  for (std::size_t axis = 0; axis < x.size(); ++axis) {
    op.extents[dims.at(axis)] = x[axis];
    op.output.axes.push_back(plain(dims.at(axis)));
  }
  if (is_feature_map(x)) {
    op.input_rows = x[2];
    op.input_columns = x[3];
  }
  op.inputs.assign(inputs.size(), op.output);
  shaped.output = x;
  return shaped;
}

}  // namespace

bool is_feature_map(Shape const& shape) { return shape.size() == feature_map_rank; }

Shape flat(Shape const& shape) {
  EXPECTS(is_feature_map(shape), shape.size());
  return {shape[0], shape[1] * shape[2] * shape[3]};
}

std::string to_text(Shape const& shape) {
  std::string text = "[";
  for (auto const extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

std::optional<std::int64_t> bounded_product(std::vector<std::int64_t> const& factors,
                                            std::int64_t limit) {
  std::int64_t product = 1;
  for (auto const factor : factors) {
    EXPECTS(factor > 0, factor);
    if (factor > limit / product) return std::nullopt;
    product *= factor;
  }
  return product;
}

ShapedOperator shape_operator(OperatorSpec const& spec, std::vector<Shape> const& inputs) {
  auto shaped = std::visit([&](auto const& work) { return shape(spec, work, inputs); }, spec.work);
  shaped.op.name = spec.name;
  return shaped;
}

void flatten_output(ShapedOperator& shaped) {
  auto const& map = shaped.output;
  EXPECTS(is_feature_map(map), map.size());
  auto const block = map[2] * map[3];
  shaped.output = flat(map);
  shaped.op.output.axes = {plain(Dim::n), {Dim::k, block, block, 0}};
}

}  // namespace tessera::workloads

#include "workloads/shapes.hpp"

#include "workloads/shape_rules.hpp"

namespace tessera::workloads {

namespace {

constexpr std::size_t feature_map_rank = 4;

}  // namespace

bool is_feature_map(Shape const& shape) { return shape.size() == feature_map_rank; }

bool is_sequence(Shape const& shape) { return shape.size() == 3; }

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
  auto shaped =
      std::visit([&](auto const& work) { return detail::shape(spec, work, inputs); }, spec.work);
  shaped.op.name = spec.name;
  return shaped;
}

void flatten_output(ShapedOperator& shaped) {
  auto const& map = shaped.output;
  EXPECTS(is_feature_map(map), map.size());
  auto const block = map[2] * map[3];
  shaped.output = flat(map);
  shaped.op.output.axes = {detail::plain(Dim::n), {Dim::k, block, block, 0}};
}

Operator detail::operator_of(OperatorKind kind) {
  Operator op;
  op.kind = kind;
  for (auto const dim : all_dims) op.extents[dim] = 1;
  return op;
}

std::vector<Dim> detail::axes_of(Shape const& shape) {
  if (is_sequence(shape)) return {Dim::n, Dim::h, Dim::k};
  std::vector<Dim> dims = {Dim::n, Dim::k, Dim::h, Dim::w};
  EXPECTS(shape.size() <= dims.size(), shape.size());
  dims.resize(shape.size());
  return dims;
}

ShapedOperator detail::element_by_element(OperatorKind kind, std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(kind);
  auto const dims = axes_of(x);
  for (std::size_t axis = 0; axis < x.size(); ++axis) {
    op.extents[dims[axis]] = x[axis];
    op.output.axes.push_back(plain(dims[axis]));
  }
  op.input_rows = op.extents[Dim::h];
  op.input_columns = op.extents[Dim::w];
  op.inputs.assign(inputs.size(), op.output);
  shaped.output = x;
  return shaped;
}

void detail::expect_feature_map(OperatorSpec const& spec, Shape const& shape, char const* who) {
  if (is_feature_map(shape)) return;
  throw spec.place.error(std::string{who} + " needs a feature map ('" + spec.inputs.front().tensor +
                         "' is " + to_text(shape) + ": samples" +
                         (is_sequence(shape) ? ", positions" : "") + " and features)");
}

}  // namespace tessera::workloads

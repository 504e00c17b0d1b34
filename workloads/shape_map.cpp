// Convolution and pooling. Dimensions: n sample, k output channel, c input channel (of one group), h w output position, r s
// window position. A pool has a channel k and no c.
#include <numeric>

#include "workloads/shape_rules.hpp"

namespace tessera::workloads::detail {

namespace {

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

/// How far a kernel with gaps between its taps reaches; what no map can hold is cut short.
Size2d reach(ConvSpec const& conv) {
  constexpr std::int64_t too_far = std::int64_t{1} << 50;
  Size2d result;
  for (auto const& side : sides) {
    auto const taps = conv.kernel.*side.of;
    if (taps == 1) continue;
    auto const gaps = bounded_product({taps - 1, conv.dilation.*side.of}, too_far);
    result.*side.of = gaps.value_or(too_far) + 1;
  }
  return result;
}

Size2d convolved(OperatorSpec const& spec, ConvSpec const& conv, Size2d const& map) {
  Size2d result;
  for (auto const& side : sides) {
    auto const spare = spare_length(spec, "the kernel", side, map, reach(conv), conv.padding);
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
  return pool ? anywhere(dim, length) : plain(dim);
}

void check_groups(ConvSpec const& conv, std::int64_t channels) {
  for (auto const& [count, what] :
       {std::pair{channels, "input channels"}, std::pair{conv.filters, "filters"}}) {
    if (count % conv.groups == 0) continue;
    auto const divisor = std::gcd(std::gcd(conv.groups, channels), conv.filters);
    throw conv.groups_place.error(
        std::to_string(conv.groups) + " groups do not divide " + std::to_string(count) + " " +
        what + " (each group has its own part of them); use " + std::to_string(divisor));
  }
}

}  // namespace

ShapedOperator shape(OperatorSpec const& spec, ConvSpec const& conv,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  expect_feature_map(spec, x, "a convolution");
  check_groups(conv, x[1]);
  Size2d const map{x[2], x[3]};
  auto const loops = convolved(spec, conv, map);
  auto const out = conv.pool ? pooled(spec, *conv.pool, loops) : loops;

  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::conv);
  auto& extents = op.extents;
  extents[Dim::n] = x[0];
  extents[Dim::k] = conv.filters;
  extents[Dim::c] = x[1] / conv.groups;
  extents[Dim::h] = loops.rows;
  extents[Dim::w] = loops.columns;
  extents[Dim::r] = conv.kernel.rows;
  extents[Dim::s] = conv.kernel.columns;
  op.input_rows = map.rows;
  op.input_columns = map.columns;
  op.groups = conv.groups;
  auto const window = reach(conv);
  op.inputs = {{{},
                {plain(Dim::n), conv.groups == 1 ? plain(Dim::c) : anywhere(Dim::c, x[1]),
                 AxisAccess{Dim::h, conv.stride.rows, window.rows, conv.padding.rows},
                 AxisAccess{Dim::w, conv.stride.columns, window.columns, conv.padding.columns}}}};
  op.weight = {{}, {plain(Dim::k), plain(Dim::c), plain(Dim::r), plain(Dim::s)}};
  op.output.axes = {plain(Dim::n), plain(Dim::k), output_side(Dim::h, conv.pool, out.rows),
                    output_side(Dim::w, conv.pool, out.columns)};
  shaped.weight = {conv.filters, extents[Dim::c], conv.kernel.rows, conv.kernel.columns};
  shaped.output = {x[0], conv.filters, out.rows, out.columns};
  return shaped;
}

ShapedOperator shape(OperatorSpec const& spec, PoolingSpec const& pooling,
                     std::vector<Shape> const& inputs) {
  auto const& x = inputs.front();
  expect_feature_map(spec, x, "pooling");
  Size2d const map{x[2], x[3]};
  auto const window = pooling.window.value_or(PoolSpec{map, map, {0, 0}, PoolSpec::Rounding::down});
  auto const out = pooled(spec, window, map);

  ShapedOperator shaped;
  auto& op = shaped.op = operator_of(OperatorKind::pool);
  op.extents[Dim::n] = x[0];
  op.extents[Dim::k] = x[1];
  op.extents[Dim::h] = out.rows;
  op.extents[Dim::w] = out.columns;
  op.extents[Dim::r] = window.size.rows;
  op.extents[Dim::s] = window.size.columns;
  op.input_rows = map.rows;
  op.input_columns = map.columns;
  op.inputs = {
      {{},
       {plain(Dim::n), plain(Dim::k),
        AxisAccess{Dim::h, window.stride.rows, window.size.rows, window.padding.rows},
        AxisAccess{Dim::w, window.stride.columns, window.size.columns, window.padding.columns}}}};
  op.output.axes = {plain(Dim::n), plain(Dim::k), plain(Dim::h), plain(Dim::w)};
  shaped.output = {x[0], x[1], out.rows, out.columns};
  return shaped;
}

}  // namespace tessera::workloads::detail

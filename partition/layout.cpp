#include "partition/layout.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::AxisAccess;
using workloads::Dim;
using workloads::Operator;
using workloads::TensorAccess;

namespace {

bool in_whole_blocks(AxisAccess const& axis) {
  return axis.step == axis.window && axis.before == 0;
}

/// Does every axis of `access` that `dim` indexes follow it in whole blocks?
bool follows(TensorAccess const& access, Dim dim) {
  return std::all_of(access.axes.begin(), access.axes.end(), [dim](AxisAccess const& axis) {
    return axis.dim != dim || in_whole_blocks(axis);
  });
}

Layout layout(TensorAccess const& access, Splits const& splits, Holding where_not_indexed) {
  Layout result;
  result.reserve(splits.size());
  for (auto const& split : splits) {
    if (!split) {
      result.push_back(Holding::replicated());
      continue;
    }
    auto const axis = access.axis_of(*split);
    result.push_back(axis ? Holding::split(*axis) : where_not_indexed);
  }
  return result;
}

}  // namespace

bool can_split(Operator const& op, Dim dim) {
  if (dim == Dim::r || dim == Dim::s) return false;
  bool indexed = op.output.axis_of(dim).has_value();
  bool whole = follows(op.output, dim);
  for (auto const& input : op.inputs) {
    indexed = indexed || input.axis_of(dim).has_value();
    whole = whole && follows(input, dim);
  }
  return indexed && whole;
}

TensorAccess const& input_of(Operator const& consumer, workloads::TensorId tensor) {
  auto const found =
      std::find_if(consumer.inputs.begin(), consumer.inputs.end(),
                   [tensor](TensorAccess const& input) { return input.tensor == tensor; });
  EXPECTS(found != consumer.inputs.end(), consumer.name, tensor);
  return *found;
}

Layout layout_read(TensorAccess const& access, Splits const& splits) {
  return layout(access, splits, Holding::replicated());
}

Layout layout_written(TensorAccess const& access, Splits const& splits) {
  return layout(access, splits, Holding::partial());
}

Layout layout_of_loss(Layout const& output) {
  auto const sample_axis = std::size_t{0};
  Layout result = output;
  std::replace(result.begin(), result.end(), Holding::partial(), Holding::split(sample_axis));
  return result;
}

}  // namespace tessera::partition

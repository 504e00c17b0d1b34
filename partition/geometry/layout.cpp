#include "partition/geometry/layout.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Operator;
using workloads::TensorAccess;

namespace {

Layout layout(TensorAccess const& access, Splits const& splits, Holding where_not_indexed) {
  Layout result;
  result.reserve(splits.size());
  for (auto const& split : splits) {
    if (!split) {
      result.push_back(Holding::replicated());
      continue;
    }
    auto const axis = access.axis_of(split->dim);
    result.push_back(axis ? Holding::split(*axis, split->first) : where_not_indexed);
  }
  return result;
}

}  // namespace

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

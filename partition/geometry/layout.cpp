#include "partition/geometry/layout.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Operator;
using workloads::TensorAccess;

namespace {

Layout layout(TensorAccess const& access, Splits const& splits, Holding where_not_indexed) {
  auto const holding_of = [&](std::optional<Split> const& split) {
    if (!split) return Holding::replicated();
    auto const axis = access.axis_of(split->dim);
    return axis ? Holding::split(*axis, split->first) : where_not_indexed;
  };
  Layout result;
  result.reserve(splits.size());
  for (std::size_t level = 0; level < splits.size(); ++level) {
    // Levels that follow each other are often split alike.
    bool const is_as_before = level > 0 && splits[level] == splits[level - 1];
    result.push_back(is_as_before ? result.back() : holding_of(splits[level]));
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

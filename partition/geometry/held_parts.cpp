#include "partition/geometry/held_parts.hpp"

namespace tessera::partition {

HeldParts::HeldParts(Tiling const& tiling, workloads::TensorId tensor, Layout const& layout)
    : tiling_{tiling}, tensor_{tensor}, layout_{layout}, axes_(tiling.axes(tensor)) {
  for (std::size_t level = 0; level < layout.size(); ++level) {
    auto const& holding = layout[level];
    if (holding.kind == Holding::Kind::split) axes_[holding.axis].split_levels.push_back(level);
  }
}

Elements HeldParts::elements(std::size_t accelerator) {
  if (!are_equal_) are_equal_ = tiling_.has_equal_parts(tensor_, layout_);
  Elements product{1};
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    product = product * part(axis, *are_equal_ ? 0 : accelerator).size();
  }
  return product;
}

Elements HeldParts::common_elements(std::size_t accelerator, HeldParts& others, std::size_t other) {
  Elements product{1};
  for (std::size_t axis = 0; axis < axes_.size() && product > Elements{0}; ++axis) {
    product = product * part(axis, accelerator).common_size(others.part(axis, other));
  }
  return product;
}

IndexSet const& HeldParts::part(std::size_t axis, std::size_t accelerator) {
  auto& of_axis = axes_[axis];
  auto const [known, is_new] = of_axis.known.try_emplace(first_like(of_axis, accelerator));
  if (is_new) known->second = tiling_.part_of_axis(tensor_, axis, layout_, accelerator);
  return known->second;
}

std::size_t HeldParts::first_like(Axis const& axis, std::size_t accelerator) const {
  auto const& hierarchy = tiling_.hierarchy();
  std::size_t first = 0;
  for (auto const level : axis.split_levels) {
    first += hierarchy.part(accelerator, level) * hierarchy.group_size(level + 1);
  }
  return first;
}

}  // namespace tessera::partition

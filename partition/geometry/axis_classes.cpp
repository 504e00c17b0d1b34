#include "partition/geometry/axis_classes.hpp"

#include <algorithm>

#include "arch/base/contract.hpp"

namespace tessera::partition {

IndexSet AxisClass::part(std::int64_t extent, Parts const& parts) const {
  EXPECTS(slides || extent % tree.extent() == 0, extent, tree.extent());
  IndexSet scaled;
  auto const selected = tree.select(parts);
  for (auto const& [begin, end] : selected.ranges()) {
    scaled.append(begin * extent / tree.extent(), end * extent / tree.extent());
  }
  return scaled;
}

std::size_t AxisClasses::number_of(AxisClass it) {
  auto& alike = by_extent_[it.tree.extent()];
  auto const known = std::find_if(alike.begin(), alike.end(),
                                  [&](std::size_t number) { return classes_[number] == it; });
  if (known != alike.end()) return *known;
  alike.push_back(classes_.size());
  classes_.push_back(std::move(it));
  return alike.back();
}

}  // namespace tessera::partition

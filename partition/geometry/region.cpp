// Parts of tensors.
#include "partition/geometry/tiling.hpp"

namespace tessera::partition {

Elements Region::elements() const {
  Elements product{1};
  for (auto const& axis : axes) product = product * axis.size();
  return product;
}

Region Region::intersect(Region const& other) const {
  EXPECTS(axes.size() == other.axes.size(), axes.size(), other.axes.size());
  Region common;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    common.axes.push_back(axes[axis].intersect(other.axes[axis]));
  }
  return common;
}

Elements Region::common_elements(Region const& other) const {
  EXPECTS(axes.size() == other.axes.size(), axes.size(), other.axes.size());
  Elements product{1};
  for (std::size_t axis = 0; axis < axes.size() && product > Elements{0}; ++axis) {
    product = product * axes[axis].common_size(other.axes[axis]);
  }
  return product;
}

}  // namespace tessera::partition

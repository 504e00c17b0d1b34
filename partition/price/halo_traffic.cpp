#include "partition/price/halo_traffic.hpp"

#include <algorithm>
#include <optional>

#include "partition/geometry/halo.hpp"

namespace tessera::partition {

using workloads::AxisAccess;
using workloads::Network;
using workloads::TensorAccess;

namespace {

/// An axis that is cut in parts.
struct CutAxis {
  std::size_t parts = 1;
  double largest = 1;  ///< part, as a fraction of all
};
CutAxis cut_axis(AxisAccess const& axis, Splits const& splits, ArrayShape const& shape) {
  CutAxis cut;
  for (auto const level : levels_along(axis, splits)) {
    cut.parts *= shape.ways_at(level);
    cut.largest *= larger_share(*splits[level], shape.ways_at(level));
  }
  return cut;
}

/// What all parts of an axis lack together, and the one that lacks most.
struct Lacking {
  double sum = 0;
  double most = 0;
};
Lacking lacking(AxisAccess const& axis, CutAxis const& cut) {
  if (cut.parts == 1) return {};
  auto const reach = reach_of(axis);
  auto const most = cut.parts == 2 ? std::max(reach.back, reach.forward) : reach.both();
  return {static_cast<double>(reach.both()) * static_cast<double>(cut.parts - 1),
          static_cast<double>(most)};
}

}  // namespace

Traffic halo_traffic(Network const& network, TensorAccess const& input, Splits const& splits,
                     std::size_t level, ArrayShape const& shape) {
  auto const axis = splits[level] ? input.axis_of(splits[level]->dim) : std::nullopt;
  if (!axis) return {};
  auto const along = levels_along(input.axes[*axis], splits);
  if (along.empty() || along.front() != level) return {};
  auto const& tensor = network.at(input.tensor);
  auto const lacks = lacking(input.axes[*axis], cut_axis(input.axes[*axis], splits, shape));
  auto const row =
      static_cast<double>(tensor.elements().value()) / static_cast<double>(tensor.extents[*axis]);
  Traffic traffic{row * lacks.sum, row * lacks.most};
  for (std::size_t other = 0; other < splits.size(); ++other) {
    auto const ways = static_cast<double>(shape.ways_at(other));
    traffic.critical *= ways;
    auto const split_axis = splits[other] ? input.axis_of(splits[other]->dim) : std::nullopt;
    if (!split_axis) traffic.elements *= ways;
    if (split_axis && split_axis != axis) {
      traffic.critical *= shape.slower_share(other, splits[other]->first);
    }
  }
  // Rows bring their halos along when columns are fetched.
  for (std::size_t before = 0; before < *axis; ++before) {
    auto const cut = cut_axis(input.axes[before], splits, shape);
    auto const more = lacking(input.axes[before], cut);
    auto const length = static_cast<double>(tensor.extents[before]);
    traffic.elements *= 1 + more.sum / length;
    traffic.critical *= 1 + more.most / (cut.largest * length);
  }
  return traffic;
}

}  // namespace tessera::partition

#include "partition/geometry/tiling.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorId;

std::vector<Tiling::AxisCuts> Tiling::cuts_of(TensorId tensor) const {
  std::vector<AxisCuts> cuts;
  cuts.reserve(axes_[tensor].size());
  for (auto const& axis : axes_[tensor]) cuts.emplace_back(axis.number, axis.extent);
  return cuts;
}

std::vector<Tiling::AxisCuts> Tiling::cuts_of(OperatorId op) const {
  std::vector<AxisCuts> cuts;
  cuts.reserve(workloads::all_dims.size());
  for (auto const dim : workloads::all_dims) {
    cuts.emplace_back(loops_[op][dim].number, loops_[op][dim].extent);
  }
  return cuts;
}

bool Tiling::is_even(std::size_t level) const {
  auto const& all = classes_.all();
  return std::all_of(all.begin(), all.end(), [level](AxisClass const& it) {
    return it.slides ? !it.tree.is_cut_at(level) : it.tree.is_even(level);
  });
}

bool Tiling::has_equal_parts(TensorId tensor, Layout const& layout) const {
  for (std::size_t level = 0; level < layout.size(); ++level) {
    if (layout[level].kind != Holding::Kind::split) continue;
    auto const& axis = classes_[axes_[tensor][layout[level].axis].number];
    if (axis.slides || !axis.tree.is_even(level)) return false;
  }
  return true;
}

bool Tiling::cuts_alike(Tiling const& other, TensorId tensor) const {
  auto const& mine = axes_[tensor];
  return std::equal(mine.begin(), mine.end(), other.axes_[tensor].begin(),
                    [&](auto const& a, auto const& b) { return is_cut_alike(a, other, b); });
}

bool Tiling::cuts_alike(Tiling const& other, OperatorId op) const {
  return std::all_of(workloads::all_dims.begin(), workloads::all_dims.end(), [&](Dim dim) {
    return is_cut_alike(loops_[op][dim], other, other.loops_[op][dim]);
  });
}

Region Tiling::region(TensorId tensor, Layout const& layout, std::size_t accelerator) const {
  Region region;
  region.axes.reserve(axes_[tensor].size());
  for (std::size_t axis = 0; axis < axes_[tensor].size(); ++axis) {
    region.axes.push_back(part_of_axis(tensor, axis, layout, accelerator));
  }
  return region;
}

template <typename ShareAt>
IndexSet Tiling::part(Membership const& member, ShareAt const& share_at,
                      std::size_t accelerator) const {
  Parts parts;
  for (std::size_t level = 0; level < levels(); ++level) {
    auto const share = share_at(level);
    if (!share) continue;
    parts.resize(levels());
    parts[level] = Part{hierarchy_.part(accelerator, level), *share};
  }
  if (parts.empty()) return IndexSet::range(0, member.extent);
  return classes_[member.number].part(member.extent, parts);
}

IndexSet Tiling::part_of_axis(TensorId tensor, std::size_t axis, Layout const& layout,
                              std::size_t accelerator) const {
  auto const share_at = [&](std::size_t level) -> std::optional<double> {
    auto const& holding = layout[level];
    bool const is_split = holding.kind == Holding::Kind::split && holding.axis == axis;
    return is_split ? std::optional{holding.first} : std::nullopt;
  };
  return part(axes_[tensor][axis], share_at, accelerator);
}

IndexSet Tiling::loop_part(OperatorId op, Dim dim, std::size_t accelerator, Phase phase) const {
  auto const& splits = plan_->splits_of(op, phase);
  auto const share_at = [&](std::size_t level) -> std::optional<double> {
    auto const& split = splits[level];
    return is_over(split, dim) ? std::optional{split->first} : std::nullopt;
  };
  return part(loops_[op][dim], share_at, accelerator);
}

std::int64_t Tiling::loop_extent(OperatorId op, Dim dim, std::size_t accelerator,
                                 Phase phase) const {
  auto const& splits = plan_->splits_of(op, phase);
  bool const is_split = std::any_of(splits.begin(), splits.end(),
                                    [dim](auto const& split) { return is_over(split, dim); });
  return is_split ? loop_part(op, dim, accelerator, phase).size() : loops_[op][dim].extent;
}

}  // namespace tessera::partition

// Tiling: which part of every tensor and loop each accelerator holds under a plan.
//
// Axes and dimensions that must be cut alike form a class (the samples of the whole network; the channels between two layers). A class
// is cut at every level at which any of its members is split, by one AxisTree, so that producer and consumer agree on the cuts.
//
// Rows (columns) over which windows slide form a class, too, with an operator's input rows beside its output rows; where their numbers
// do not divide, members round the cuts to whole rows. What a window reaches beyond its own part is a halo (halo.hpp), which is the
// smaller the more of a part's rows are adjacent: these classes are cut at the innermost level first, so that the rows of an operator
// that is split at the k innermost levels lie together, whatever other operators split. (Nothing then has to move between an operator
// split over rows at one level and one at two. The price: neighbours differ in the outermost of an operator's levels over rows.)
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "partition/geometry/axis_classes.hpp"
#include "partition/geometry/layout.hpp"
#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// A part of a tensor: the product of one index set per axis.
struct Region {
  std::vector<IndexSet> axes;

  [[nodiscard]] Elements elements() const;
  [[nodiscard]] Region intersect(Region const& other) const;
  /// How many elements are in both.
  [[nodiscard]] Elements common_elements(Region const& other) const;
};

class Tiling final {
 public:
  /// Of all operators, on the array's hierarchy. Requires a plan without a pipeline.
  Tiling(workloads::Network const& network, Plan const& plan);

  /// Of a stage's operators, on its mesh, whose positions are the accelerators here. What the
  /// operators exchange with other stages is cut as they read and write it.
  Tiling(workloads::Network const& network, Plan const& plan, Stage const& stage);

  /// What `accelerator` holds of `tensor` in `layout`.
  [[nodiscard]] Region region(workloads::TensorId tensor, Layout const& layout,
                              std::size_t accelerator) const;

  /// Of one axis of it.
  [[nodiscard]] IndexSet part_of_axis(workloads::TensorId tensor, std::size_t axis,
                                      Layout const& layout, std::size_t accelerator) const;

  /// The indices of a dimension of `op` that fall to `accelerator` in a phase.
  [[nodiscard]] IndexSet loop_part(workloads::OperatorId op, workloads::Dim dim,
                                   std::size_t accelerator,
                                   workloads::Phase phase = workloads::Phase::forward) const;

  /// How many they are.
  [[nodiscard]] std::int64_t loop_extent(workloads::OperatorId op, workloads::Dim dim,
                                         std::size_t accelerator,
                                         workloads::Phase phase = workloads::Phase::forward) const;

  /// Where accelerators are: which part of its group each is in at every level, and its siblings.
  [[nodiscard]] Hierarchy const& hierarchy() const { return hierarchy_; }

  /// Whether the parts of every axis are equal at `level` wherever the plan splits there: then
  /// accelerators that differ in this level hold, compute and exchange parts of equal size
  /// (swapping the halves maps the part of each to the part of its sibling, in all layouts). Never
  /// where windows slide: parts at the edge of a map have one neighbour, others two.
  [[nodiscard]] bool is_even(std::size_t level) const;

  /// Whether all parts of a tensor are equal that accelerators hold in a layout.
  [[nodiscard]] bool has_equal_parts(workloads::TensorId tensor, Layout const& layout) const;

  /// Does `other` cut every axis of a tensor, or every loop of an operator, as this does? Then who
  /// is split alike has the same parts.
  [[nodiscard]] bool cuts_alike(Tiling const& other, workloads::TensorId tensor) const;
  [[nodiscard]] bool cuts_alike(Tiling const& other, workloads::OperatorId op) const;

  /// What an axis has in common with all that are as long and cut alike.
  using AxisCuts = std::pair<std::size_t, std::int64_t>;
  /// By axis. Tensors with the same have the same parts in every layout.
  [[nodiscard]] std::vector<AxisCuts> cuts_of(workloads::TensorId tensor) const;
  /// By dimension. Operators with the same have the same parts of their loops in every split.
  [[nodiscard]] std::vector<AxisCuts> cuts_of(workloads::OperatorId op) const;

  [[nodiscard]] std::size_t axes(workloads::TensorId tensor) const { return axes_[tensor].size(); }

  /// How many positions an axis of a tensor has.
  [[nodiscard]] std::int64_t length(workloads::TensorId tensor, std::size_t axis) const {
    return axes_[tensor][axis].extent;
  }

  /// How the plan splits a phase of an operator.
  [[nodiscard]] Splits const& splits(workloads::OperatorId op,
                                     workloads::Phase phase = workloads::Phase::forward) const {
    return plan_->splits_of(op, phase);
  }

  [[nodiscard]] std::size_t levels() const { return hierarchy_.levels(); }
  [[nodiscard]] std::size_t accelerators() const { return hierarchy_.accelerators(); }

 private:
  /// A member of a class.
  struct Membership {
    std::size_t number = 0;  ///< of the class
    std::int64_t extent = 1;
  };

  class Builder;

  Tiling(workloads::Network const& network, Plan const& plan, Hierarchy const& hierarchy,
         std::vector<bool> const& is_here);

  /// Of a member of this and one of another tiling, which is of the same axis.
  [[nodiscard]] bool is_cut_alike(Membership mine, Tiling const& other, Membership theirs) const {
    return classes_[mine.number] == other.classes_[theirs.number];
  }

  /// What falls to `accelerator` of a member, of which `share_at` a level is the share of the first
  /// half; none where it is not split.
  template <typename ShareAt>
  [[nodiscard]] IndexSet part(Membership const& member, ShareAt const& share_at,
                              std::size_t accelerator) const;

  Plan const* plan_;
  Hierarchy hierarchy_;
  AxisClasses classes_;
  IdVector<workloads::TensorId, std::vector<Membership>> axes_;           ///< per axis
  IdVector<workloads::OperatorId, workloads::PerDim<Membership>> loops_;  ///< per dimension
};

}  // namespace tessera::partition

// Tiling: which part of every tensor and loop each accelerator holds under a plan.
//
// Axes and dimensions that must be cut alike form a class (the samples of the whole network; the channels between two layers). A class
// is cut at every level at which any of its members is split, by one AxisTree, so that producer and consumer agree on the cuts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "partition/index_set.hpp"
#include "partition/layout.hpp"
#include "partition/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// A part of a tensor: the product of one index set per axis.
struct Region {
  std::vector<IndexSet> axes;

  [[nodiscard]] Elements elements() const;
  [[nodiscard]] Region intersect(Region const& other) const;
};

class Tiling final {
 public:
  Tiling(workloads::Network const& network, Plan const& plan);

  /// What `accelerator` holds of `tensor` in `layout`.
  [[nodiscard]] Region region(workloads::TensorId tensor, Layout const& layout,
                              std::size_t accelerator) const;

  /// How many indices of a dimension of `op` fall to `accelerator`.
  [[nodiscard]] std::int64_t loop_extent(workloads::OperatorId op, workloads::Dim dim,
                                         std::size_t accelerator) const;

  /// Where accelerators are: which part of its group each is in at every level, and its siblings.
  [[nodiscard]] Hierarchy const& hierarchy() const { return hierarchy_; }

  /// Whether the parts of every axis are equal at `level` wherever the plan splits there: then
  /// accelerators that differ in this level hold, compute and exchange parts of equal size
  /// (swapping the halves maps the part of each to the part of its sibling, in all layouts).
  [[nodiscard]] bool is_even(std::size_t level) const;

  [[nodiscard]] std::size_t levels() const { return hierarchy_.levels(); }
  [[nodiscard]] std::size_t accelerators() const { return hierarchy_.accelerators(); }

 private:
  /// A member of a class. Its extent is `scale` times the tree's; scale 0: it is coarser than the
  /// tree, and never split.
  struct Membership {
    std::size_t tree = 0;
    std::int64_t scale = 1;
    std::int64_t extent = 1;
  };
  class Builder;

  /// The share of the first half at a level; none where it is not split.
  using ShareAt = std::function<std::optional<double>(std::size_t)>;

  /// What falls to `accelerator` of a member that is split as `share_at` says.
  [[nodiscard]] IndexSet part(Membership const& member, ShareAt const& share_at,
                              std::size_t accelerator) const;

  Plan const* plan_;
  Hierarchy hierarchy_;
  std::vector<AxisTree> trees_;
  IdVector<workloads::TensorId, std::vector<Membership>> axes_;           ///< per axis
  IdVector<workloads::OperatorId, workloads::PerDim<Membership>> loops_;  ///< per dimension
};

}  // namespace tessera::partition

// Tiling: which part of every tensor and loop each accelerator holds under a plan.
//
// Axes and dimensions that must be cut alike form a class (the samples of the whole network; the channels between two layers). A class
// is halved at every level at which any of its members is split, by one AxisTree, so that producer and consumer agree on the cuts.
#pragma once

#include <cstdint>
#include <functional>
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
  /// Throws ConfigError for a plan with unequal halves: ratios are not cut yet.
  Tiling(workloads::Network const& network, Plan const& plan);

  /// What `accelerator` holds of `tensor` in `layout`.
  [[nodiscard]] Region region(workloads::TensorId tensor, Layout const& layout,
                              std::size_t accelerator) const;

  /// How many indices of a dimension of `op` fall to `accelerator`.
  [[nodiscard]] std::int64_t loop_extent(workloads::OperatorId op, workloads::Dim dim,
                                         std::size_t accelerator) const;

  /// Which half of its group `accelerator` is at `level` (0 = top): false the first.
  [[nodiscard]] bool half(std::size_t accelerator, std::size_t level) const;
  /// The accelerator that differs from it at `level` only.
  [[nodiscard]] std::size_t sibling(std::size_t accelerator, std::size_t level) const;

  /// Whether the two halves of every axis are equal at `level` wherever the plan splits there: then
  /// accelerators that differ in this level hold, compute and exchange parts of equal size
  /// (swapping the halves maps the part of each to the part of its sibling, in all layouts).
  [[nodiscard]] bool is_even(std::size_t level) const;

  [[nodiscard]] std::size_t levels() const { return levels_; }
  [[nodiscard]] std::size_t accelerators() const { return std::size_t{1} << levels_; }

 private:
  /// A member of a class. Its extent is `scale` times the tree's; scale 0: it is coarser than the
  /// tree, and never split.
  struct Membership {
    std::size_t tree = 0;
    std::int64_t scale = 1;
    std::int64_t extent = 1;
  };
  class Builder;

  /// What falls to `accelerator` of a member that is split at the levels that `is_split` says.
  [[nodiscard]] IndexSet part(Membership const& member,
                              std::function<bool(std::size_t)> const& is_split,
                              std::size_t accelerator) const;

  Plan const* plan_;
  std::size_t levels_;
  std::vector<AxisTree> trees_;
  IdVector<workloads::TensorId, std::vector<Membership>> axes_;           ///< per axis
  IdVector<workloads::OperatorId, workloads::PerDim<Membership>> loops_;  ///< per dimension
};

}  // namespace tessera::partition

// Layouts: how a tensor lies in the hierarchy. They are derived from the operators' splits, never chosen.
//
// At each level the two halves of a group hold either different parts of one axis (split), the same elements (replicated), or
// summands of the same elements (partial). For Y[n, k] = X[n, c] W[c, k] a split of
//   n:  X split, W replicated, Y split,       dX split,   dW partial        (data parallelism)
//   c:  X split, W split,      Y partial,     dX split,   dW split          (HyPar's model parallelism, Type-II)
//   k:  X replicated, W split, Y split,       dX partial, dW split          (Type-III)
// and of a convolution's rows or columns of
//   h, w:  X split, W replicated, Y split,    dX split,   dW partial        with halos around the parts of X and dX (halo.hpp)
#pragma once

#include <cstdint>
#include <vector>

#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// What the two halves of a group hold at one level.
struct Holding {
  enum class Kind : std::uint8_t { split, replicated, partial };
  Kind kind = Kind::replicated;
  std::uint8_t axis = 0;  ///< split: which axis of the tensor; else 0
  double first = 0.5;     ///< split: the share of the first half; else 0.5

  static Holding split(std::size_t axis, double first = 0.5) {
    return {Kind::split, static_cast<std::uint8_t>(axis), first};
  }
  static Holding replicated() { return {Kind::replicated, 0, 0.5}; }
  static Holding partial() { return {Kind::partial, 0, 0.5}; }
  friend bool operator==(Holding a, Holding b) {
    return a.kind == b.kind && a.axis == b.axis && a.first == b.first;
  }
  friend bool operator!=(Holding a, Holding b) { return !(a == b); }
};

/// One holding per level, top first.
using Layout = std::vector<Holding>;

/// In how many parts the levels of one kind cut what is held, as `ways_at` each of them.
template <typename WaysAt>
[[nodiscard]] std::int64_t parts_in(Layout const& layout, Holding::Kind kind,
                                    WaysAt const& ways_at) {
  std::size_t parts = 1;
  for (std::size_t level = 0; level < layout.size(); ++level) {
    if (layout[level].kind == kind) parts *= ways_at(level);
  }
  return static_cast<std::int64_t>(parts);
}

/// The access of `consumer` to `tensor`, which it reads.
[[nodiscard]] workloads::TensorAccess const& input_of(workloads::Operator const& consumer,
                                                      workloads::TensorId tensor);

/// The layout in which an operator that is split like this reads a tensor.
[[nodiscard]] Layout layout_read(workloads::TensorAccess const& access, Splits const& splits);

/// The layout in which it leaves a tensor that it computes: a split of a dimension that does not
/// index the tensor is a reduction.
[[nodiscard]] Layout layout_written(workloads::TensorAccess const& access, Splits const& splits);

/// How an operator that is split like this deals with a tensor that it reads or computes: the
/// layout of what it gets (features, or the errors of what it computes) and of what it leaves.
struct TensorLayouts {
  Layout read;
  Layout written;
  friend bool operator==(TensorLayouts const& a, TensorLayouts const& b) {
    return a.read == b.read && a.written == b.written;
  }
};
[[nodiscard]] inline TensorLayouts layouts_of(workloads::TensorAccess const& access,
                                              Splits const& splits) {
  return {layout_read(access, splits), layout_written(access, splits)};
}

/// The layout in which the loss is computed from an output: as it lies, but a partial sum is
/// scattered over the samples first, evenly.
[[nodiscard]] Layout layout_of_loss(Layout const& output);

}  // namespace tessera::partition

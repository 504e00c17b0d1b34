// What accelerators hold of a tensor in a layout, axis by axis: worked out once for all that hold
// the same of an axis.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "partition/geometry/tiling.hpp"

namespace tessera::partition {

/// The same as Tiling::region(), for many accelerators: they may hold a thousand regions that are
/// products of a few parts of each axis.
class HeldParts final {
 public:
  /// `tiling` and `layout` must outlive it.
  HeldParts(Tiling const& tiling, workloads::TensorId tensor, Layout const& layout);

  [[nodiscard]] Elements elements(std::size_t accelerator);
  /// How many of them `other` holds as well, as what it holds of the same tensor.
  [[nodiscard]] Elements common_elements(std::size_t accelerator, HeldParts& others,
                                         std::size_t other);

 private:
  struct Axis {
    std::vector<std::size_t> split_levels;
    std::unordered_map<std::size_t, IndexSet> known;  ///< by first_like()
  };

  [[nodiscard]] IndexSet const& part(std::size_t axis, std::size_t accelerator);
  /// The first of those in the same parts at all levels that split the axis.
  [[nodiscard]] std::size_t first_like(Axis const& axis, std::size_t accelerator) const;

  Tiling const& tiling_;
  workloads::TensorId tensor_;
  Layout const& layout_;
  std::vector<Axis> axes_;
  std::optional<bool> are_equal_;  ///< all parts; once it was asked
};

}  // namespace tessera::partition

// How the equals of a folded network or tree lie to each other: by shifts along its dimensions, and by reflections at levels that are folded
// so; or by swaps of halves.
//
// For example in a ring of 4 whose halves are reflections of each other (base/folding.hpp), 3 is as 0, and 2 lies to 3 as 1 does to 0.
#pragma once

#include <optional>
#include <vector>

#include "arch/array/translation.hpp"
#include "arch/base/folding.hpp"

namespace tessera::arch {

class FoldingMaps final {
 public:
  /// Requires that each level of a reflection is a digit of places along one dimension.
  FoldingMaps(Translations grid, Folding const& folding);

  [[nodiscard]] Translations const& grid() const { return grid_; }

  /// Where the map that takes `from` to `to`, two of one representative, takes `accelerator`.
  [[nodiscard]] std::size_t mapped(std::size_t accelerator, std::size_t from, std::size_t to) const;

  /// How far apart two accelerators are along each dimension, in both directions where reflections
  /// map one onto the other; where halves are swapped, at which levels they differ, and how far
  /// apart they are at the others. A number below that of accelerators, the same for all pairs that
  /// maps take onto each other.
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const;

 private:
  /// With the halves swapped at each folded level at which `from` and `to` differ.
  [[nodiscard]] std::size_t swapped(std::size_t accelerator, std::size_t from,
                                    std::size_t to) const;

  Translations grid_;
  Folding folding_;
  std::vector<std::optional<Folding::Reflection>> reflections_;  ///< by dimension
};

}  // namespace tessera::arch

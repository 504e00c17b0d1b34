// How the equals of a folded network or tree lie to each other: by shifts along its dimensions or round blocks of them, and by reflections at
// levels that are folded so; or by swaps of halves.
//
// For example in a ring of 4 whose halves are reflections of each other (base/folding.hpp), 3 is as 0, and 2 lies to 3 as 1 does to 0. In a
// tree of two pairs of servers, folded at the lower of the two levels, shifts move the servers of each pair round.
#pragma once

#include <optional>
#include <vector>

#include "arch/array/translation.hpp"
#include "arch/base/folding.hpp"

namespace tessera::arch {

class FoldingMaps final {
 public:
  /// Requires that each folded level is a digit of places along one dimension; those of shifts in
  /// it follow each other.
  FoldingMaps(Translations grid, Folding const& folding);

  [[nodiscard]] Translations const& grid() const { return grid_; }

  /// Where the map that takes `from` to `to`, two of one representative, takes `accelerator`.
  [[nodiscard]] std::size_t mapped(std::size_t accelerator, std::size_t from, std::size_t to) const;

  /// How far apart two accelerators are along each dimension, in both directions where reflections
  /// map one onto the other: as the representative sees it. A number below that of accelerators,
  /// the same for all pairs that maps take onto each other.
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const;

 private:
  /// Round as many places shifts go along a dimension: those that the levels outside folded ones
  /// leave together.
  [[nodiscard]] std::size_t block_of(std::vector<PlaceDigit> const& digits,
                                     std::size_t extent) const;
  /// With the halves swapped at each folded level at which `from` and `to` differ.
  [[nodiscard]] std::size_t swapped(std::size_t accelerator, std::size_t from,
                                    std::size_t to) const;

  Translations grid_;
  Folding folding_;
  std::vector<std::size_t> blocks_;  ///< by dimension: round so many places shifts go
  std::vector<std::optional<Folding::Reflection>> reflections_;  ///< by dimension
};

}  // namespace tessera::arch

// Shifts and reflections of a grid, whose rings may be closed, and of a tree: how accelerators lie to each other.
//
// For example in a torus of 4 x 2, numbered along the first dimension first: 2 lies to 1 as 0 does to 3 (one place on, round the ring).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "arch/array/topology.hpp"
#include "arch/base/hierarchy.hpp"

namespace tessera::arch {

class Translations final {
 public:
  /// Of a whole array, each of whose accelerators has a place of its own in a grid, or of a tree.
  explicit Translations(Topology const& whole);

  /// Of an array whose fabric is a grid, or a tree, in which a place along a dimension is which
  /// child of a switch of a level; none of another.
  [[nodiscard]] static std::optional<Translations> of(ArraySpec const& array);

  [[nodiscard]] std::size_t dimensions() const { return extents_.size(); }
  [[nodiscard]] std::size_t extent(std::size_t dimension) const { return extents_[dimension]; }
  [[nodiscard]] std::size_t place(std::size_t accelerator, std::size_t dimension) const {
    return places_[accelerator * dimensions() + dimension];
  }

  /// The accelerator whose place along each dimension, round the ring, is `place_along(dimension)`.
  template <typename PlaceAlong>
  [[nodiscard]] std::size_t accelerator_at(PlaceAlong place_along) const {
    std::size_t at = 0;
    for (auto i = dimensions(); i-- > 0;) at = at * extents_[i] + place_along(i) % extents_[i];
    return accelerators_[at];
  }

  /// The accelerator that lies to `to` as `accelerator` lies to `from`.
  [[nodiscard]] std::size_t shifted(std::size_t accelerator, std::size_t from,
                                    std::size_t to) const;

  /// Where `to` lies as seen from `from`: a number below that of accelerators, the same for all
  /// pairs that shifts map onto each other and for no others: the accelerator that lies so to the
  /// one that is first along each dimension.
  [[nodiscard]] std::size_t displacement(std::size_t from, std::size_t to) const {
    return shifted(to, from, accelerators_.front());
  }
  /// Whom a displacement leads to.
  [[nodiscard]] std::size_t reached(std::size_t from, std::size_t displacement) const {
    return shifted(displacement, accelerators_.front(), from);
  }

  /// Of all accelerators, where each gets that many places on along a dimension, round a block of
  /// it. The blocks divide it.
  [[nodiscard]] std::vector<std::size_t> along(std::size_t dimension, std::size_t places,
                                               std::size_t block) const;
  /// The same, round the whole dimension.
  [[nodiscard]] std::vector<std::size_t> along(std::size_t dimension, std::size_t places) const {
    return along(dimension, places, extents_[dimension]);
  }
  /// Of all accelerators, where a dimension's order is reversed: the first place is the last.
  [[nodiscard]] std::vector<std::size_t> reversed(std::size_t dimension) const;

 private:
  using Coordinates = std::vector<std::size_t>;
  explicit Translations(std::vector<Coordinates> const& by_accelerator);

  std::vector<std::size_t> extents_;       ///< by dimension
  std::vector<std::size_t> places_;        ///< by accelerator and dimension
  std::vector<std::size_t> accelerators_;  ///< by place, the first dimension fastest
};

/// A level of the hierarchy as a digit of a place along a dimension.
struct PlaceDigit {
  std::size_t level = 0;
  std::size_t stride = 0;  ///< places from one part to the next
};

/// The digits of each dimension, the outermost first; empty where levels are not all such digits,
/// as in rows of 5 and columns of 3: 15 are cut in five parts, then in three.
[[nodiscard]] std::vector<std::vector<PlaceDigit>> place_digits(Translations const& grid,
                                                                Hierarchy const& hierarchy);

}  // namespace tessera::arch

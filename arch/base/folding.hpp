// Accelerators that mirror each other: where the parts of every group at a level of the hierarchy do the same at the same time, one
// part stands for all. Folding an array at some levels leaves one representative of each class of equals.
#pragma once

#include <cstddef>
#include <vector>

#include "arch/base/contract.hpp"
#include "arch/base/hierarchy.hpp"

namespace tessera {

/// At which levels (0 = top) it makes no difference in which part of its group an accelerator is.
/// The representatives are those that are in the first part there, numbered without these levels:
/// with the middle one of the three levels of 8 folded away, accelerators 0, 1, 4 and 5 are
/// representatives 0 to 3, and 6 is a copy of representative 2 (accelerator 4).
class Folding final {
 public:
  /// The two halves at a folded level are as an object and its reflection: the second one has its
  /// parts at some levels, which are kept, in reverse order. With the top level of 8 folded away
  /// so, and both others in reverse, 7 is a copy of 0, and 4 of 3.
  struct Reflection {
    std::size_t level = 0;
    std::vector<std::size_t> reversed;
  };

  /// Which maps take the accelerators of a representative onto each other: shifts along dimensions
  /// of a grid, or swaps of the two halves of every group at folded levels, as in an H-tree.
  enum class Maps { shifts, swaps };

  /// Nothing is folded: everybody represents himself.
  explicit Folding(std::size_t accelerators)
      : Folding{accelerators, std::vector<bool>(Hierarchy{accelerators}.levels(), false)} {}

  /// `folded` has an entry for each level, top first.
  Folding(std::size_t accelerators, std::vector<bool> const& folded,
          std::vector<Reflection> reflections = {}, Maps maps = Maps::shifts);

  [[nodiscard]] Maps maps() const { return maps_; }
  [[nodiscard]] Hierarchy const& hierarchy() const { return hierarchy_; }
  [[nodiscard]] std::size_t accelerators() const { return hierarchy_.accelerators(); }
  [[nodiscard]] std::size_t representatives() const { return kept_in_group(0); }
  /// How many accelerators each representative stands for, itself among them.
  [[nodiscard]] std::size_t copies() const { return accelerators() / representatives(); }
  [[nodiscard]] bool is_trivial() const { return representatives() == accelerators(); }
  [[nodiscard]] bool is_folded(std::size_t level) const { return folded_.at(level); }
  [[nodiscard]] std::vector<Reflection> const& reflections() const { return reflections_; }

  /// The number of the representative of `accelerator`.
  [[nodiscard]] std::size_t representative(std::size_t accelerator) const;
  /// The accelerator that is representative number `representative`.
  [[nodiscard]] std::size_t accelerator(std::size_t representative) const;
  /// All that a representative stands for, level by level, the lowest first.
  [[nodiscard]] std::vector<std::size_t> copies_of(std::size_t representative) const;
  /// Is `accelerator` in the second half at the level of one of reflections()?
  [[nodiscard]] bool is_reflected(std::size_t accelerator, Reflection const& reflection) const {
    return hierarchy_.part(accelerator, reflection.level) != 0;
  }

  /// How many representatives a group has that `levels` levels have cut off.
  [[nodiscard]] std::size_t kept_in_group(std::size_t levels) const { return kept_.at(levels); }

 private:
  /// Of both numbers: levels that follow each other and are kept.
  struct Digit {
    std::size_t of_accelerators = 1;     ///< from one part to the next
    std::size_t of_representatives = 1;  ///< the same
    std::size_t parts = 1;
  };

  /// With the parts at the levels of a reflection in reverse order.
  [[nodiscard]] std::size_t reversed(std::size_t accelerator, Reflection const& reflection) const;
  [[nodiscard]] Reflection const* reflection_at(std::size_t level) const;

  Hierarchy hierarchy_;
  std::vector<bool> folded_;
  std::vector<Reflection> reflections_;
  Maps maps_ = Maps::shifts;
  std::vector<std::size_t> kept_;  ///< kept_in_group()
  std::vector<Digit> digits_;
};

}  // namespace tessera

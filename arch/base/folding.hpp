// Accelerators that mirror each other: where the two halves of every group at a level of the binary hierarchy do the same at the
// same time, one half stands for both. Folding an array at some levels leaves one representative of each class of equals.
#pragma once

#include <cstddef>
#include <vector>

#include "arch/base/contract.hpp"

namespace tessera {

/// Which bits of an accelerator's index make no difference. The representatives are those in which
/// these bits are 0, numbered without them: with bit 1 of 8 folded away, accelerators 0, 1, 4 and 5
/// are representatives 0 to 3, and 6 is a copy of representative 2 (accelerator 4).
///
/// Level h of L (1 at the top) is bit L - h.
class Folding final {
 public:
  /// Nothing is folded: everybody represents himself.
  explicit Folding(std::size_t accelerators) : accelerators_{accelerators} {}

  /// `accelerators` is a power of two; `folded` has an entry for each level, top first.
  Folding(std::size_t accelerators, std::vector<bool> const& folded);

  [[nodiscard]] std::size_t accelerators() const { return accelerators_; }
  [[nodiscard]] std::size_t representatives() const { return accelerators_ / copies(); }
  /// How many accelerators each representative stands for, itself among them.
  [[nodiscard]] std::size_t copies() const { return std::size_t{1} << folded_bits_.size(); }
  [[nodiscard]] bool is_trivial() const { return folded_bits_.empty(); }
  [[nodiscard]] bool is_folded(std::size_t bit) const { return ((mask_ >> bit) & 1U) != 0; }

  /// The number of the representative of `accelerator`.
  [[nodiscard]] std::size_t representative(std::size_t accelerator) const;
  /// The accelerator that is representative number `representative`.
  [[nodiscard]] std::size_t accelerator(std::size_t representative) const;
  /// All that a representative stands for, in order.
  [[nodiscard]] std::vector<std::size_t> copies_of(std::size_t representative) const;

  /// How many of the lowest `bits` bits are not folded.
  [[nodiscard]] int kept_below(int bits) const;

 private:
  std::size_t accelerators_;
  std::size_t mask_ = 0;                  ///< the folded bits
  std::vector<std::size_t> folded_bits_;  ///< the same, lowest first
};

}  // namespace tessera

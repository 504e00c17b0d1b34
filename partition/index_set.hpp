// Sets of indices along one axis, and the tree that deals an axis out to the levels of the hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::partition {

/// A set of indices as sorted, disjoint, non-adjacent half-open intervals.
class IndexSet final {
 public:
  IndexSet() = default;
  [[nodiscard]] static IndexSet range(std::int64_t begin, std::int64_t end);

  [[nodiscard]] std::int64_t size() const;
  [[nodiscard]] IndexSet intersect(IndexSet const& other) const;
  /// Adds a range that begins at or after the end of the last one.
  void append(std::int64_t begin, std::int64_t end);

  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> const& ranges() const {
    return ranges_;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
};

/// Which half is taken at each level, top first; none = both.
using Halves = std::vector<std::optional<bool>>;

/// An axis halved at some levels of the hierarchy, the larger half first. Every level has its own
/// cut: a holder that is split at level 3 only takes one half of every level-1 and level-2 part, so
/// that re-laying one level never moves data between holders that differ at another one. (That is
/// how HyPar counts: at every level only the two halves of a group exchange.)
class AxisTree final {
 public:
  /// Halves `extent` at each of `cuts` (levels, 0 = top), in that order.
  AxisTree(std::int64_t extent, std::vector<std::size_t> cuts)
      : extent_{extent}, cuts_{std::move(cuts)} {}

  [[nodiscard]] std::int64_t extent() const { return extent_; }

  /// Whether the two halves of every part are equal at `level`; true where it does not cut.
  [[nodiscard]] bool is_even(std::size_t level) const;

  /// The indices of a holder. Entries for levels that do not cut this axis are ignored.
  [[nodiscard]] IndexSet select(Halves const& halves) const;

 private:
  void collect(std::size_t cut, std::int64_t begin, std::int64_t end, Halves const& halves,
               IndexSet& into) const;

  std::int64_t extent_;
  std::vector<std::size_t> cuts_;
};

}  // namespace tessera::partition

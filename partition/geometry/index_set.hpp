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
  /// How many indices are in both.
  [[nodiscard]] std::int64_t common_size(IndexSet const& other) const;
  [[nodiscard]] IndexSet unite(IndexSet const& other) const;
  /// Adds a range that begins at or after the end of the last one.
  void append(std::int64_t begin, std::int64_t end);

  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> const& ranges() const {
    return ranges_;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
};

/// One part of a cut, most often a half.
struct Part {
  std::size_t index = 0;
  double first = 0.5;  ///< the share of the first half; of more than two parts all are equal
};

/// Which part is taken at each level, top first; none = all.
using Parts = std::vector<std::optional<Part>>;

/// An axis is cut at a level in two, by some in one ratio, by others in another; or in more equal
/// parts.
struct Cut {
  std::size_t level = 0;            ///< 0 = top
  std::vector<double> shares{0.5};  ///< of the first half; rising
  std::size_t ways = 2;             ///< more than two: `shares` do not count
  friend bool operator==(Cut const& a, Cut const& b) {
    return a.level == b.level && a.shares == b.shares && a.ways == b.ways;
  }
};

/// The size of one of `ways` equal parts of `extent`: they differ by one at most, the first ones
/// are the larger ones.
[[nodiscard]] std::int64_t equal_part(std::int64_t extent, std::size_t part, std::size_t ways);

/// How many of `extent` indices the first half of a cut gets. It should be `share` of them, and
/// further cuts deal each half out to `holders`. Indices are whole; of the ways to round, the one
/// for which the slowest holder, if it is as fast as its share says, is done first:
///   min over m of max(ceil(m / holders) / share, ceil((extent - m) / holders) / (1 - share)),
/// of equals the one whose other half is done first, then the one nearest to share * extent, then
/// the one that gives more to the larger share. So halves that change places keep what they have.
/// (A share of 0.3 of 512 samples for 128 holders is 128: 154 would give 26 of them two samples,
/// and all the others would wait.) Neither half is empty unless there is one index only. Equal
/// halves differ by one at most, and the first is the larger one.
[[nodiscard]] std::int64_t first_part(std::int64_t extent, double share, std::int64_t holders);

/// An axis cut in parts at some levels of the hierarchy. Every level has its own cut: a holder that
/// is split at level 3 only takes one half of every level-1 and level-2 part, so that re-laying one
/// level never moves data between holders that differ at another one. (That is how HyPar counts: at
/// every level only the two halves of a group exchange.) Where a level is cut in several ratios,
/// all of them part the axis, so that this holds between holders of different ratios, too.
class AxisTree final {
 public:
  /// Cuts `extent` at each of `cuts`, in that order.
  AxisTree(std::int64_t extent, std::vector<Cut> cuts) : extent_{extent}, cuts_{std::move(cuts)} {}

  [[nodiscard]] std::int64_t extent() const { return extent_; }
  friend bool operator==(AxisTree const& a, AxisTree const& b) {
    return a.extent_ == b.extent_ && a.cuts_ == b.cuts_;
  }

  [[nodiscard]] bool is_cut_at(std::size_t level) const;

  /// Whether `level` cuts everything in equal parts; true where it does not cut.
  [[nodiscard]] bool is_even(std::size_t level) const;

  /// The indices of a holder. Entries for levels that do not cut this axis are ignored; the shares
  /// of the others are among those of the cut.
  [[nodiscard]] IndexSet select(Parts const& parts) const;

 private:
  /// The sizes of the parts between the ratios of a cut of `extent` indices, in order.
  [[nodiscard]] std::vector<std::int64_t> parts_of(std::int64_t extent, std::size_t cut) const;
  void collect(std::size_t cut, std::int64_t begin, std::int64_t end, Parts const& parts,
               IndexSet& into) const;

  std::int64_t extent_;
  std::vector<Cut> cuts_;
};

}  // namespace tessera::partition

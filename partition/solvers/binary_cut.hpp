// One cut in two of a tensor, as SoyBean (Wang et al., arXiv:1805.04170) prices it.
//
// A group of accelerators holds a box of the tensor. The cut splits it along an axis, or leaves both halves with all of it
// (replicated) or with summands of all of it (partial). An operation may need another box than the one that is held, and cut
// otherwise; of |A| elements held, if both boxes are the same,
//                   to split along the same axis   along another   replicated
//   split                                      0           |A|/2          |A|
//   replicated                                 0               0            0
//   partial                                  |A|             |A|         2|A|
// cross the cut, both directions together: what traffic.hpp says of equal halves. Where the boxes differ, because cuts further up
// have left the operation another part than they have left the tensor, each half fetches what it needs of the other half,
//   |half 1 held & half 2 needed| + |half 2 held & half 1 needed|,
// and for a replicated need also what neither holds. (Rules of the authors' partition.cc, ConvertCost2, of 2016.)
#pragma once

#include <cstdint>
#include <vector>

#include "partition/layout.hpp"

namespace tessera::partition {

/// Indices [begin, end) of an axis.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t size() const { return end > begin ? end - begin : 0; }
  friend bool operator==(Interval a, Interval b) { return a.begin == b.begin && a.end == b.end; }
  friend bool operator!=(Interval a, Interval b) { return !(a == b); }
};

/// An interval per axis of a tensor.
using Box = std::vector<Interval>;

/// What a group holds of a tensor, and how the cut leaves it.
struct CutBox {
  Box box;
  Holding holding;
};

/// The whole of a tensor with these extents.
[[nodiscard]] Box box_of(std::vector<std::int64_t> const& extents);

/// What the first half has after the cut.
[[nodiscard]] Box first_half(CutBox const& cut);

/// Elements that cross the cut on the way from `held` to `needed`. An axis of odd length cannot be
/// cut: that costs more than any other way, 100 (|held| + |needed|).
[[nodiscard]] double conversion_cost(CutBox const& held, CutBox const& needed);

}  // namespace tessera::partition

// One cut in two of a tensor, as SoyBean (Wang et al., arXiv:1805.04170) prices it.
//
// A group of accelerators holds a region of the tensor. The cut splits it along an axis, or leaves both halves with all of it
// (replicated) or with summands of all of it (partial). An operation may need another region than the one that is held, and cut
// otherwise; of |A| elements held, if both regions are the same,
//                   to split along the same axis   along another   replicated
//   split                                      0           |A|/2          |A|
//   replicated                                 0               0            0
//   partial                                  |A|             |A|         2|A|
// cross the cut, both directions together: what traffic.hpp says of equal halves. Where the regions differ, because cuts further up
// have left the operation another part than they have left the tensor, each half fetches what it needs of the other half,
//   |half 1 held & half 2 needed| + |half 2 held & half 1 needed|,
// and for a replicated need also what neither holds. (ConvertCost2 in the authors' partition.cc of 2016, as it has been described
// to us; that a replicated tensor is not free either where regions differ is what the reference tilings say.)
#pragma once

#include <cstdint>
#include <vector>

#include "partition/layout.hpp"
#include "partition/tiling.hpp"

namespace tessera::partition {

/// What a group holds of a tensor, or needs of it, and how the cut leaves it.
struct CutRegion {
  Region region;  ///< one range per axis
  Holding holding;
};

/// The whole of a tensor with these extents.
[[nodiscard]] Region whole_region(std::vector<std::int64_t> const& extents);

/// What the first half has after the cut.
[[nodiscard]] Region first_half(CutRegion const& cut);

/// Elements that cross the cut on the way from `held` to `needed`. An axis of odd length cannot be
/// cut: that costs more than any other way, 100 (|held| + |needed|).
[[nodiscard]] double conversion_cost(CutRegion const& held, CutRegion const& needed);

}  // namespace tessera::partition

// One cut of a tensor in equal parts, as SoyBean (Wang et al., arXiv:1805.04170; in two) and Tofu (EuroSys'19; in any number) price it.
//
// A group of accelerators holds a region of the tensor. The cut splits it along an axis, or leaves all parts of the group with all of
// it (replicated) or with summands of all of it (partial). An operation may need another region than the one that is held, and cut
// otherwise; of |A| elements held, if both regions are the same,
//                   to split along the same axis   along another   replicated
//   split                                      0           |A|/2          |A|
//   replicated                                 0               0            0
//   partial                                  |A|             |A|         2|A|
// cross a cut in two, all directions together: what traffic.hpp says of equal halves. A cut in w parts moves w - 1 times that, but
// (w-1)/w |A| from one axis to another. Where the regions differ, because cuts further up have left the operation another part than
// they have left the tensor, each part fetches what it needs of the others,
//   sum over i != j of |part i held & part j needed|,
// and for a replicated need also what none of them holds, w - 1 times. (For w = 2 that is ConvertCost2 in the authors' partition.cc
// of 2016, as it has been described to us; that a replicated tensor is not free either where regions differ is what the reference
// tilings say. How Tofu prices what is not there we do not know: w - 1 is ours.)
#pragma once

#include <cstdint>
#include <vector>

#include "partition/geometry/layout.hpp"
#include "partition/geometry/tiling.hpp"

namespace tessera::partition {

/// What a group holds of a tensor, or needs of it, and how the cut leaves it.
struct CutRegion {
  Region region;  ///< one range per axis
  Holding holding;
};

/// The whole of a tensor with these extents.
[[nodiscard]] Region whole_region(std::vector<std::int64_t> const& extents);

/// What the first of `ways` parts has after the cut: none has more.
[[nodiscard]] Region first_part_of(CutRegion const& cut, std::size_t ways = 2);

/// Elements that cross the cut on the way from `held` to `needed`. What cannot be cut costs more
/// than any other way, 100 (|held| + |needed|): in two an axis of odd length, as in SoyBean's code;
/// in more parts one that is shorter than they are many. (Others are cut in parts that differ by
/// one: channels are powers of two more often than not, and no third of them is whole.)
[[nodiscard]] double conversion_cost(CutRegion const& held, CutRegion const& needed,
                                     std::size_t ways = 2);

}  // namespace tessera::partition

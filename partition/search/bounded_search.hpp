// The cheapest labelling of dense graphs, within a limit on work (min_sum.hpp says when).
//
// Four steps, again and again on what the last round has left:
//   1. variables with one label left are put in; those with at most two neighbours are eliminated;
//   2. if all others can be eliminated within the limits, they are, and the labelling is optimal;
//   3. else a relaxation (relaxation.hpp) gives a lower bound and labellings, the best of which is kept;
//   4. labels that the bound shows to be in no cheaper labelling are taken away (reduced-cost fixing). If none is left but
//      the best labelling's, that is optimal.
// Where a round takes nothing away, a variable is fixed to each of its labels in turn, the most promising first (branch and bound).
// When the work is done that is allowed, the best labelling so far is returned, and the least of the bounds of what was not
// searched to its end.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/search/min_sum.hpp"

namespace tessera::partition {

[[nodiscard]] MinSum::Solution bounded_search(std::vector<std::size_t> const& label_counts,
                                              std::vector<MinSum::Term> const& terms,
                                              MinSum::Limits const& limits);

}  // namespace tessera::partition

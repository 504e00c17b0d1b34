// The steady period of a machine that repeats itself: the maximum cycle ratio of its event graph.
//
// Event v of round k happens no earlier than weight after event u of round k - height, for each arc u -> v. In the long run a round
// takes the largest ratio of weight to height over all cycles (Baccelli et al., Synchronization and Linearity, 1992, section 3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::test {

struct Arc {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t weight = 0;
  std::int64_t height = 0;  ///< rounds
};

struct Ratio {
  std::int64_t weight = 0;
  std::int64_t height = 1;
};

/// Requires that every cycle has a height. Exact: starts from no cycle at all and goes on to a
/// better one as long as there is one, which Bellman and Ford's algorithm finds.
[[nodiscard]] Ratio maximum_cycle_ratio(std::size_t events, std::vector<Arc> const& arcs);

}  // namespace tessera::test

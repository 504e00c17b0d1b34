// The order of a reshard's levels (reshard.hpp), as changes of one level each.
#pragma once

#include <vector>

#include "partition/geometry/layout.hpp"

namespace tessera::partition {

/// One level's change within a reshard: the layouts of all levels before and after it.
struct LayoutChange {
  std::size_t level;
  Layout before;
  Layout after;

  /// Summands become parts of sums.
  [[nodiscard]] bool reduces() const { return before[level].kind == Holding::Kind::partial; }
  /// Parts become copies of the whole.
  [[nodiscard]] bool gathers() const { return after[level].kind == Holding::Kind::replicated; }
};

/// Those that move data, one after another: reduce-scatters, exchanges, gathers.
[[nodiscard]] std::vector<LayoutChange> layout_changes(Layout const& from, Layout const& to);

}  // namespace tessera::partition

// Finds the part of a run that repeats itself, exactly, from when each stage completed each micro-batch.
//
// p micro-batches in T are the steady state from micro-batch a to micro-batch z when at every stage s, with C_s(b) the completion
// of micro-batch b,
//   C_s(b + p) - C_s(b) = T        for all a <= b <= z - p
// to the picosecond, and a .. z are 3 p micro-batches or more and at least half of the run. The smallest such p is taken, and
// a .. z as long as it goes. With 3 steps or more that is not what repeats within a single step only.
#pragma once

#include <optional>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

/// By stage and micro-batch.
using Completions = std::vector<std::vector<Time>>;

struct RepeatedPart {
  std::size_t micro_batches = 0;  ///< of a period
  Time period{0};
  std::size_t first = 0;  ///< micro-batch
  std::size_t last = 0;
};

/// None: there is none. Requires stages with equally many micro-batches.
[[nodiscard]] std::optional<RepeatedPart> repeated_part(Completions const& completions);

}  // namespace tessera::sim

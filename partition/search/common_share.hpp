// One share for all operators. Where the halves of an array differ in speed, another share of one operator alone gains nothing: the half
// that is done first waits for the other one at the next operator.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

/// Those whose groups have two halves that are not built alike, the top first.
[[nodiscard]] std::vector<std::size_t> levels_of_unlike_halves(arch::ArraySpec const& array);

/// The plan with `first` as the first half's share of whatever is split at that level. Requires a
/// share in (0, 1); the plan may be none that is valid.
[[nodiscard]] Plan with_common_share(Plan plan, std::size_t level, double first);

/// Tries shares in 64ths: first the one with the least guess (none: it cannot be guessed), then
/// from the last that `is_better` said yes to, or from there, in smaller and smaller steps.
void search_common_share(std::function<std::optional<Time>(double)> const& guess,
                         std::function<bool(double)> const& is_better);

}  // namespace tessera::partition

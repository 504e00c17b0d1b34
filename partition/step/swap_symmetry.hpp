// Which levels of a tree of switches a plan treats alike, so that swapping the halves of all groups there maps the step onto itself.
#pragma once

#include <vector>

#include "partition/step/mapped_fabric.hpp"
#include "partition/step/step_exchanges.hpp"
#include "partition/step/unfolded_levels.hpp"

namespace tessera::partition {

/// The tree folded at levels of halves, as many as can be, so that for the swap of halves at each
/// level what fold_by_shifts() asks of shifts holds (shift_symmetry.hpp), and as of reflections,
/// that messages of one step that share a link go equally far, unless swaps change none of their
/// directions (as between stages of which each has both halves). Partners half, a quarter, an
/// eighth... of the array apart are swapped by it, which shifts along rings keep for the first of
/// them only.
///
/// Requires that nothing is why_unfoldable(), and a tree; `exchanges` are those of all
/// accelerators.
[[nodiscard]] ExplainedFolding fold_by_swaps(MappedNetwork const& network, Step const& step,
                                             StepExchanges& exchanges,
                                             std::vector<bool> const& alike);

}  // namespace tessera::partition

// Which levels of a grid with closed rings a plan treats alike, so that shifts of the grid map the step onto itself.
#pragma once

#include <vector>

#include "arch/base/folding.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/plan/problem.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// Is the array a torus, or a network that is a grid, and carries whole messages on one lane?
[[nodiscard]] bool is_shiftable(arch::ArraySpec const& array);

/// The grid folded at the outermost levels of each dimension, as many as can be, so that for shifts
/// by what those levels tell apart
///   - all levels are `alike` (by level: equal accelerators, equal parts);
///   - links are mapped onto equal links, and the routes of all messages onto routes;
///   - every exchange of the step is mapped onto one of the same step, size and place among its
///     sender's, which waits for what it waits for, mapped (maps_onto_itself);
///   - no two senders' messages of one exchange step meet at a link. Of messages of different steps
///     a link takes the one of the earlier step first when both come at once, wherever it is; of
///     two of one step it would take that of the sender with the lower number, which shifts do not
///     keep.
/// Then a shift maps the tasks of every accelerator onto equal ones that take place at the same
/// times. So rings from neighbour to neighbour fold along the ring; halving level by level does
/// not, whose messages share links (nor do meshes, whose ends differ from what is between).
///
/// Requires a step without stages, and that is_shiftable().
[[nodiscard]] Folding fold_grid(arch::ArraySpec const& array, Tiling const& tiling,
                                Step const& step, std::vector<bool> const& alike);

}  // namespace tessera::partition

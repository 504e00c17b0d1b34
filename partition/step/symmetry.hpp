// Which levels of an array a plan treats alike: there one half of every group mirrors the other, and needs no simulation of its own.
#pragma once

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/step/step.hpp"
#include "partition/step/unfolded_levels.hpp"

namespace tessera::partition {

/// The array folded at every level of halves at which, under this plan,
///   - accelerators that differ in this level only are of one group (they are built alike),
///   - the halves of every axis that is split there are equal, so that they hold, compute and
///     exchange equal parts (Tiling::is_even),
///   - the halves of every gradient that is summed over the level are equal, too (those of
///     padded sums are: Conversion::pieces).
/// Then exchanging the two halves of every group at that level maps the step onto itself: every
/// task onto an equal one, in the same order on its accelerator, every message onto one over the
/// mirrored links. In an H-tree, equals never share a lane (Topology), so the mirrored tasks take
/// place at the same times. (Levels of three parts and more are not folded there, although they
/// could be: a message between copies of one accelerator would have to say which of its siblings it
/// goes to. Nor are H-trees whose collectives are of whole groups: a ring looks otherwise from each
/// half.)
///
/// Grids are folded by shifts along their rings and by reflections, trees and fat trees of switches
/// by shifts of their children (shift_symmetry.hpp) or by swaps of halves (swap_symmetry.hpp),
/// whatever leaves fewer; also of arrays with stages, if each is on whole rings or has children of
/// switches of its own, and none has replicas, which take turns. Other networks, and H-trees with
/// stages, are not.
///
/// Requires a plan that is valid for the problem.
[[nodiscard]] Folding symmetry(Problem const& problem, Plan const& plan);

/// The same, where the plan's step is known: step_of(problem, plan).
[[nodiscard]] Folding symmetry(Problem const& problem, Plan const& plan, Step const& step);

/// The same, and why the other levels are not folded.
[[nodiscard]] ExplainedFolding explained_symmetry(Problem const& problem, Plan const& plan,
                                                  Step const& step);

}  // namespace tessera::partition

// Which levels of a grid or a tree a plan treats alike, so that shifts along its dimensions, or reflections, map the step onto itself.
#pragma once

#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/step/mapped_fabric.hpp"
#include "partition/step/step_exchanges.hpp"
#include "partition/step/unfolded_levels.hpp"

namespace tessera::partition {

/// What keeps an array's network from being folded under any plan ("packet switching"); empty for
/// a torus, and a network that is a grid, a tree or a fat tree, of several accelerators, that
/// carries whole messages beside their memories.
[[nodiscard]] std::string why_unfoldable(arch::ArraySpec const& array);

/// The grid folded at the outermost levels of each dimension, as many as can be, so that for shifts
/// by what those levels tell apart, and at one more level of halves where the same holds for the
/// reflection that reverses the order of all places,
///   - all levels are `alike` (by level: equal accelerators, equal parts);
///   - links are mapped onto equal links, and the routes of all messages onto routes;
///   - every exchange of the step is mapped onto one of the same step, size and place among its
///     sender's, which waits for what it waits for, mapped (maps_onto_itself);
///   - messages of one exchange step that go equally far in one direction take equal ways, wherever
///     they begin; and where a reflection is among the maps, those of one step that share a link
///     go equally far in one direction and the same one of two ways. Of two that come to a link at
///     once it takes first the one of the earlier step, of one step by where they go, and of those
///     that go the same way the one that has come less far (sim/task/task_graph.hpp: Task::rank),
///     all of which the maps keep; equal in all of it, they are of one sender.
/// A map must leave every stage where it is (levels of which a stage has one part only are not
/// alike). Then a map takes the tasks of every accelerator onto equal ones that take place at the
/// same times. So rings from neighbour to neighbour fold along the ring, and those of every second,
/// too. Halving level by level leaves a quarter of each dimension, as partners lie further on or
/// back by where they are: half a ring on it is the same, and the other way round. Meshes have no
/// shifts, as their ends differ from what is between, and fold in half.
///
/// A tree is folded by shifts only, which move the children of all switches of a level round; where
/// its outermost levels tell stages apart, those of a stage. Of the latter what holds for
/// reflections does, unless they change none of the directions of a step (as between stages). Those
/// below one switch share its link: messages that tie there are served in the order of the list, so
/// such dimensions are not folded (LinkContention::ties). A ring through servers leaves
/// one server.
///
/// Requires that nothing is why_unfoldable(); `exchanges` are those of all accelerators.
[[nodiscard]] ExplainedFolding fold_by_shifts(MappedNetwork const& network, Step const& step,
                                              StepExchanges& exchanges,
                                              std::vector<bool> const& alike);

}  // namespace tessera::partition

// Level by level: equal accelerators, equal parts, equal halves of gradients.
#include "partition/step/symmetry.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "partition/geometry/reshard.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/step/shift_symmetry.hpp"
#include "partition/step/swap_symmetry.hpp"

namespace tessera::partition {

namespace {

using Levels = std::vector<bool>;  ///< top first

bool builds_alike(arch::ArraySpec const& array, Hierarchy const& hierarchy, std::size_t level) {
  for (std::size_t i = 0; i < hierarchy.accelerators(); ++i) {
    if (&array.accelerator(i) != &array.accelerator(hierarchy.sibling(i, level))) return false;
  }
  return true;
}

/// Which levels of an array are axes of a stage, of equal parts: accelerators that differ in such a
/// level only are in one stage, at positions that differ in such an axis only.
class LevelsOfStage final {
 public:
  LevelsOfStage(Hierarchy const& array, MeshHolders const& stage) : array_{array}, stage_{stage} {
    positions_.resize(array.accelerators());
    for (auto const position : stage.positions) positions_[stage.mesh.devices[position]] = position;
    for (std::size_t axis = 0; axis < stage.tiling.levels(); ++axis) {
      is_even_.push_back(stage.tiling.is_even(axis));
    }
  }

  [[nodiscard]] bool are_equal_at(std::size_t level) const {
    auto const& devices = stage_.mesh.devices;
    return std::all_of(stage_.positions.begin(), stage_.positions.end(), [&](std::size_t position) {
      auto const sibling = positions_[array_.sibling(devices[position], level)];
      return sibling && are_equal(position, *sibling);
    });
  }

 private:
  [[nodiscard]] bool are_equal(std::size_t a, std::size_t b) const {
    auto const& mesh = stage_.tiling.hierarchy();
    auto const axis = mesh.outermost_difference(a, b);
    for (auto inner = axis + 1; inner < is_even_.size(); ++inner) {
      if (mesh.part(a, inner) != mesh.part(b, inner)) return false;
    }
    return is_even_[axis];
  }

  Hierarchy const& array_;
  MeshHolders const& stage_;
  std::vector<std::optional<std::size_t>> positions_;  ///< by accelerator
  std::vector<bool> is_even_;                          ///< by axis
};

using Stages = IdVector<StageId, MeshHolders>;

/// Levels of which all parts are alike, before anything is summed over them.
Levels levels_of_equals(arch::ArraySpec const& array, Stages const& stages) {
  auto const hierarchy = array.hierarchy();
  Levels alike;
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    alike.push_back(builds_alike(array, hierarchy, level));
  }
  for (auto const& stage : stages) {
    LevelsOfStage const levels{hierarchy, stage};
    bool const is_whole = stage.mesh == hierarchy_mesh(hierarchy);
    for (std::size_t level = 0; level < alike.size(); ++level) {
      if (!alike[level]) continue;
      alike[level] = is_whole ? stage.tiling.is_even(level) : levels.are_equal_at(level);
    }
  }
  return alike;
}

/// The sizes of the parts of a gradient before it is summed, over all holders.
std::set<Elements> part_sizes(Tiling const& tiling, workloads::TensorId gradient,
                              Layout const& layout, Folding const& folding) {
  std::set<Elements> sizes;
  for (std::size_t i = 0; i < folding.representatives(); ++i) {
    sizes.insert(tiling.region(gradient, layout, folding.accelerator(i)).elements());
  }
  return sizes;
}

/// Unfolds the levels at which all_reduce() halves some part unevenly.
void unfold_uneven_sums(Levels& folded, Hierarchy const& hierarchy, std::set<Elements> sizes,
                        Layout const& layout) {
  for (auto level = layout.size(); level-- > 0;) {
    if (layout[level].kind != Holding::Kind::partial) continue;
    auto const ways = hierarchy.ways(level);
    std::set<Elements> halves;
    for (auto const size : sizes) {
      auto const [first, second] = std::pair{part_of(size, 0, ways), part_of(size, ways - 1, ways)};
      if (first != second) folded[level] = false;
      halves.insert({first, second});
    }
    sizes = std::move(halves);
  }
}

ExplainedFolding fold_tree(arch::ArraySpec const& array, Step const& step, MeshHolders const& all,
                           Levels const& alike) {
  auto folded = alike;
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  auto const& hierarchy = all.tiling.hierarchy();
  for (std::size_t level = 0; level < folded.size(); ++level) {
    folded[level] = folded[level] && hierarchy.ways(level) == 2;
  }
  UnfoldedLevels unfolded{folded, alike};
  Folding const by_parts{accelerators, folded};
  for (auto const& action : step.actions) {
    auto const& conversion = action.conversion;
    if (!conversion || conversion->kind != Conversion::Kind::gradient_sum) continue;
    if (conversion->pieces == arch::SumPieces::padded) continue;
    auto sizes = part_sizes(all.tiling, conversion->tensor, conversion->from, by_parts);
    unfold_uneven_sums(folded, hierarchy, std::move(sizes), conversion->from);
    unfolded.leave(folded, communication_of(step, action));
  }
  return {{accelerators, folded, {}, Folding::Maps::swaps}, unfolded.reasons()};
}

/// By shifts, or in a tree by swaps, whatever leaves fewer.
ExplainedFolding fold_network(arch::ArraySpec const& array, Step const& step, Stages const& stages,
                              Levels const& alike) {
  arch::Topology const topology{array};
  Folding whole{topology.accelerators()};
  arch::Translations const grid{topology};
  MappedNetwork const network{topology, grid};
  StepExchanges exchanges{step, stages, whole, &grid};
  auto by_shifts = fold_by_shifts(network, step, exchanges, alike);
  if (!network.is_tree()) return by_shifts;
  auto by_swaps = fold_by_swaps(network, step, exchanges, alike);
  bool const by_fewer = by_swaps.folding.representatives() < by_shifts.folding.representatives();
  return by_fewer ? by_swaps : by_shifts;
}

bool has_replicas(Step const& step) {
  return std::any_of(step.stages.begin(), step.stages.end(),
                     [](Stage const& stage) { return stage.replicas > 1; });
}

}  // namespace

Folding symmetry(Problem const& problem, Plan const& plan) {
  return symmetry(problem, plan, step_of(problem, plan));
}

Folding symmetry(Problem const& problem, Plan const& plan, Step const& step) {
  return explained_symmetry(problem, plan, step).folding;
}

ExplainedFolding explained_symmetry(Problem const& problem, Plan const& plan, Step const& step) {
  auto const& array = problem.array;
  Folding const whole{static_cast<std::size_t>(array.accelerators)};
  if (has_replicas(step)) return not_folded(whole, "replicas with micro-batches in turn");
  bool const is_tree = array.fabric.topology == arch::FabricSpec::Topology::htree;
  if (is_tree && plan.pipeline) return not_folded(whole, "pipeline stages on an H-tree");
  bool const goes_by_levels = array.execution.collectives.go_by_levels();
  if (is_tree && !goes_by_levels) return not_folded(whole, "group-wide collectives on an H-tree");
  auto const why = is_tree ? "" : why_unfoldable(array);
  if (!why.empty()) return not_folded(whole, why);
  Stages stages;
  for (auto const id : step.stages.ids()) {
    stages.push_back(all_holders(tiling_of(step, id), step.stages[id].mesh));
  }
  auto const alike = levels_of_equals(array, stages);
  return is_tree ? fold_tree(array, step, stages[StageId{0}], alike)
                 : fold_network(array, step, stages, alike);
}

}  // namespace tessera::partition

// Level by level: equal accelerators, equal parts, equal halves of gradients.
#include "partition/step/symmetry.hpp"

#include <algorithm>
#include <set>

#include "partition/geometry/reshard.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/step/grid_symmetry.hpp"

namespace tessera::partition {

namespace {

using Levels = std::vector<bool>;  ///< top first

bool builds_alike(arch::ArraySpec const& array, Tiling const& tiling, std::size_t level) {
  for (std::size_t i = 0; i < tiling.accelerators(); ++i) {
    if (&array.accelerator(i) != &array.accelerator(tiling.hierarchy().sibling(i, level)))
      return false;
  }
  return true;
}

/// Levels of which all parts are alike, before anything is summed over them.
Levels levels_of_equals(arch::ArraySpec const& array, Tiling const& tiling) {
  Levels alike;
  for (std::size_t level = 0; level < tiling.levels(); ++level) {
    alike.push_back(tiling.is_even(level) && builds_alike(array, tiling, level));
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

}  // namespace

Folding symmetry(Problem const& problem, Plan const& plan) {
  auto const& network = problem.network;
  auto const& array = problem.array;
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  if (plan.pipeline) return Folding{accelerators};
  Tiling const tiling{network, plan};
  auto folded = levels_of_equals(array, tiling);
  if (is_shiftable(array)) return fold_grid(array, tiling, step_of(problem, plan), folded);
  bool const goes_by_levels = array.execution.collectives.go_by_levels();
  if (!goes_by_levels || array.fabric.topology != arch::FabricSpec::Topology::htree) {
    return Folding{accelerators};
  }
  for (std::size_t level = 0; level < folded.size(); ++level) {
    folded[level] = folded[level] && tiling.hierarchy().ways(level) == 2;
  }
  if (array.execution.sums == arch::SumPieces::padded) return {accelerators, folded};
  Folding const by_parts{accelerators, folded};
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    if (!op.has(workloads::Phase::backward_weight)) continue;
    auto const layout =
        layout_written(*op.weight, plan.splits_of(id, workloads::Phase::backward_weight));
    auto sizes = part_sizes(tiling, op.weight->tensor, layout, by_parts);
    unfold_uneven_sums(folded, tiling.hierarchy(), std::move(sizes), layout);
  }
  return {accelerators, folded};
}

}  // namespace tessera::partition

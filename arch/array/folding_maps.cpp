#include "arch/array/folding_maps.hpp"

#include <algorithm>
#include <utility>

namespace tessera::arch {

FoldingMaps::FoldingMaps(Translations grid, Folding const& folding)
    : grid_{std::move(grid)}, folding_{folding}, reflections_(grid_.dimensions()) {
  for (auto const& reflection : folding_.reflections()) {
    auto const sibling = folding_.hierarchy().sibling(0, reflection.level);
    std::size_t dimension = 0;
    while (grid_.place(sibling, dimension) == grid_.place(0, dimension)) ++dimension;
    EXPECTS(!reflections_[dimension], dimension, reflection.level);
    reflections_[dimension] = reflection;
  }
}

std::size_t FoldingMaps::swapped(std::size_t accelerator, std::size_t from, std::size_t to) const {
  auto const& hierarchy = folding_.hierarchy();
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    bool const differ = hierarchy.part(from, level) != hierarchy.part(to, level);
    if (folding_.is_folded(level) && differ) accelerator = hierarchy.sibling(accelerator, level);
  }
  return accelerator;
}

std::size_t FoldingMaps::mapped(std::size_t accelerator, std::size_t from, std::size_t to) const {
  if (folding_.maps() == Folding::Maps::swaps) return swapped(accelerator, from, to);
  return grid_.moved(accelerator, from, to, [&](std::size_t dimension) {
    auto const& reflection = reflections_[dimension];
    return reflection &&
           folding_.is_reflected(from, *reflection) != folding_.is_reflected(to, *reflection);
  });
}

std::size_t FoldingMaps::distance(std::size_t from, std::size_t to) const {
  if (folding_.maps() == Folding::Maps::swaps) {
    auto const original = folding_.accelerator(folding_.representative(from));
    return grid_.displacement(original, swapped(to, from, original));
  }
  auto const displacement = grid_.displacement(from, to);
  return grid_.accelerator_at([&](std::size_t i) {
    auto const forward = grid_.place(displacement, i);
    return reflections_[i] ? std::min(forward, grid_.extent(i) - forward) : forward;
  });
}

}  // namespace tessera::arch

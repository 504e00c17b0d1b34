#include "arch/array/folding_maps.hpp"

#include <algorithm>
#include <utility>

namespace tessera::arch {

FoldingMaps::FoldingMaps(Translations grid, Folding const& folding)
    : grid_{std::move(grid)}, folding_{folding}, reflections_(grid_.dimensions()) {
  auto const digits = place_digits(grid_, folding_.hierarchy());
  for (std::size_t i = 0; i < grid_.dimensions(); ++i) {
    blocks_.push_back(digits.empty() ? grid_.extent(i) : block_of(digits[i], grid_.extent(i)));
  }
  for (auto const& reflection : folding_.reflections()) {
    auto const sibling = folding_.hierarchy().sibling(0, reflection.level);
    std::size_t dimension = 0;
    while (grid_.place(sibling, dimension) == grid_.place(0, dimension)) ++dimension;
    EXPECTS(!reflections_[dimension], dimension, reflection.level);
    reflections_[dimension] = reflection;
  }
}

std::size_t FoldingMaps::block_of(std::vector<PlaceDigit> const& digits, std::size_t extent) const {
  for (auto const& [level, stride] : digits) {
    if (folding_.is_folded(level)) break;
    extent = stride;
  }
  return extent;
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
  return grid_.accelerator_at([&](std::size_t i) {
    auto const at = grid_.place(accelerator, i);
    auto const first = grid_.place(from, i);
    auto const last = grid_.place(to, i);
    auto const& reflection = reflections_[i];
    bool const is_reversed = reflection && folding_.is_reflected(from, *reflection) !=
                                               folding_.is_reflected(to, *reflection);
    if (is_reversed) return last + first + grid_.extent(i) - at;
    auto const block = blocks_[i];
    return at - at % block + (at % block + last + block - first) % block;
  });
}

std::size_t FoldingMaps::distance(std::size_t from, std::size_t to) const {
  auto const original = folding_.accelerator(folding_.representative(from));
  auto const displacement =
      grid_.displacement(original, from == original ? to : mapped(to, from, original));
  return grid_.accelerator_at([&](std::size_t i) {
    auto const forward = grid_.place(displacement, i);
    return reflections_[i] ? std::min(forward, grid_.extent(i) - forward) : forward;
  });
}

}  // namespace tessera::arch

#include "arch/array/translation.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tessera::arch {

namespace {

using Coordinates = std::vector<std::size_t>;

/// The shape of an array's grid, and which accelerator is where; of no other fabric a shape.
struct Grid {
  std::vector<std::int64_t> shape;
  Numbering numbering = Numbering::by_dimension;
};

/// A place is which child of its parent each switch over an accelerator is; the lowest level first.
Grid grid_of_tree(std::vector<std::int64_t> const& children) {
  return {{children.rbegin(), children.rend()}};
}

Grid grid_of(ArraySpec const& array) {
  auto const& fabric = array.fabric;
  if (fabric.topology == FabricSpec::Topology::htree) return {};
  if (!fabric.tree.empty()) return grid_of_tree(fabric.tree);
  if (fabric.topology == FabricSpec::Topology::network) return {fabric.grid, fabric.numbering};
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  return {shape_by_level(accelerators, torus_dimensions), Numbering::by_level};
}

std::vector<Coordinates> coordinates_in(Topology const& whole) {
  EXPECTS(!whole.is_folded());
  std::vector<Coordinates> all;
  for (std::size_t index = 0; index < whole.accelerators(); ++index) {
    auto const& tree = whole.tree();
    all.push_back(tree.empty()
                      ? whole.coordinates(NodeId{index})
                      : grid_coordinates(grid_of_tree(tree).shape, Numbering::by_dimension, index));
  }
  return all;
}

}  // namespace

Translations::Translations(Topology const& whole) : Translations{coordinates_in(whole)} {}

std::optional<Translations> Translations::of(ArraySpec const& array) {
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  auto const [shape, numbering] = grid_of(array);
  if (shape.empty()) return std::nullopt;
  std::vector<Coordinates> all;
  for (std::size_t index = 0; index < accelerators; ++index) {
    all.push_back(grid_coordinates(shape, numbering, index));
  }
  return Translations{all};
}

Translations::Translations(std::vector<Coordinates> const& by_accelerator)
    : accelerators_(by_accelerator.size()) {
  for (auto const& coordinates : by_accelerator) {
    extents_.resize(coordinates.size(), 0);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      extents_[i] = std::max(extents_[i], coordinates[i] + 1);
    }
    places_.insert(places_.end(), coordinates.begin(), coordinates.end());
  }
  auto const size = std::accumulate(extents_.begin(), extents_.end(), std::size_t{1},
                                    std::multiplies<std::size_t>{});
  EXPECTS(!extents_.empty() && size == accelerators_.size(), size, accelerators_.size());
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    std::size_t at = 0;
    for (auto i = dimensions(); i-- > 0;) at = at * extents_[i] + place(index, i);
    accelerators_[at] = index;
  }
}

std::size_t Translations::shifted(std::size_t accelerator, std::size_t from, std::size_t to) const {
  return accelerator_at([&](std::size_t i) {
    return place(to, i) + place(accelerator, i) + extents_[i] - place(from, i);
  });
}

std::vector<std::size_t> Translations::along(std::size_t dimension, std::size_t places,
                                             std::size_t block) const {
  EXPECTS(extents_[dimension] % block == 0, extents_[dimension], block);
  std::vector<std::size_t> all;
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    all.push_back(accelerator_at([&](std::size_t i) {
      auto const at = place(index, i);
      return i == dimension ? at - at % block + (at + places) % block : at;
    }));
  }
  return all;
}

std::vector<std::size_t> Translations::reversed(std::size_t dimension) const {
  std::vector<std::size_t> all;
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    all.push_back(accelerator_at([&](std::size_t i) {
      return i == dimension ? extents_[i] - 1 - place(index, i) : place(index, i);
    }));
  }
  return all;
}

std::vector<std::vector<PlaceDigit>> place_digits(Translations const& grid,
                                                  Hierarchy const& hierarchy) {
  std::vector<std::vector<PlaceDigit>> digits(grid.dimensions());
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    auto const sibling = hierarchy.sibling(0, level);
    std::size_t differs = 0;
    for (std::size_t i = 0; i < grid.dimensions(); ++i) {
      if (grid.place(sibling, i) == grid.place(0, i)) continue;
      ++differs;
      digits[i].push_back({level, grid.place(sibling, i)});
    }
    if (differs != 1) return {};
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    auto& of_dimension = digits[i];
    std::size_t places = 1;
    for (auto const& digit : of_dimension) places *= hierarchy.ways(digit.level);
    if (places != grid.extent(i)) return {};
    std::sort(of_dimension.begin(), of_dimension.end(),
              [](PlaceDigit const& a, PlaceDigit const& b) { return a.stride > b.stride; });
  }
  return digits;
}

}  // namespace tessera::arch

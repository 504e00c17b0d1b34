// Level by level, conversion by conversion.
#include "partition/step/swap_symmetry.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "partition/step/link_contention.hpp"
#include "partition/step/mapped_fabric.hpp"
#include "partition/step/step_exchanges.hpp"

namespace tessera::partition {

namespace {

/// Where the swap of halves at a level takes each accelerator.
std::vector<std::size_t> swap_at(Hierarchy const& hierarchy, std::size_t level) {
  std::vector<std::size_t> map;
  for (std::size_t index = 0; index < hierarchy.accelerators(); ++index) {
    map.push_back(hierarchy.sibling(index, level));
  }
  return map;
}

/// The dimension along which accelerators lie apart that differ in a level only; none, if there are
/// several.
std::optional<std::size_t> dimension_of(arch::Translations const& tree, std::size_t sibling) {
  std::optional<std::size_t> dimension;
  for (std::size_t i = 0; i < tree.dimensions(); ++i) {
    if (tree.place(sibling, i) == tree.place(0, i)) continue;
    if (dimension) return std::nullopt;
    dimension = i;
  }
  return dimension;
}

class SwappedLevels final {
 public:
  SwappedLevels(MappedNetwork const& network, std::vector<bool> const& alike, Bytes element_size)
      : contention_{network.topology, network.grid},
        element_size_{element_size},
        accelerators_{network.topology.accelerators()},
        levels_(alike.size()) {
    Hierarchy const hierarchy{accelerators_};
    for (std::size_t index = 0; index < alike.size(); ++index) {
      auto const dimension = dimension_of(network.grid, hierarchy.sibling(0, index));
      if (!alike[index] || hierarchy.ways(index) != 2 || !dimension) continue;
      auto map = network.by(swap_at(hierarchy, index));
      if (map.maps_links()) levels_[index].emplace(Level{*dimension, std::move(map)});
    }
  }

  [[nodiscard]] std::vector<bool> folded() const {
    std::vector<bool> folded;
    for (auto const& level : levels_) folded.push_back(level.has_value());
    return folded;
  }

  [[nodiscard]] bool is_folded() const {
    return std::any_of(levels_.begin(), levels_.end(),
                       [](auto const& level) { return level.has_value(); });
  }

  void narrow(std::vector<ReshardStep> const& steps) {
    ExchangeIndex const exchanges{steps, accelerators_};
    narrow(steps, [&](auto const& map) { return maps_onto_itself(exchanges, map); });
  }
  /// As the list of all its rounds would.
  void narrow(RingSum const& sum) {
    narrow(sum.neighbours(), [&](auto const& map) { return sum.is_kept_by(map); });
  }

  [[nodiscard]] Folding fold() const { return {accelerators_, folded(), {}, Folding::Maps::swaps}; }

 private:
  struct Level {
    std::size_t dimension = 0;
    MappedFabric swapped;
  };

  /// Leaves those levels only whose swaps keep an order that links serve, and the exchanges.
  template <typename Keeps>
  void narrow(std::vector<ReshardStep> const& steps, Keeps keeps) {
    auto const ties = contention_.ties(steps);
    bool const mixes = contention_.mixes_flows(steps);
    for (auto& level : levels_) {
      if (!level) continue;
      auto const& map = level->swapped.map();
      bool const is_kept = ties.dimensions.count(level->dimension) == 0 &&
                           contention_.keeps_order(ties, map) &&
                           (!mixes || contention_.keeps_displacements(steps, map)) && keeps(map) &&
                           maps_routes(level->swapped, steps);
      if (!is_kept) level.reset();
    }
  }

  [[nodiscard]] bool maps_routes(MappedFabric& swapped,
                                 std::vector<ReshardStep> const& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](ReshardStep const& step) {
      return swapped.maps_routes(step.exchanges, element_size_);
    });
  }

  LinkContention contention_;
  Bytes element_size_;
  std::size_t accelerators_;
  std::vector<std::optional<Level>> levels_;  ///< that are folded
};

}  // namespace

ExplainedFolding fold_by_swaps(MappedNetwork const& network, Step const& step,
                               StepExchanges& exchanges, std::vector<bool> const& alike) {
  SwappedLevels levels{network, alike, step.network->element_size()};
  auto const unfolded = exchanges.narrow(levels, alike);
  return {levels.fold(), unfolded.reasons()};
}

}  // namespace tessera::partition

// Shift by shift, conversion by conversion.
#include "partition/step/shift_symmetry.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "arch/array/translation.hpp"
#include "partition/step/link_contention.hpp"
#include "partition/step/mapped_fabric.hpp"
#include "partition/step/step_exchanges.hpp"

namespace tessera::partition {

namespace {

using arch::NodeId;
using arch::PlaceDigit;

/// The levels of a dimension at which it is folded by shifts: its outermost ones, or of a tree,
/// whose children are all alike to their switch, the outermost ones of blocks that are not alike.
/// And whether it is folded once more by a reflection, which reverses the order of all places.
class FoldedDimension final {
 public:
  /// At as many levels as are alike and follow each other.
  FoldedDimension(MappedNetwork const& network, std::size_t dimension,
                  std::vector<PlaceDigit> digits, std::vector<bool> const& alike,
                  Bytes element_size)
      : network_{network},
        dimension_{dimension},
        digits_{std::move(digits)},
        element_size_{element_size} {
    auto const is_alike = [&](std::size_t i) { return alike[digits_[i].level]; };
    while (network_.is_tree() && first_ < digits_.size() && !is_alike(first_)) ++first_;
    while (first_ + count_ < digits_.size() && is_alike(first_ + count_)) ++count_;
    if (is_folded() && count_ == digits_.size() && !network_.is_tree()) {
      reflected_.emplace(network_.by(network_.grid.reversed(dimension_)));
      if (!reflected_->maps_links()) reflected_.reset();
    }
    set_shift();
  }

  [[nodiscard]] bool is_folded() const { return count_ > 0 || reflected_; }
  /// Do some of its maps not take everybody equally far in one direction?
  [[nodiscard]] bool turns() const { return reflected_ || (count_ > 0 && first_ > 0); }
  void leave_unreflected() { reflected_.reset(); }
  void unfold() {
    count_ = 0;
    reflected_.reset();
  }

  /// Leaves no more levels than this list allows.
  void narrow(std::vector<ReshardStep> const& steps, ExchangeIndex const& exchanges) {
    auto const is_mapped = [&](MappedFabric& fabric) {
      return maps_onto_itself(exchanges, fabric.map()) && maps_routes(fabric, steps);
    };
    narrow_until(is_mapped);
    if (reflected_ && !is_mapped(*reflected_)) reflected_.reset();
  }
  /// As the list of all its rounds would, apart from routes.
  void narrow(RingSum const& sum) {
    narrow([&](auto const& map) { return sum.is_kept_by(map); });
  }
  /// Leaves no more levels than those whose maps have a property, and the reflection if it has it.
  void narrow(std::function<bool(std::vector<std::size_t> const&)> const& has_it) {
    narrow_until([&](MappedFabric const& fabric) { return has_it(fabric.map()); });
    if (reflected_ && !has_it(reflected_->map())) reflected_.reset();
  }
  /// Leaves no more levels than those whose maps map the routes of these exchanges.
  void narrow_by_routes(std::vector<ReshardStep> const& steps) {
    narrow_until([&](MappedFabric& fabric) { return maps_routes(fabric, steps); });
    if (reflected_ && !maps_routes(*reflected_, steps)) reflected_.reset();
  }

  /// Halves that are shifts of each other are reflections of each other, too, but are folded once.
  void mark(std::vector<bool>& folded, std::vector<Folding::Reflection>& reflections,
            Hierarchy const& hierarchy) const {
    for (std::size_t i = 0; i < count_; ++i) folded[digits_[first_ + i].level] = true;
    if (!reflected_ || count_ == digits_.size()) return;
    auto const level = digits_[count_].level;
    if (hierarchy.ways(level) != 2) return;
    folded[level] = true;
    auto& reversed = reflections.emplace_back(Folding::Reflection{level, {}}).reversed;
    for (auto i = count_ + 1; i < digits_.size(); ++i) reversed.push_back(digits_[i].level);
  }

 private:
  template <typename IsMapped>
  void narrow_until(IsMapped is_mapped) {
    while (count_ > 0 && !is_mapped(*shifted_)) {
      --count_;
      set_shift();
    }
  }

  /// The shortest shift that maps links onto links.
  void set_shift() {
    auto const block = first_ > 0 ? digits_[first_ - 1].stride : network_.grid.extent(dimension_);
    for (; count_ > 0; --count_) {
      auto const places = digits_[first_ + count_ - 1].stride;
      shifted_.emplace(network_.by(network_.grid.along(dimension_, places, block)));
      if (shifted_->maps_links()) return;
    }
  }

  [[nodiscard]] bool maps_routes(MappedFabric& fabric,
                                 std::vector<ReshardStep> const& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](ReshardStep const& step) {
      return fabric.maps_routes(step.exchanges, element_size_);
    });
  }

  MappedNetwork const& network_;
  std::size_t dimension_;
  std::vector<PlaceDigit> digits_;  ///< the outermost first
  Bytes element_size_;
  std::size_t first_ = 0;  ///< of them that are folded by shifts
  std::size_t count_ = 0;
  std::optional<MappedFabric> shifted_;
  std::optional<MappedFabric> reflected_;
};

/// All dimensions of a network.
class ShiftedLevels final {
 public:
  ShiftedLevels(MappedNetwork const& network, std::vector<std::vector<PlaceDigit>> const& digits,
                std::vector<bool> const& alike, Bytes element_size)
      : accelerators_{network.topology.accelerators()},
        hierarchy_{accelerators_},
        contention_{network.topology, network.grid} {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      dimensions_.emplace_back(network, i, digits[i], alike, element_size);
    }
  }

  [[nodiscard]] std::vector<bool> folded() const {
    std::vector<Folding::Reflection> reflections;
    return mark(reflections);
  }

  [[nodiscard]] bool is_folded() const {
    return std::any_of(dimensions_.begin(), dimensions_.end(),
                       [](auto const& dimension) { return dimension.is_folded(); });
  }

  /// Routes are left for when no more levels go.
  void narrow(RingSum const& sum) {
    for (auto& dimension : dimensions_) dimension.narrow(sum);
    if (in_rings_.insert(sum.in_rings()).second) neighbours_.push_back(sum.neighbours());
  }

  void narrow(std::vector<ReshardStep> const& steps) {
    keep_orders(steps);
    ExchangeIndex const exchanges{steps, accelerators_};
    for (auto& dimension : dimensions_) dimension.narrow(steps, exchanges);
  }

  /// By the routes of sums in rings.
  void narrow_by_neighbours() {
    for (auto const& neighbours : neighbours_) {
      keep_orders(neighbours);
      for (auto& dimension : dimensions_) dimension.narrow_by_routes(neighbours);
    }
  }

  [[nodiscard]] Folding fold() const {
    std::vector<Folding::Reflection> reflections;
    auto const folded = mark(reflections);
    return {accelerators_, folded, std::move(reflections)};
  }

 private:
  [[nodiscard]] std::vector<bool> mark(std::vector<Folding::Reflection>& reflections) const {
    std::vector<bool> folded(hierarchy_.levels(), false);
    for (auto const& dimension : dimensions_) dimension.mark(folded, reflections, hierarchy_);
    return folded;
  }
  [[nodiscard]] bool turns() const {
    return std::any_of(dimensions_.begin(), dimensions_.end(),
                       [](auto const& dimension) { return dimension.turns(); });
  }

  /// In which links serve them.
  void keep_orders(std::vector<ReshardStep> const& steps) {
    auto const ties = contention_.ties(steps);
    for (auto const dimension : ties.dimensions) dimensions_[dimension].unfold();
    for (auto& dimension : dimensions_) {
      dimension.narrow([&](auto const& map) { return contention_.keeps_order(ties, map); });
    }
    if (!turns() || !contention_.mixes_flows(steps)) return;
    for (auto& dimension : dimensions_) {
      dimension.leave_unreflected();
      dimension.narrow(
          [&](auto const& map) { return contention_.keeps_displacements(steps, map); });
    }
  }

  std::size_t accelerators_;
  Hierarchy hierarchy_;
  LinkContention contention_;
  std::vector<FoldedDimension> dimensions_;
  std::set<RingSum::Rings> in_rings_;
  std::vector<std::vector<ReshardStep>> neighbours_;  ///< of the sums of each
};

}  // namespace

std::string why_unfoldable(arch::ArraySpec const& array) {
  auto const& fabric = array.fabric;
  if (array.accelerators == 1) return "a single accelerator";
  if (fabric.packets) return "packet switching";
  bool const is_torus = fabric.topology == arch::FabricSpec::Topology::torus;
  bool const is_grid =
      fabric.topology == arch::FabricSpec::Topology::network && !fabric.grid.empty();
  bool const is_tree = !fabric.tree.empty() && fabric.tree.front() > 1;
  if (!is_torus && !is_grid && !is_tree) return "a network that is neither grid nor tree";
  bool const uses_memory =
      std::any_of(array.groups.begin(), array.groups.end(),
                  [](auto const& group) { return group.accelerator.transfer_block.has_value(); });
  return uses_memory ? "transfers through memory" : "";
}

ExplainedFolding fold_by_shifts(MappedNetwork const& network, Step const& step,
                                StepExchanges& exchanges, std::vector<bool> const& alike) {
  Hierarchy const hierarchy{network.topology.accelerators()};
  auto const digits = arch::place_digits(network.grid, hierarchy);
  ShiftedLevels levels{network, digits, alike, step.network->element_size()};
  auto unfolded = exchanges.narrow(levels, alike);
  if (levels.is_folded()) levels.narrow_by_neighbours();
  unfolded.leave(levels.folded(), "communication of ring all-reduces");
  return {levels.fold(), unfolded.reasons()};
}

}  // namespace tessera::partition

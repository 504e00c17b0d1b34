// Shift by shift, conversion by conversion.
#include "partition/step/grid_symmetry.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "arch/array/translation.hpp"
#include "partition/step/shifted_fabric.hpp"
#include "partition/step/step_exchanges.hpp"

namespace tessera::partition {

namespace {

using arch::LinkId;
using arch::NodeId;
using arch::Turn;

/// A level of the hierarchy as a digit of a place along a dimension.
struct Digit {
  std::size_t level = 0;
  std::size_t stride = 0;  ///< places from one part to the next
};

/// The digits of each dimension, the outermost first; empty when a level is no such digit.
std::vector<std::vector<Digit>> digits_of(arch::Translations const& grid,
                                          Hierarchy const& hierarchy) {
  std::vector<std::vector<Digit>> digits(grid.dimensions());
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
  for (auto& of_dimension : digits) {
    std::sort(of_dimension.begin(), of_dimension.end(),
              [](Digit const& a, Digit const& b) { return a.stride > b.stride; });
  }
  return digits;
}

/// The outermost levels of a dimension at which it is folded.
class FoldedDimension final {
 public:
  /// At as many levels as are alike.
  FoldedDimension(arch::Topology const& topology, OutgoingLinks const& outgoing,
                  arch::Translations const& grid, std::size_t dimension, std::vector<Digit> digits,
                  std::vector<bool> const& alike)
      : topology_{topology},
        outgoing_{outgoing},
        grid_{grid},
        dimension_{dimension},
        digits_{std::move(digits)} {
    while (count_ < digits_.size() && alike[digits_[count_].level]) ++count_;
    set_shift();
  }

  [[nodiscard]] bool is_folded() const { return count_ > 0; }

  /// Leaves no more levels than this list allows.
  void narrow(std::vector<ReshardStep> const& steps, ExchangeIndex const& exchanges) {
    narrow_until(
        [&] { return maps_onto_itself(exchanges, fabric_->shift()) && maps_routes(steps); });
  }
  /// As the list of all its rounds would, apart from routes.
  void narrow(GridSum const& sum) {
    narrow_until([&] { return sum.is_kept_by(fabric_->shift()); });
  }
  /// Leaves no more levels than those whose shifts map the routes of these exchanges.
  void narrow_by_routes(std::vector<ReshardStep> const& steps) {
    narrow_until([&] { return maps_routes(steps); });
  }

  void mark(std::vector<bool>& folded) const {
    for (std::size_t i = 0; i < count_; ++i) folded[digits_[i].level] = true;
  }

 private:
  template <typename IsMapped>
  void narrow_until(IsMapped is_mapped) {
    while (is_folded() && !is_mapped()) {
      --count_;
      set_shift();
    }
  }

  /// The shortest shift that maps links onto links.
  void set_shift() {
    for (; is_folded(); --count_) {
      auto shift = grid_.along(dimension_, digits_[count_ - 1].stride);
      fabric_.emplace(topology_, outgoing_, std::move(shift));
      if (fabric_->maps_links()) return;
    }
  }

  [[nodiscard]] bool maps_routes(std::vector<ReshardStep> const& steps) {
    return std::all_of(steps.begin(), steps.end(), [this](ReshardStep const& step) {
      return fabric_->maps_routes(step.exchanges);
    });
  }

  arch::Topology const& topology_;
  OutgoingLinks const& outgoing_;
  arch::Translations const& grid_;
  std::size_t dimension_;
  std::vector<Digit> digits_;  ///< the outermost first
  std::size_t count_ = 0;      ///< of them that are folded
  std::optional<ShiftedFabric> fabric_;
};

/// Finds out whether two senders' messages of one list can meet at a link and be equal in all by
/// which it tells whose turn it is: how far and in which direction they go, and how far they have
/// come. Where ways depend on the first two only, as nearly always, they cannot.
class MeetingPoints final {
 public:
  MeetingPoints(arch::Topology const& topology, arch::Translations const& grid)
      : topology_{topology}, grid_{grid} {}

  [[nodiscard]] bool are_in(std::vector<ReshardStep> const& steps) {
    std::set<std::pair<std::size_t, std::size_t>> ends;
    for (auto const& step : steps) {
      for (auto const& exchange : step.exchanges) ends.insert({exchange.from, exchange.to});
    }
    for (auto const& [from, to] : ends) {
      if (known_.insert({from, to}).second) compare(from, to);
    }
    Passing passing;
    return std::any_of(ends.begin(), ends.end(),
                       [&](auto const& pair) { return meets(pair.first, pair.second, passing); });
  }

 private:
  using Flow = std::pair<std::size_t, Turn>;  ///< displacement, and which of two ways
  /// The nodes that a message passes, as they lie to its sender.
  using Way = std::vector<std::size_t>;
  /// Who sends what passes a link after so many hops, of one flow.
  using Passing = std::map<std::tuple<Flow, std::size_t, LinkId>, std::size_t>;

  [[nodiscard]] std::vector<Turn> turns(std::size_t from, std::size_t to) const {
    return topology_.has_two_ways(NodeId{from}, NodeId{to})
               ? std::vector<Turn>{Turn::positive, Turn::negative}
               : std::vector<Turn>{Turn::positive};
  }

  void compare(std::size_t from, std::size_t to) {
    for (auto const turn : turns(from, to)) {
      Way way;
      for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
        way.push_back(grid_.displacement(from, topology_.links()[link].to.index()));
      }
      Flow const flow{grid_.displacement(from, to), turn};
      auto const& first = ways_.try_emplace(flow, way).first->second;
      if (first != way) uneven_.insert(flow);
    }
  }

  [[nodiscard]] bool meets(std::size_t from, std::size_t to, Passing& passing) const {
    if (uneven_.empty()) return false;
    for (auto const turn : turns(from, to)) {
      Flow const flow{grid_.displacement(from, to), turn};
      if (uneven_.count(flow) == 0) continue;
      std::size_t hops = 0;
      for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
        auto const [sender, is_first] = passing.try_emplace({flow, hops++, link}, from);
        if (!is_first && sender->second != from) return true;
      }
    }
    return false;
  }

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  std::set<std::pair<std::size_t, std::size_t>> known_;  ///< ends
  std::map<Flow, Way> ways_;                             ///< the first one of each
  std::set<Flow> uneven_;                                ///< of which others take other ways
};

/// How many accelerators shifts map the first one onto, one after another: as any other.
std::size_t orbit_of_the_first(std::vector<std::vector<std::size_t>> const& shifts,
                               std::size_t accelerators) {
  std::vector<bool> is_in(accelerators, false);
  std::vector<std::size_t> orbit{0};
  is_in[0] = true;
  for (std::size_t i = 0; i < orbit.size(); ++i) {
    for (auto const& shift : shifts) {
      auto const image = shift[orbit[i]];
      if (!is_in[image]) orbit.push_back(image);
      is_in[image] = true;
    }
  }
  return orbit.size();
}

/// Are the orbits of the shifts what the folding takes for equals? Not where levels do not follow
/// the dimensions, as in rows of 5 and columns of 3: 15 are cut in five parts, then in three.
bool has_orbits_of(Folding const& folding, arch::Translations const& grid,
                   std::vector<std::vector<Digit>> const& digits) {
  std::vector<std::vector<std::size_t>> shifts;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    for (auto const& [level, stride] : digits[i]) {
      if (folding.is_folded(level)) shifts.push_back(grid.along(i, stride));
    }
  }
  for (auto const& shift : shifts) {
    for (std::size_t index = 0; index < shift.size(); ++index) {
      if (folding.representative(shift[index]) != folding.representative(index)) return false;
    }
  }
  return orbit_of_the_first(shifts, folding.accelerators()) == folding.copies();
}

/// All dimensions of a grid.
class FoldedGridLevels final {
 public:
  FoldedGridLevels(arch::Topology const& topology, arch::Translations const& grid,
                   std::vector<std::vector<Digit>> const& digits, std::vector<bool> const& alike)
      : outgoing_{topology},
        accelerators_{topology.accelerators()},
        meeting_points_{topology, grid} {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      dimensions_.emplace_back(topology, outgoing_, grid, i, digits[i], alike);
    }
  }

  /// By all exchanges of a step. Returns whether something is left, and nobody meets.
  [[nodiscard]] bool narrow(Step const& step, StepExchanges& exchanges) {
    for (auto const id : step.actions.ids()) {
      if (!is_folded()) return false;
      if (step.actions[id].conversion && !narrow(step.actions[id], id, exchanges)) return false;
    }
    return is_folded() && narrow_by_neighbours();
  }

  [[nodiscard]] std::vector<bool> folded(std::size_t levels) const {
    std::vector<bool> folded(levels, false);
    for (auto const& dimension : dimensions_) dimension.mark(folded);
    return folded;
  }

 private:
  [[nodiscard]] bool is_folded() const {
    return std::any_of(dimensions_.begin(), dimensions_.end(),
                       [](auto const& dimension) { return dimension.is_folded(); });
  }

  /// Sums of one size are equal; routes are left for when no more levels go.
  void narrow(GridSum const& sum) {
    if (!known_sums_.insert(sum.elements()).second) return;
    for (auto& dimension : dimensions_) dimension.narrow(sum);
    if (neighbours_.empty()) neighbours_ = sum.neighbours();
  }

  [[nodiscard]] bool narrow(Action const& action, ActionId id, StepExchanges& exchanges) {
    if (action.to) {
      auto const& [before, across, after] = exchanges.crossing(id);
      return narrow(before) && narrow({{0, false, across}}) && narrow(after);
    }
    if (auto const sum = exchanges.grid_sum(action)) {
      narrow(*sum);
      return true;
    }
    auto const list = exchanges.of(action);
    return !known_.insert(list).second || narrow(*list);
  }

  [[nodiscard]] bool narrow(std::vector<ReshardStep> const& steps) {
    if (meeting_points_.are_in(steps)) return false;
    ExchangeIndex const exchanges{steps, accelerators_};
    for (auto& dimension : dimensions_) dimension.narrow(steps, exchanges);
    return true;
  }

  [[nodiscard]] bool narrow_by_neighbours() {
    if (meeting_points_.are_in(neighbours_)) return false;
    for (auto& dimension : dimensions_) dimension.narrow_by_routes(neighbours_);
    return is_folded();
  }

  OutgoingLinks outgoing_;
  std::size_t accelerators_;
  MeetingPoints meeting_points_;
  std::vector<FoldedDimension> dimensions_;
  std::set<ExchangeLists::List> known_;
  std::set<Elements> known_sums_;
  std::vector<ReshardStep> neighbours_;  ///< of all sums along dimensions, if there are any
};

}  // namespace

bool is_shiftable(arch::ArraySpec const& array) {
  bool const is_torus = array.fabric.topology == arch::FabricSpec::Topology::torus;
  bool const is_grid =
      array.fabric.topology == arch::FabricSpec::Topology::network && !array.fabric.grid.empty();
  bool const uses_memory =
      std::any_of(array.groups.begin(), array.groups.end(),
                  [](auto const& group) { return group.accelerator.transfer_block.has_value(); });
  return (is_torus || is_grid) && !array.fabric.packets && !uses_memory;
}

Folding fold_grid(arch::ArraySpec const& array, Step const& step,
                  IdVector<StageId, MeshHolders> const& stages, std::vector<bool> const& alike) {
  Folding whole{static_cast<std::size_t>(array.accelerators)};
  arch::Topology const topology{array};
  if (!topology.passes_through(NodeId{0})) return whole;  // accelerators at switches of a grid
  arch::Translations const grid{topology};
  auto const digits = digits_of(grid, whole.hierarchy());
  FoldedGridLevels levels{topology, grid, digits, alike};
  StepExchanges exchanges{step, stages, whole, &grid};
  if (!levels.narrow(step, exchanges)) return whole;
  Folding folding{whole.accelerators(), levels.folded(alike.size())};
  return has_orbits_of(folding, grid, digits) ? folding : whole;
}

}  // namespace tessera::partition

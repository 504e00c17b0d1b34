// Shift by shift, conversion by conversion.
#include "partition/step/grid_symmetry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "arch/array/translation.hpp"
#include "partition/step/exchange_lists.hpp"

namespace tessera::partition {

namespace {

using arch::LinkId;
using arch::NodeId;
using arch::Turn;
using Permutation = std::vector<std::size_t>;

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

/// Does a shift map links onto equal links, and what messages take onto what the shifted ones take?
class ShiftedFabric final {
 public:
  ShiftedFabric(arch::Topology const& topology, Permutation shift)
      : topology_{topology}, shift_{std::move(shift)} {
    std::map<std::pair<std::size_t, std::size_t>, LinkId> between;
    auto const& links = topology_.links();
    for (auto const id : links.ids()) {
      between[{links[id].from.index(), links[id].to.index()}] = id;
    }
    for (auto const id : links.ids()) {
      auto const& link = links[id];
      auto const image = between.find({shift_[link.from.index()], shift_[link.to.index()]});
      maps_links_ = maps_links_ && image != between.end() && are_alike(link, links[image->second]);
      if (!maps_links_) return;
      images_.push_back(image->second);
    }
  }

  [[nodiscard]] bool maps_links() const { return maps_links_; }
  [[nodiscard]] Permutation const& shift() const { return shift_; }

  /// Each pair of ends is looked at once.
  [[nodiscard]] bool maps_route(std::size_t from, std::size_t to) {
    if (!known_.insert({from, to}).second) return true;
    NodeId const source{from}, destination{to};
    NodeId const its_source{shift_[from]}, its_destination{shift_[to]};
    auto const has_two_ways = topology_.has_two_ways(source, destination);
    if (has_two_ways != topology_.has_two_ways(its_source, its_destination)) return false;
    for (auto const turn : {Turn::positive, Turn::negative}) {
      auto route = topology_.route(source, destination, turn);
      for (auto& link : route) link = images_[link];
      if (route != topology_.route(its_source, its_destination, turn)) return false;
      if (!has_two_ways) break;
    }
    return true;
  }

 private:
  [[nodiscard]] static bool are_alike(arch::Link const& a, arch::Link const& b) {
    return a.lanes == 1 && b.lanes == 1 && a.lane_bandwidth == b.lane_bandwidth &&
           a.latency == b.latency;
  }

  arch::Topology const& topology_;
  Permutation shift_;
  IdVector<LinkId, LinkId> images_;
  bool maps_links_ = true;
  std::set<std::pair<std::size_t, std::size_t>> known_;
};

/// The outermost levels of a dimension at which it is folded.
class FoldedDimension final {
 public:
  /// At as many levels as are alike.
  FoldedDimension(arch::Topology const& topology, arch::Translations const& grid,
                  std::size_t dimension, std::vector<Digit> digits, std::vector<bool> const& alike)
      : topology_{topology}, grid_{grid}, dimension_{dimension}, digits_{std::move(digits)} {
    while (count_ < digits_.size() && alike[digits_[count_].level]) ++count_;
    set_shift();
  }

  [[nodiscard]] bool is_folded() const { return count_ > 0; }

  /// Leaves no more levels than this list allows.
  void narrow(ExchangeIndex const& exchanges) {
    while (is_folded() && !maps(exchanges)) {
      --count_;
      set_shift();
    }
  }

  void mark(std::vector<bool>& folded) const {
    for (std::size_t i = 0; i < count_; ++i) folded[digits_[i].level] = true;
  }

 private:
  /// The shortest shift that maps links onto links.
  void set_shift() {
    for (; is_folded(); --count_) {
      fabric_.emplace(topology_, grid_.along(dimension_, digits_[count_ - 1].stride));
      if (fabric_->maps_links()) return;
    }
  }

  [[nodiscard]] bool maps(ExchangeIndex const& exchanges) {
    if (!maps_onto_itself(exchanges, fabric_->shift())) return false;
    for (std::size_t number = 0; number < exchanges.size(); ++number) {
      auto const& exchange = exchanges.at(number);
      if (!fabric_->maps_route(exchange.from, exchange.to)) return false;
    }
    return true;
  }

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  std::size_t dimension_;
  std::vector<Digit> digits_;  ///< the outermost first
  std::size_t count_ = 0;      ///< of them that are folded
  std::optional<ShiftedFabric> fabric_;
};

/// Finds out whether two senders' messages of one exchange step meet at a link.
class MeetingPoints final {
 public:
  explicit MeetingPoints(arch::Topology const& topology)
      : topology_{topology}, users_{topology.links().size()} {}

  [[nodiscard]] bool are_in(std::vector<ReshardStep> const& steps) {
    ReshardStep const* last = nullptr;
    for (auto const& step : steps) {
      bool const is_known = last != nullptr && have_same_ends(step, *last);  // rounds of a ring
      if (!is_known && are_in(step)) return true;
      last = &step;
    }
    return false;
  }

 private:
  [[nodiscard]] static bool have_same_ends(ReshardStep const& a, ReshardStep const& b) {
    return std::equal(
        a.exchanges.begin(), a.exchanges.end(), b.exchanges.begin(), b.exchanges.end(),
        [](Exchange const& x, Exchange const& y) { return x.from == y.from && x.to == y.to; });
  }

  struct User {
    std::size_t step = 0;
    std::size_t sender = 0;
  };

  [[nodiscard]] bool are_in(ReshardStep const& step) {
    ++steps_;
    for (auto const& exchange : step.exchanges) {
      for (auto const turn : {Turn::positive, Turn::negative}) {
        if (meets(exchange, turn)) return true;
        if (!topology_.has_two_ways(NodeId{exchange.from}, NodeId{exchange.to})) break;
      }
    }
    return false;
  }

  [[nodiscard]] bool meets(Exchange const& exchange, Turn turn) {
    for (auto const link : topology_.route(NodeId{exchange.from}, NodeId{exchange.to}, turn)) {
      auto& [step, sender] = users_[link];
      if (step == steps_ && sender != exchange.from) return true;
      step = steps_;
      sender = exchange.from;
    }
    return false;
  }

  arch::Topology const& topology_;
  IdVector<LinkId, User> users_;  ///< the last one of each
  std::size_t steps_ = 0;         ///< looked at
};

/// Are the orbits of the shifts what the folding takes for equals? (They have as many members.)
bool has_orbits_of(Folding const& folding, arch::Translations const& grid,
                   std::vector<std::vector<Digit>> const& digits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    for (auto const& [level, stride] : digits[i]) {
      if (!folding.is_folded(level)) continue;
      auto const shift = grid.along(i, stride);
      for (std::size_t index = 0; index < shift.size(); ++index) {
        if (folding.representative(shift[index]) != folding.representative(index)) return false;
      }
    }
  }
  return true;
}

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

Folding fold_grid(arch::ArraySpec const& array, Tiling const& tiling, Step const& step,
                  std::vector<bool> const& alike) {
  Folding const whole{tiling.accelerators()};
  arch::Topology const topology{array};
  if (!topology.passes_through(NodeId{0})) return whole;  // accelerators at switches of a grid
  arch::Translations const grid{topology};
  auto const digits = digits_of(grid, tiling.hierarchy());
  std::vector<FoldedDimension> dimensions;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    dimensions.emplace_back(topology, grid, i, digits[i], alike);
  }
  ExchangeLists lists{tiling, whole};
  MeetingPoints meeting_points{topology};
  std::set<ExchangeLists::List> known;
  for (auto const& action : step.actions) {
    bool const is_folded = std::any_of(dimensions.begin(), dimensions.end(),
                                       [](auto const& dimension) { return dimension.is_folded(); });
    if (!is_folded) return whole;
    if (!action.conversion) continue;
    auto const list = lists.of(*action.conversion);
    if (!known.insert(list).second) continue;
    if (meeting_points.are_in(*list)) return whole;
    ExchangeIndex const exchanges{*list, tiling.accelerators()};
    for (auto& dimension : dimensions) dimension.narrow(exchanges);
  }
  std::vector<bool> folded(tiling.levels(), false);
  for (auto const& dimension : dimensions) dimension.mark(folded);
  Folding folding{tiling.accelerators(), folded};
  return has_orbits_of(folding, grid, digits) ? folding : whole;
}

}  // namespace tessera::partition

// OptCNN (Jia et al., ICML'18): layer-wise parallelism. Every operator has a degree of parallelism per dimension, all degrees together the
// number of accelerators, and the sum of computation, synchronisation and transfers is least over the whole network at once.
//
// A configuration is how many levels of the hierarchy split n (samples), k (output channels), and rows and columns (h, w), in that
// order from the top: devices are numbered with the samples outermost, as in the paper. A level's time is what the cost model says:
// within an operator it sums gradients, between two it moves features, errors and halos; nothing overlaps. The sum over operators and
// edges is the plan's predicted time, and node and edge elimination (here: min-sum, min_sum.hpp) finds its minimum.
//
// The innermost levels take rows and columns in one order for the whole network, so that each part's rows are adjacent whatever other
// operators split (tiling.hpp): rows alone, columns alone, or by turns, which makes parts as square as can be. The best plan of the
// three is the result: exact for configurations of h and w degrees (r, 1), (1, r), and by turns (2, 1), (2, 2), (4, 2), ...
//
// Left out: the paper's parameter servers (gradients are summed as everywhere in Tessera), other combinations of degrees. Equal parts
// only, as in the paper (rows that do not divide differ by one); those of rows and columns hold all that a neighbour needs.
#include <algorithm>
#include <limits>
#include <utility>

#include "partition/geometry/halo.hpp"
#include "partition/planners/builtin_planners.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/search/fit_search.hpp"
#include "partition/search/plan_time.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// What the innermost levels are split over, the last one first.
enum class MapOrder { rows, columns, by_turns };

Dim map_dim(MapOrder order, std::size_t place) {
  bool const is_row = order == MapOrder::by_turns ? place % 2 == 0 : order == MapOrder::rows;
  return is_row ? Dim::h : Dim::w;
}

/// The ways to split an operator.
class Configurations final {
 public:
  Configurations(Problem const& problem, workloads::Operator const& op, MapOrder order)
      : hierarchy_{problem.array.hierarchy()},
        batch_{problem.network.batch()},
        op_{&op},
        order_{order},
        most_{most_parts(op, Dim::h), most_parts(op, Dim::w)} {}

  /// With the fewest levels over rows and columns first, then those with most over samples.
  [[nodiscard]] std::vector<Splits> all() const {
    auto const levels = hierarchy_.levels();
    std::vector<Splits> found;
    for (std::size_t over_map = 0; over_map <= levels && has_parts(over_map); ++over_map) {
      auto const rest = levels - over_map;
      auto const most_channels = op_->can_split(Dim::k) ? rest : 0;
      for (std::size_t channels = 0; channels <= most_channels; ++channels) {
        if (divides_batch(rest - channels)) found.push_back(splits(rest - channels, channels));
      }
    }
    // None: over samples, of which there are too few for the plan to be valid.
    if (found.empty()) found.push_back(splits(levels, 0));
    return found;
  }

 private:
  [[nodiscard]] Splits splits(std::size_t samples, std::size_t channels) const {
    auto const levels = hierarchy_.levels();
    Splits all(samples, Split{Dim::n});
    all.resize(samples + channels, Split{Dim::k});
    for (auto level = all.size(); level < levels; ++level) {
      all.emplace_back(map_dim(order_, levels - 1 - level));
    }
    return all;
  }

  [[nodiscard]] bool divides_batch(std::size_t samples) const {
    auto const parts = hierarchy_.accelerators() / hierarchy_.group_size(samples);
    return batch_ % static_cast<std::int64_t>(parts) == 0;
  }

  /// Can so many of the innermost levels split rows and columns?
  [[nodiscard]] bool has_parts(std::size_t over_map) const {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    for (std::size_t place = 0; place < over_map; ++place) {
      auto const ways = static_cast<std::int64_t>(hierarchy_.ways(hierarchy_.levels() - 1 - place));
      (map_dim(order_, place) == Dim::h ? rows : columns) *= ways;
    }
    return rows <= most_.first && columns <= most_.second;
  }

  Hierarchy hierarchy_;
  std::int64_t batch_;
  workloads::Operator const* op_;
  MapOrder order_;
  std::pair<std::int64_t, std::int64_t> most_;  ///< parts of rows and columns
};

/// Those that may make a difference.
std::vector<MapOrder> map_orders(workloads::Network const& network) {
  auto const has_map = std::any_of(
      network.operators().begin(), network.operators().end(),
      [](auto const& op) { return most_parts(op, Dim::h) > 1 || most_parts(op, Dim::w) > 1; });
  if (!has_map) return {MapOrder::rows};
  return {MapOrder::rows, MapOrder::columns, MapOrder::by_turns};
}

}  // namespace

Plan OptCnn::solve(Problem const& problem) const {
  auto const rates = seconds_per_element(problem);
  EdgeTimes edges{problem};
  auto chosen = fitted(problem, fit_, [&](double price) {
    auto const objective = with_memory(problem, std::make_unique<PlanTime>(problem, edges),
                                       rates.empty() ? 0 : price * rates.front());
    auto best = empty_plan("optcnn", problem);
    Chosen least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (auto const order : map_orders(problem.network)) {
      Candidates candidates;
      for (auto const& op : problem.network.operators()) {
        candidates.push_back(Configurations{problem, op, order}.all());
      }
      auto plan = best;
      auto const [cost, bound] = choose_among(candidates, *objective, plan);
      best.evaluations = plan.evaluations;
      least.bound = std::min(least.bound, bound);
      if (cost >= least.cost) continue;
      least.cost = cost;
      best = std::move(plan);
    }
    best.optimality_gap = optimality_gap(least.cost, least.bound);
    return finished(std::move(best), problem);
  });
  return by_price(price_, problem, fit_, std::move(chosen), {Dim::n, Dim::k},
                  operator_times(problem, times_));
}

}  // namespace tessera::partition

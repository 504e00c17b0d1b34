// Candidates per operator, and the cheapest of all combinations.
#include "partition/planners/timed_plan.hpp"

#include <algorithm>
#include <array>

#include "arch/array/topology.hpp"
#include "partition/price/pipeline_cost.hpp"
#include "partition/search/plan_time.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;

namespace {

/// Which dimension the outermost levels split, the ones behind them, and the innermost.
using DimOrder = std::array<Dim, 3>;
constexpr std::array<DimOrder, 2> dim_orders = {DimOrder{Dim::n, Dim::k, Dim::c},
                                                DimOrder{Dim::n, Dim::c, Dim::k}};

/// How much counts of what goes between operators, and of the sums of gradients.
struct Weights {
  double edges;
  double within;
};
constexpr std::array<Weights, 4> weights = {Weights{1, 1}, Weights{1, 0.25}, Weights{0.5, 0.25},
                                            Weights{0.2, 0.05}};
constexpr Weights weights_of_price = {1, 0.25};

class TypeSequences final {
 public:
  TypeSequences(Problem const& problem, Operator const& op)
      : hierarchy_{problem.array.hierarchy()}, op_{&op} {}

  [[nodiscard]] std::vector<Splits> all() const {
    std::vector<Splits> found;
    auto const levels = hierarchy_.levels();
    for (auto const& order : dim_orders) {
      for (std::size_t first = levels + 1; first-- > 0;) {
        for (std::size_t second = 0; first + second <= levels; ++second) {
          add(found, order, first, second);
        }
      }
    }
    // None: over samples, as every operator is.
    if (found.empty()) found.push_back(Splits(levels, Split{Dim::n}));
    return found;
  }

 private:
  void add(std::vector<Splits>& found, DimOrder const& order, std::size_t first,
           std::size_t second) const {
    Splits splits;
    for (std::size_t level = 0; level < hierarchy_.levels(); ++level) {
      splits.emplace_back(order.at(level < first ? 0 : level < first + second ? 1 : 2));
    }
    bool const is_known = std::find(found.begin(), found.end(), splits) != found.end();
    if (!is_known && is_possible(splits)) found.push_back(std::move(splits));
  }

  /// Every part has something of every dimension, and of samples equally many.
  [[nodiscard]] bool is_possible(Splits const& splits) const {
    for (auto const dim : {Dim::n, Dim::k, Dim::c}) {
      std::int64_t parts = 1;
      for (std::size_t level = 0; level < splits.size(); ++level) {
        if (splits[level]->dim == dim) parts *= static_cast<std::int64_t>(hierarchy_.ways(level));
      }
      if (parts == 1) continue;
      if (!op_->can_split(dim) || parts > op_->extents[dim]) return false;
      if (dim == Dim::n && op_->extents[dim] % parts != 0) return false;
    }
    return true;
  }

  Hierarchy hierarchy_;
  Operator const* op_;
};

/// Per level, how long a message takes at least between the first two parts of a group.
std::vector<double> round_times(arch::ArraySpec const& array) {
  auto const hierarchy = array.hierarchy();
  arch::Topology const topology{array};
  std::vector<double> times;
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    arch::NodeId const from{0};
    arch::NodeId const to{hierarchy.group_size(level + 1)};
    Time latency{0};
    for (auto const& part : topology.cut(from, to, Bytes{1})) {
      if (part.size == Bytes{0}) continue;
      for (auto const link : topology.route(from, to, part.turn)) {
        latency += topology.links()[link].latency;
      }
    }
    times.push_back(static_cast<double>(latency.value()) * 1e-12);
  }
  return times;
}

/// A move, and how much less the operators take with it [s].
struct Saving {
  double seconds = 0;
  SplitMove move;
};

SplitMove all_levels(std::vector<workloads::OperatorId> const& operators, Splits const& splits,
                     std::optional<workloads::Phase> phase) {
  SplitMove move{operators, {}, phase};
  for (std::size_t level = 0; level < splits.size(); ++level) {
    move.levels.push_back({level, splits[level]});
  }
  return move;
}

/// The best way to split a phase, or all.
template <typename TimeOf>
Saving best_of(std::vector<workloads::OperatorId> const& operators, Splits const& now,
               std::vector<Splits> const& ways, std::optional<workloads::Phase> phase,
               TimeOf time_of) {
  auto least = time_of(now);
  auto const before = least;
  auto const* best = &now;
  for (auto const& splits : ways) {
    auto const time = time_of(splits);
    if (time >= least) continue;
    least = time;
    best = &splits;
  }
  auto const times = static_cast<double>(operators.size());
  return {times * (before - least), all_levels(operators, *best, phase)};
}

}  // namespace

std::vector<Plan> timed_plans(Problem const& problem, OperatorTimes const& times) {
  EdgeTimes edges{problem, round_times(problem.array)};
  Candidates candidates;
  for (auto const& op : problem.network.operators()) {
    candidates.push_back(TypeSequences{problem, op}.all());
  }
  std::vector<Plan> plans;
  for (auto const& [of_edges, within] : weights) {
    PlanTime const objective{problem, edges, {times, of_edges, within}};
    auto plan = empty_plan("auto", problem);
    static_cast<void>(choose_among(candidates, objective, plan));
    plans.push_back(finished(std::move(plan), problem));
  }
  return plans;
}

double timed_price(Problem const& problem, Plan const& plan, OperatorTimes const& times) {
  if (plan.pipeline) return pipeline_cost(problem, plan, step_of(problem, plan), times).time_s;
  EdgeTimes edges{problem, round_times(problem.array)};
  auto const& [of_edges, within] = weights_of_price;
  return PlanTime{problem, edges, {times, of_edges, within}}.of(plan);
}

std::vector<SplitMove> timed_moves(Problem const& problem, Plan const& plan,
                                   OperatorTimes const& times) {
  std::vector<Saving> savings;
  for (auto const& operators : operators_alike(problem.network)) {
    auto const op = operators.front();
    auto const ways = TypeSequences{problem, problem.network.at(op)}.all();
    savings.push_back(
        best_of(operators, plan.splits[op], ways, std::nullopt,
                [&](Splits const& splits) { return slowest_time(problem, op, splits, times); }));
    for (auto const phase : {workloads::Phase::backward_weight, workloads::Phase::backward_data}) {
      savings.push_back(best_of(
          operators, plan.splits_of(op, phase), ways, phase,
          [&](Splits const& splits) { return slowest_time(problem, op, phase, splits, times); }));
    }
  }
  std::stable_sort(savings.begin(), savings.end(),
                   [](auto const& a, auto const& b) { return a.seconds > b.seconds; });
  std::vector<SplitMove> moves;
  for (auto& [seconds, move] : savings) {
    if (seconds > 0) moves.push_back(std::move(move));
  }
  return moves;
}

}  // namespace tessera::partition

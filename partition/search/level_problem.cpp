#include "partition/search/level_problem.hpp"

#include <algorithm>
#include <limits>

#include "partition/price/traffic.hpp"
#include "partition/search/planning.hpp"
#include "partition/search/printed_tables.hpp"
#include "partition/search/sample_levels.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::OperatorId;

namespace {

double const most_combinations = 1 << 16;

/// Communication as the layouts demand it.
class LayoutTraffic final : public Objective {
 public:
  LayoutTraffic(Network const& network, std::size_t level, ArrayShape shape)
      : network_{&network}, pricer_{network, level, std::move(shape)} {}

  [[nodiscard]] double operator_cost(OperatorId op, Splits const& splits) const override {
    return pricer_.within(op, splits).critical;
  }

  [[nodiscard]] std::vector<Edge> edges() const override { return edges_of(*network_); }

  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override {
    return pricer_.between(edge.producer, producer_splits, edge.consumer, consumer_splits).critical;
  }

 private:
  Network const* network_;
  LevelPricer pricer_;
};

/// Every operator's splits under each of its choices.
Candidates candidates_of(LevelProblem const& level, Plan const& outer) {
  Candidates candidates;
  for (auto const op : level.choices.ids()) {
    candidates.push_back(extended_by_each(outer.splits[op], level.choices[op]));
  }
  return candidates;
}

double cost_of(Objective const& objective, std::vector<Edge> const& edges,
               IdVector<OperatorId, Splits> const& splits) {
  double cost = 0;
  for (auto const op : splits.ids()) cost += objective.operator_cost(op, splits[op]);
  for (auto const& edge : edges) {
    cost += objective.edge_cost(edge, splits[edge.producer], splits[edge.consumer]);
  }
  return cost;
}

double combinations_of(Choices const& choices) {
  double product = 1;
  for (auto const& of_operator : choices) {
    product *= std::max(static_cast<double>(of_operator.size()), 1.0);
  }
  return product;
}

void check_enumerable(Network const& network, Choices const& choices) {
  if (combinations_of(choices) <= most_combinations) return;
  throw ConfigError{{},
                    "planner",
                    "exhaustive tries all combinations of a level's choices; the " +
                        std::to_string(network.operators().size()) + " operators of '" +
                        network.name() + "' have too many (at most " +
                        std::to_string(static_cast<std::int64_t>(most_combinations)) +
                        "); use hypar"};
}

/// The next combination, the first operator's choice changing fastest; false after the last.
bool advance(std::vector<std::size_t>& chosen, Choices const& choices) {
  for (auto const op : choices.ids()) {
    auto& choice = chosen[op.index()];
    if (++choice < choices[op].size()) return true;
    choice = 0;
  }
  return false;
}

}  // namespace

std::vector<double> Objective::edge_costs(Edge const& edge, std::vector<Splits> const& producer,
                                          std::vector<Splits> const& consumer) const {
  std::vector<double> costs;
  costs.reserve(producer.size() * consumer.size());
  for (auto const& from : producer) {
    for (auto const& to : consumer) costs.push_back(edge_cost(edge, from, to));
  }
  return costs;
}

Splits extended(Splits const& outer, std::optional<Split> const& choice) {
  auto splits = outer;
  splits.emplace_back(choice);
  return splits;
}

std::vector<Splits> extended_by_each(Splits const& outer, std::vector<Split> const& choices) {
  if (choices.empty()) return {extended(outer, std::nullopt)};
  std::vector<Splits> all;
  all.reserve(choices.size());
  for (auto const choice : choices) all.push_back(extended(outer, choice));
  return all;
}

std::vector<Edge> edges_of(Network const& network) {
  std::vector<Edge> edges;
  for (auto const producer : network.operators().ids()) {
    auto const tensor = network.at(producer).output.tensor;
    for (auto const consumer : network.at(tensor).consumers) {
      edges.push_back({producer, consumer, tensor});
    }
  }
  return edges;
}

Chosen choose_among(Candidates const& candidates, Objective const& objective, Plan& plan,
                    MinSum::Limits const& limits) {
  MinSum sum{limits};
  for (auto const op : candidates.ids()) {
    std::vector<double> costs;
    for (auto const& splits : candidates[op]) costs.push_back(objective.operator_cost(op, splits));
    sum.add_term(sum.add_variable(costs.size()), costs);
  }
  for (auto const& edge : objective.edges()) {
    sum.add_term(edge.producer.index(), edge.consumer.index(),
                 objective.edge_costs(edge, candidates[edge.producer], candidates[edge.consumer]));
  }
  auto const solution = sum.solve();
  for (auto const op : candidates.ids()) {
    plan.splits[op] = candidates[op][solution.labels[op.index()]];
  }
  plan.evaluations += solution.evaluations;
  return {solution.cost, solution.bound};
}

void choose_cheapest(Network const& /*network*/, LevelProblem const& level, Plan& plan) {
  auto const [cost, bound] = choose_among(candidates_of(level, plan), *level.objective, plan);
  plan.optimality_gap = std::max(plan.optimality_gap, optimality_gap(cost, bound));
}

void choose_by_enumeration(Network const& network, LevelProblem const& level, Plan& plan) {
  check_enumerable(network, level.choices);
  auto const edges = level.objective->edges();
  auto const candidates = candidates_of(level, plan);
  double best = std::numeric_limits<double>::infinity();
  auto const outer = plan.splits;
  auto splits = outer;
  std::vector<std::size_t> chosen(level.choices.size(), 0);
  do {
    for (auto const op : candidates.ids()) splits[op] = candidates[op][chosen[op.index()]];
    auto const cost = cost_of(*level.objective, edges, splits);
    ++plan.evaluations;
    if (cost < best) {
      best = cost;
      plan.splits = splits;
    }
  } while (advance(chosen, level.choices));
}

namespace {

void keep_samples_whole(Choices& choices) {
  for (auto& of_operator : choices) {
    of_operator.erase(std::remove_if(of_operator.begin(), of_operator.end(),
                                     [](Split split) { return split.dim == Dim::n; }),
                      of_operator.end());
  }
}

/// The levels of a plan so far (sample_levels.hpp).
struct GreedyLevels {
  Problem problem;
  LevelPlanning const* planning;
  Plan plan;

  void decide(std::size_t level, Samples samples) {
    auto of_level = planning->level_problem(level);
    if (samples == Samples::kept_whole) keep_samples_whole(of_level.choices);
    planning->choose(problem.network, of_level, plan);
  }

  [[nodiscard]] double bound() const { return 0; }
  [[nodiscard]] double cost() { return planning->cost(plan = finished(std::move(plan), problem)); }
};

}  // namespace

Plan planned_by_level(std::string planner, Problem const& problem, LevelPlanning const& planning) {
  GreedyLevels const none{problem, &planning, empty_plan(std::move(planner), problem)};
  return finished(SampleLevels<GreedyLevels>::decide_all(none).plan, problem);
}

Choices choices_among(std::vector<Dim> const& types, Network const& network) {
  Choices choices;
  for (auto const& op : network.operators()) {
    std::vector<Split> splits;
    for (auto const dim : types) {
      if (op.can_split(dim)) splits.emplace_back(dim);
    }
    choices.push_back(std::move(splits));
  }
  return choices;
}

InterLayer inter_layer_from(ConfigMap& options) {
  return options.choice<InterLayer>(
      "inter_layer", {{"as_evaluated", InterLayer::as_evaluated}, {"printed", InterLayer::printed}},
      InterLayer::as_evaluated);
}

std::unique_ptr<Objective> traffic_objective(Network const& network, InterLayer inter_layer,
                                             std::size_t level, ArrayShape shape) {
  if (inter_layer == InterLayer::printed) {
    require_halves(shape, "the printed tables of HyPar and AccPar");
    return std::make_unique<PrintedTables>(network, level, shape.pace);
  }
  return std::make_unique<LayoutTraffic>(network, level, std::move(shape));
}

}  // namespace tessera::partition

// The oracle: at each level, all combinations of the operators' choices, priced one by one.
#include <limits>

#include "partition/solvers/hypar_objective.hpp"
#include "partition/solvers/planning.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

using workloads::OperatorId;

namespace {

std::size_t const most_operators = 16;

double level_cost(workloads::Network const& network, HyParObjective const& objective,
                  IdVector<OperatorId, Splits> const& splits) {
  double cost = 0;
  for (auto const op : network.operators().ids()) {
    cost += objective.operator_cost(op, splits[op]);
    for (auto const consumer : network.at(network.at(op).output.tensor).consumers) {
      cost += objective.edge_cost(op, splits[op], consumer, splits[consumer]);
    }
  }
  return cost;
}

/// The splits after `combination`, whose bit i chooses for operator i; nothing if an operator lacks
/// the choice.
std::optional<IdVector<OperatorId, Splits>> chosen(workloads::Network const& network,
                                                   IdVector<OperatorId, Splits> splits,
                                                   std::size_t combination) {
  for (auto const op : network.operators().ids()) {
    auto const choices = hypar_choices(network.at(op));
    auto const choice = (combination >> op.index()) & 1U;
    if (choice >= choices.size()) return std::nullopt;
    splits[op].emplace_back(choices[choice]);
  }
  return splits;
}

}  // namespace

Plan Exhaustive::solve(Problem const& problem) const {
  auto const& network = problem.network;
  if (network.operators().size() > most_operators) {
    throw ConfigError{{},
                      "planner",
                      "exhaustive tries 2^operators combinations per level; '" + network.name() +
                          "' has " + std::to_string(network.operators().size()) +
                          " operators (at most " + std::to_string(most_operators) + "); use hypar"};
  }
  auto plan = empty_plan("exhaustive", problem);
  auto const combinations = std::size_t{1} << network.operators().size();
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    HyParObjective const objective{network, options_, level};
    double best = std::numeric_limits<double>::infinity();
    IdVector<OperatorId, Splits> best_splits;
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      auto const candidate = chosen(network, plan.splits, combination);
      if (!candidate) continue;
      auto const cost = level_cost(network, objective, *candidate);
      ++plan.evaluations;
      if (cost < best) {
        best = cost;
        best_splits = *candidate;
      }
    }
    plan.splits = best_splits;
  }
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition

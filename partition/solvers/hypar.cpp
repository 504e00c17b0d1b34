// HyPar (HPCA'19, Algorithms 1 and 2): hybrid parallelism by a dynamic programme per level.
#include "partition/min_sum.hpp"
#include "partition/solvers/hypar_objective.hpp"
#include "partition/solvers/planning.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

Splits extended(Splits const& outer, Dim choice) {
  auto splits = outer;
  splits.emplace_back(choice);
  return splits;
}

/// Algorithm 1: one level's choices, given the levels above.
MinSum level_problem(workloads::Network const& network, Plan const& plan,
                     HyParObjective const& objective) {
  MinSum problem;
  for (auto const op : network.operators().ids()) {
    std::vector<double> costs;
    for (auto const choice : hypar_choices(network.at(op))) {
      costs.push_back(objective.operator_cost(op, extended(plan.splits[op], choice)));
    }
    problem.add_term(problem.add_variable(costs.size()), costs);
  }
  for (auto const producer : network.operators().ids()) {
    for (auto const consumer : network.at(network.at(producer).output.tensor).consumers) {
      std::vector<double> costs;
      for (auto const from : hypar_choices(network.at(producer))) {
        for (auto const to : hypar_choices(network.at(consumer))) {
          costs.push_back(objective.edge_cost(producer, extended(plan.splits[producer], from),
                                              consumer, extended(plan.splits[consumer], to)));
        }
      }
      problem.add_term(producer.index(), consumer.index(), costs);
    }
  }
  return problem;
}

}  // namespace

Plan HyPar::solve(Problem const& problem) const {
  auto plan = empty_plan("hypar", problem);
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    HyParObjective const objective{problem.network, options_, level};
    auto const solution = level_problem(problem.network, plan, objective).solve();
    for (auto const op : problem.network.operators().ids()) {
      auto const choices = hypar_choices(problem.network.at(op));
      plan.splits[op].emplace_back(choices[solution.labels[op.index()]]);
    }
    plan.evaluations += solution.evaluations;
  }
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition

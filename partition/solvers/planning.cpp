#include "partition/solvers/planning.hpp"

#include "partition/cost_model.hpp"

namespace tessera::partition {

Plan empty_plan(std::string planner, Problem const& problem) {
  Plan plan;
  plan.planner = std::move(planner);
  plan.network = problem.network.name();
  plan.array = problem.array.name;
  plan.batch = problem.network.batch();
  plan.accelerators = problem.array.accelerators;
  plan.splits = IdVector<workloads::OperatorId, Splits>(problem.network.operators().size());
  return plan;
}

Plan finished(Plan plan, Problem const& problem) {
  validate(plan, problem.network, problem.array);
  plan.predicted = predict(problem, plan);
  return plan;
}

}  // namespace tessera::partition

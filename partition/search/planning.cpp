#include "partition/search/planning.hpp"

#include "partition/price/cost_model.hpp"

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

void require_halves(ArrayShape const& shape, std::string const& who) {
  for (auto const ways : shape.ways) {
    if (ways == 2) continue;
    throw ConfigError{{},
                      "arch.accelerators",
                      "make a hierarchy with groups of " + std::to_string(ways) + " parts (" + who +
                          " cut in halves only); use a power of two, or planner tofu"};
  }
}

Plan finished(Plan plan, Problem const& problem) {
  validate(plan, problem.network, problem.array);
  plan.predicted = predict(problem, plan);
  return plan;
}

}  // namespace tessera::partition

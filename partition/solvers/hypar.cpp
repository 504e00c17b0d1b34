// HyPar (HPCA'19, Algorithms 1 and 2): hybrid parallelism by a dynamic programme per level; and its oracle.
#include "partition/solvers/level_problem.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

using workloads::Dim;

namespace {

Plan hypar_plan(std::string planner, Problem const& problem, SolverOptions const& options,
                LevelSearch const& choose) {
  auto const level_problem = [&](Plan const& /*outer*/, std::size_t level) {
    return LevelProblem{choices_among({Dim::n, Dim::c}, problem.network),
                        traffic_objective(problem.network, options.inter_layer, level)};
  };
  return planned_by_level(std::move(planner), problem, level_problem, choose);
}

}  // namespace

Plan HyPar::solve(Problem const& problem) const {
  return hypar_plan("hypar", problem, options_, choose_cheapest);
}

Plan Exhaustive::solve(Problem const& problem) const {
  return hypar_plan("exhaustive", problem, options_, choose_by_enumeration);
}

}  // namespace tessera::partition

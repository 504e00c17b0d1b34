// HyPar (HPCA'19, Algorithms 1 and 2): hybrid parallelism by a dynamic programme per level.
#include "partition/solvers/fit_search.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

using workloads::Dim;

LevelProblems hypar_levels(Problem const& problem, SolverOptions const& options) {
  return [&network = problem.network, inter_layer = options.inter_layer,
          ways = problem.array.hierarchy().ways()](std::size_t level) {
    return LevelProblem{choices_among({Dim::n, Dim::c}, network),
                        traffic_objective(network, inter_layer, level, {Pace{}, ways})};
  };
}

Plan HyPar::solve(Problem const& problem) const {
  return fitted_by_level("hypar", problem, options_.fit, hypar_levels(problem, options_),
                         choose_cheapest);
}

Plan Exhaustive::solve(Problem const& problem) const {
  bool const is_accpar = options_.oracle_of == SolverOptions::OracleOf::accpar;
  auto const levels =
      is_accpar ? accpar_levels(problem, options_) : hypar_levels(problem, options_);
  return fitted_by_level("exhaustive", problem, options_.fit, levels, choose_by_enumeration);
}

}  // namespace tessera::partition

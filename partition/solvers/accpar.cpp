// AccPar (HPCA'20): Type I, II or III per operator and level.
#include "partition/solvers/level_problem.hpp"
#include "partition/solvers/shortcut_search.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

using workloads::Dim;

namespace {

/// The released solver's search where a network's shortcuts go by numbers, else an exact one.
LevelSearch search_for(workloads::Network const& network, SolverOptions const& options) {
  auto const span = options.shortcut_spans.find(network.name());
  if (span == options.shortcut_spans.end()) return choose_cheapest;
  return ShortcutSearch{static_cast<std::size_t>(span->second)};
}

}  // namespace

Plan AccPar::solve(Problem const& problem) const {
  auto const level_problem = [&](Plan const& /*outer*/, std::size_t level) {
    return LevelProblem{choices_among({Dim::n, Dim::c, Dim::k}, problem.network),
                        traffic_objective(problem.network, options_.inter_layer, level)};
  };
  return planned_by_level("accpar", problem, level_problem, search_for(problem.network, options_));
}

}  // namespace tessera::partition

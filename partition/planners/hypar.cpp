// HyPar (HPCA'19, Algorithms 1 and 2): hybrid parallelism by a dynamic programme per level.
#include "partition/planners/accpar.hpp"
#include "partition/planners/builtin_planners.hpp"
#include "partition/search/fit_search.hpp"
#include "partition/search/planning.hpp"
#include "partition/search/strategy_oracle.hpp"

namespace tessera::partition {

using workloads::Dim;

LevelProblems hypar_levels(Problem const& problem, InterLayer inter_layer) {
  return [&network = problem.network, inter_layer,
          ways = problem.array.hierarchy().ways()](std::size_t level) {
    return LevelProblem{choices_among({Dim::n, Dim::c}, network),
                        traffic_objective(network, inter_layer, level, {Pace{}, ways})};
  };
}

PlanCost elements_moved(Problem const& problem) {
  return [element_size = problem.network.element_size()](Plan const& plan) {
    return static_cast<double>(plan.predicted->communication.value()) /
           static_cast<double>(element_size.value());
  };
}

HyPar::HyPar(ConfigMap& options)
    : inter_layer_{inter_layer_from(options)},
      fit_{fit_from(options)},
      price_{price_from(options)},
      times_{times_from(options, TimesOf::peak)} {}

Plan HyPar::solve(Problem const& problem) const {
  auto plan = fitted_by_level(
      "hypar", problem, fit_,
      {hypar_levels(problem, inter_layer_), choose_cheapest, elements_moved(problem)});
  return by_price(price_, problem, fit_, std::move(plan), {Dim::n, Dim::c},
                  operator_times(problem, times_));
}

Exhaustive::Exhaustive(ConfigMap& options) : fit_{fit_from(options)} {
  enum class OracleOf { hypar, accpar, flexflow };
  auto const of = options.choice<OracleOf>(
      "oracle_of",
      {{"hypar", OracleOf::hypar}, {"accpar", OracleOf::accpar}, {"flexflow", OracleOf::flexflow}},
      OracleOf::hypar);
  if (of == OracleOf::flexflow) {
    devices_ = devices_from(options);
    times_ = times_from(options, TimesOf::peak);
  }
  if (of == OracleOf::accpar) accpar_ = AccParLevelOptions::from(options);
  inter_layer_ = inter_layer_from(options);
}

Plan Exhaustive::of_flexflow(Problem const& problem) const {
  ConfigSpace const space{problem, *devices_};
  auto const [strategy, evaluations] =
      shortest_strategy(problem, space, fit_, operator_times(problem, times_));
  auto plan = plan_of("exhaustive", problem, strategy.value_or(data_parallel_strategy(problem)));
  plan.evaluations = evaluations;
  return finished(std::move(plan), problem);
}

Plan Exhaustive::solve(Problem const& problem) const {
  if (devices_) return of_flexflow(problem);
  auto const levels =
      accpar_ ? accpar_levels(problem, *accpar_) : hypar_levels(problem, inter_layer_);
  auto const cost = accpar_ ? time_in_elements(problem) : elements_moved(problem);
  return fitted_by_level("exhaustive", problem, fit_, {levels, choose_by_enumeration, cost});
}

}  // namespace tessera::partition

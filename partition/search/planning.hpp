// What planners share: beginning a plan and finishing it.
#pragma once

#include <string>

#include "partition/plan/problem.hpp"
#include "partition/price/traffic.hpp"

namespace tessera::partition {

/// A plan with no level decided.
[[nodiscard]] Plan empty_plan(std::string planner, Problem const& problem);

/// Throws ConfigError where a level cuts groups in other than two parts; `who` knows halves only.
void require_halves(ArrayShape const& shape, std::string const& who);

/// Validates and prices a complete plan.
[[nodiscard]] Plan finished(Plan plan, Problem const& problem);

/// The plan in which every operator is split over `choose(operator)` at every level.
template <typename Choose>
[[nodiscard]] Plan uniform_plan(std::string planner, Problem const& problem, Choose choose) {
  auto plan = empty_plan(std::move(planner), problem);
  for (auto const op : problem.network.operators().ids()) {
    plan.splits[op].assign(static_cast<std::size_t>(plan.levels()), choose(problem.network.at(op)));
  }
  plan.evaluations = 1;
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition

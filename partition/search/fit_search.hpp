// Planning for memories that are too small for the cheapest plan (Fit::search).
//
// What an operator holds gets a price, in the objective's own units per element, and the planner minimises cost plus price times
// elements held (Lagrange's relaxation: a sum over operators and edges still, so that min-sum solves it as before). The price goes up
// in steps until the plan fits, then is closed in on from both sides. The plan returned is the fastest seen that fits.
//
// What that guarantees. The plan fits: that is checked on it, not on the price's estimate. Within a level no choice with the same cost
// plus price is better; so at the price found, what is cheaper holds more. It is not always the cheapest plan that fits (a sum of few
// large layers may have no price for it: 20 of 300 small problems miss it, fit_search_test.cpp), and as planners are greedy over
// levels, or where an input is kept by several operators, a plan that fits can exist although none is found. Then the plan that holds
// least comes back, and does not fit.
#pragma once

#include <functional>
#include <memory>

#include "partition/price/footprint.hpp"
#include "partition/search/level_problem.hpp"

namespace tessera::partition {

/// `objective` plus `price` per element that each operator holds (footprint.hpp, elements_held()).
[[nodiscard]] std::unique_ptr<Objective> with_memory(Problem const& problem,
                                                     std::unique_ptr<Objective> objective,
                                                     double price);

/// A plan for a price of an element, where an element moved at the top level costs 1.
using PlanAt = std::function<Plan(double price)>;

/// plan_at(0), or if `fit` is search and that does not fit, what the search finds.
[[nodiscard]] Plan fitted(Problem const& problem, Fit fit, PlanAt const& plan_at);

/// planned_by_level(), fitted. Plans cost what `planning` says in elements moved at the top level.
[[nodiscard]] Plan fitted_by_level(std::string const& planner, Problem const& problem, Fit fit,
                                   LevelPlanning const& planning);

}  // namespace tessera::partition

// Plans by what operators take on the array's own cores: OptCNN's search (optcnn.cpp) over another space with another price. What `auto`
// begins with, and no planner by itself: what the sum hides (overlap), a timeline or a simulation has to say.
//
// A configuration is how many levels split samples, output channels and input channels, n k c or n c k from the top; as every operator
// chooses among all of them, HyPar's and AccPar's types mix over levels. Even shares only.
#pragma once

#include <vector>

#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/search/split_moves.hpp"

namespace tessera::partition {

/// The plans with the least sum of `times` and of what exchanges take at the links' rates and
/// latencies: of all of them, and of some fractions of them, as computation may hide the rest.
/// Throws ConfigError where samples cannot be cut.
[[nodiscard]] std::vector<Plan> timed_plans(Problem const& problem, OperatorTimes const& times);

/// That sum of a plan, of a quarter of the sums of gradients; of a plan with stages what
/// pipeline_cost() says with `times` [s].
[[nodiscard]] double timed_price(Problem const& problem, Plan const& plan,
                                 OperatorTimes const& times);

/// Operators, or backward phases of theirs, split as they take least on the cores; those that save
/// most first. Requires a plan without stages.
[[nodiscard]] std::vector<SplitMove> timed_moves(Problem const& problem, Plan const& plan,
                                                 OperatorTimes const& times);

}  // namespace tessera::partition

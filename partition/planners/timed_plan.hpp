// Plans by what operators take on the array's own cores: OptCNN's search (optcnn.cpp) over a larger space with another price. Seeds of
// `auto`, and no planner by themselves: what the sum hides (overlap), a timeline or a simulation has to say.
//
// A configuration is how many levels split samples, output channels and input channels, in one of the orders n k c, n c k, k c n, c k n
// from the top; as every operator chooses among all of them, HyPar's and AccPar's types mix over levels. Even shares only.
#pragma once

#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

/// The plan with the least sum of `times`, of what exchanges take at the links' rates and
/// latencies, and of `gradient_sums` (a fraction) of what sums of gradients do, which backward
/// passes may hide. Throws ConfigError where samples cannot be cut.
[[nodiscard]] Plan timed_plan(Problem const& problem, OperatorTimes const& times,
                              double gradient_sums);

}  // namespace tessera::partition

// A network in as many stages as asked for, the slowest as fast as possible.
//
// Stages lie between states (pipeline_states.hpp), as PipeDream's do, but none is replicated and transfers cost nothing. With T(i..j) the
// compute time of the operators between two states:
//   A(j, s) = min over states i inside j of max{ A(i, s - 1), T(i..j) }
// Of the partitions with the least A, the one across whose cuts the fewest bytes go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "partition/search/pipeline_states.hpp"

namespace tessera::partition {

struct BalancedStages {
  std::vector<std::vector<std::size_t>> stages;  ///< nodes in ascending order, first stage first
  double slowest_s = 0;
  double crossing_bytes = 0;  ///< of all cuts
  std::int64_t evaluations = 0;
};

/// What an accelerator may have at most: of all operators of a stage together, activations and
/// parameters.
using StageFits = std::function<bool(double activation_bytes, double parameter_bytes)>;

/// None if there are no `count` stages that all fit.
[[nodiscard]] std::optional<BalancedStages> balanced_stages(
    std::vector<PipelineState> const& states, std::size_t count,
    StageFits const& fits = [](double, double) { return true; });

}  // namespace tessera::partition

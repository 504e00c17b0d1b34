// A network in as many stages as asked for, the slowest as fast as possible.
//
// Stages lie between states (pipeline_states.hpp), as PipeDream's do, but none is replicated and transfers cost nothing. With T(i..j) the
// compute time of the operators between two states:
//   A(j, s) = min over states i inside j of max{ A(i, s - 1), T(i..j) }
// Of the partitions with the least A, or with one that is larger by a given part of it, the one across whose cuts the fewest bytes go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "partition/search/pipeline_states.hpp"

namespace tessera::partition {

struct BalancedStages {
  std::vector<std::vector<std::size_t>> stages;  ///< nodes in ascending order, first stage first
  double slowest_s = 0;       ///< at most: the least that it can be, and the imbalance
  double crossing_bytes = 0;  ///< of all cuts
  std::int64_t evaluations = 0;
};

/// What an accelerator may have at most: of all operators of a stage together, activations and
/// parameters.
using StageFits = std::function<bool(double activation_bytes, double parameter_bytes)>;

/// A network's partitions: what is worked out for a number of stages serves all numbers.
class StageBalance final {
 public:
  /// `states`: not empty, and there as long as this is.
  explicit StageBalance(
      std::vector<PipelineState> const& states,
      StageFits fits = [](double, double) { return true; });

  /// None if there are no `count` stages that all fit. `imbalance`: the part of the least time that
  /// the slowest stage may take longer.
  [[nodiscard]] std::optional<BalancedStages> in(std::size_t count, double imbalance = 0);

 private:
  void add_row();
  [[nodiscard]] double slowest_s(std::size_t state, std::vector<double> const& before);
  [[nodiscard]] double stage_s(PipelineState const* from, PipelineState const& to) const;

  std::vector<PipelineState> const& states_;
  StageFits fits_;
  /// A(j, s): [s - 1][j].
  std::vector<std::vector<double>> slowest_s_;
  std::int64_t evaluations_ = 0;
};

}  // namespace tessera::partition

// What whoever calls a planner lends to it. partition/ has neither a simulator nor a clock nor signals of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "partition/planners/evaluator.hpp"

namespace tessera::partition {

/// How far a search is.
struct SearchProgress {
  std::int64_t evaluations = 0;
  std::int64_t at_most = 0;  ///< it may end with fewer
  std::optional<Time> best;  ///< step so far
};

struct PlanningContext {
  /// Simulates plans; none: a planner that wants to takes another price, and says so.
  EvaluatorMaker simulated = {};
  /// How long operators take on the array's own cores; none: at peak rates, or by profile.
  OperatorTimes core_times = {};
  /// Shall it end with the best plan that it has?
  std::function<bool()> is_interrupted = [] { return false; };
  /// Since the planner was asked [s]: for budgets in seconds.
  std::function<double()> seconds = [] { return 0.0; };
  /// Told after every plan that a search has tried.
  std::function<void(SearchProgress const&)> progress = [](SearchProgress const&) {};
};

}  // namespace tessera::partition

// What a plan costs, for planners that try many: by the sum, on the timeline, or by simulating it. Who calls a planner says which of them
// there are (planning_context.hpp); partition/ itself knows the first two.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "arch/base/quantity.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

/// The plans of one problem, by one price. Equal plans have equal prices, in whatever order they
/// are asked for.
class Evaluator {
 public:
  static constexpr Time no_limit{std::numeric_limits<std::int64_t>::max()};

  virtual ~Evaluator() = default;

  /// How long a step takes; none where that is more than `at_most`, or where this price has no
  /// answer. Requires a plan that is valid for the problem.
  [[nodiscard]] std::optional<Time> evaluate(Plan const& plan, Time at_most = no_limit);

  /// How often it was asked.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  [[nodiscard]] virtual std::optional<Time> price(Plan const& plan, Time at_most) = 0;

  std::int64_t evaluations_ = 0;
};

/// Makes the evaluator of a problem, whose network and array must outlive it.
using EvaluatorMaker = std::function<std::unique_ptr<Evaluator>(Problem const& problem)>;

/// What cost_model.hpp predicts.
[[nodiscard]] std::unique_ptr<Evaluator> evaluate_by_sum(Problem const& problem);

/// What plan_timeline.hpp says; no answer where it has none.
[[nodiscard]] std::unique_ptr<Evaluator> evaluate_by_timeline(Problem const& problem,
                                                              OperatorTimes times = peak_rates());

}  // namespace tessera::partition

// The two prices that need no simulator.
#include "partition/planners/evaluator.hpp"

#include <cmath>
#include <utility>

#include "partition/price/cost_model.hpp"

namespace tessera::partition {

namespace {

class SumEvaluator final : public Evaluator {
 public:
  explicit SumEvaluator(Problem const& problem) : problem_{problem} {}

 private:
  [[nodiscard]] std::optional<Time> price(Plan const& plan, Time /*at_most*/) override {
    auto const picoseconds = cost(problem_, plan).time_s() * 1e12;
    if (picoseconds >= static_cast<double>(no_limit.value())) return std::nullopt;
    return Time{std::llround(picoseconds)};
  }

  Problem problem_;
};

/// Follows from plan to plan, so that one that differs little from the last costs little; it is the
/// same as the timeline of each by itself.
class TimelineEvaluator final : public Evaluator {
 public:
  TimelineEvaluator(Problem const& problem, OperatorTimes times)
      : problem_{problem}, times_{std::move(times)} {}

 private:
  [[nodiscard]] std::optional<Time> price(Plan const& plan, Time /*at_most*/) override {
    if (!has_timeline(problem_, plan)) return std::nullopt;
    if (timeline_) {
      timeline_->follow(plan);
    } else {
      timeline_.emplace(problem_, plan, times_);
    }
    return timeline_->length();
  }

  Problem problem_;
  OperatorTimes times_;
  std::optional<StepTimeline> timeline_;  ///< of the last plan
};

}  // namespace

std::optional<Time> Evaluator::evaluate(Plan const& plan, Time at_most) {
  ++evaluations_;
  auto const time = price(plan, at_most);
  return time && *time <= at_most ? time : std::nullopt;
}

std::unique_ptr<Evaluator> evaluate_by_sum(Problem const& problem) {
  return std::make_unique<SumEvaluator>(problem);
}

std::unique_ptr<Evaluator> evaluate_by_timeline(Problem const& problem, OperatorTimes times) {
  return std::make_unique<TimelineEvaluator>(problem, std::move(times));
}

}  // namespace tessera::partition

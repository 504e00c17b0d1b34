#include "partition/search/timeline_descent.hpp"

#include <utility>

#include "partition/price/plan_timeline.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

class Descent final {
 public:
  Descent(Problem const& problem, Fit fit, Plan plan, std::vector<Dim> const& dims,
          OperatorTimes const& times)
      : problem_{problem}, fit_{fit}, dims_{dims}, timeline_{problem, std::move(plan), times} {}

  [[nodiscard]] Plan lowest() {
    while (shortens_by_any()) continue;
    auto plan = timeline_.plan();
    plan.evaluations += evaluations_;
    plan.optimality_gap = 1;  // no bound is known
    return finished(std::move(plan), problem_);
  }

 private:
  bool shortens_by_any() {
    bool is_shorter = false;
    for (auto const op : problem_.network.operators().ids()) {
      for (std::size_t level = 0; level < timeline_.plan().splits[op].size(); ++level) {
        for (auto const dim : dims_) is_shorter |= shortens_by(op, level, dim);
      }
    }
    return is_shorter;
  }

  bool shortens_by(OperatorId op, std::size_t level, Dim dim) {
    auto plan = timeline_.plan();
    auto& split = plan.splits[op][level];
    if (is_over(split, dim) || !problem_.network.at(op).can_split(dim)) return false;
    split = Split{dim};
    if (!divides_samples(plan)) return false;
    auto const before = timeline_.length();
    timeline_.begin_trial();
    timeline_.follow(std::move(plan));
    ++evaluations_;
    bool const is_better = timeline_.length() < before && fits();
    is_better ? timeline_.keep_trial() : timeline_.undo_trial();
    return is_better;
  }

  [[nodiscard]] bool fits() const {
    return fit_ == Fit::ignore || fullest(problem_, timeline_.plan()).fits();
  }

  Problem problem_;
  Fit fit_;
  std::vector<Dim> const& dims_;
  StepTimeline timeline_;
  std::int64_t evaluations_ = 1;
};

}  // namespace

Price price_from(ConfigMap& options) {
  return options.choice<Price>("price", {{"sum", Price::sum}, {"timeline", Price::timeline}},
                               Price::sum);
}

Plan by_price(Price price, Problem const& problem, Fit fit, Plan plan, std::vector<Dim> const& dims,
              OperatorTimes const& times) {
  if (price == Price::sum) return plan;
  if (!has_timeline(problem, plan)) {
    throw ConfigError{{},
                      "planner.price",
                      "there is no timeline of so large an array (" +
                          std::to_string(problem.array.accelerators) +
                          " accelerators, at most 128); use sum"};
  }
  return Descent{problem, fit, std::move(plan), dims, times}.lowest();
}

}  // namespace tessera::partition

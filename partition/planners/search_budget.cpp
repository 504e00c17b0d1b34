#include "partition/planners/search_budget.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::partition {

SearchBudget::SearchBudget(Problem const& problem, BudgetOption const& option, std::int64_t at_most)
    : context_{problem.context != nullptr ? *problem.context : PlanningContext{}},
      option_{option},
      at_most_{option.evaluations.value_or(at_most)} {
  EXPECTS(!option.seconds || problem.context != nullptr);  // without a clock it would not end
}

double SearchBudget::used(std::int64_t evaluations) const {
  if (option_.seconds) return context_.seconds() / *option_.seconds;
  return static_cast<double>(evaluations) / static_cast<double>(at_most_);
}

bool SearchBudget::is_over(std::int64_t evaluations) const {
  return is_interrupted() || (is_given() && used(evaluations) >= 1);
}

/// Of a budget in seconds: as many as there will be if they go on taking as long.
void SearchBudget::tell(std::int64_t evaluations, std::optional<Time> best) const {
  auto at_most = at_most_;
  auto const part = used(evaluations);
  if (option_.seconds && part > 0) {
    at_most = std::llround(static_cast<double>(evaluations) / std::min(1.0, part));
  }
  context_.progress({evaluations, at_most, best});
}

SearchLimits SearchBudget::limits(std::size_t chains) const {
  SearchLimits limits;
  limits.chains = chains;
  limits.is_interrupted = [this] { return is_interrupted(); };
  if (is_given()) limits.used = [this](std::int64_t evaluations) { return used(evaluations); };
  limits.progress = [this](std::int64_t evaluations, std::optional<Time> best) {
    tell(evaluations, best);
  };
  return limits;
}

std::string SearchBudget::summary(std::int64_t evaluations, TimesOf times) const {
  auto text = "search: " + std::to_string(evaluations) + " timelines, operators' times " +
              (times == TimesOf::core ? "of the array's cores" : "at peak rates");
  if (is_interrupted()) return text + "; interrupted: the best plan so far";
  if (!is_over(evaluations)) return text;
  if (!option_.seconds) return text + "; out of budget";
  return text + "; out of time: another run, or another machine, may find another plan";
}

}  // namespace tessera::partition

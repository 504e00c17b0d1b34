#include "partition/planners/search_options.hpp"

#include "partition/planners/planning_context.hpp"

namespace tessera::partition {

double read_number(ConfigMap& options, std::string const& key, double fallback) {
  auto const* const node = options.find(key);
  if (node == nullptr) return fallback;
  auto const value = node->as<double>();
  if (value < 0) throw node->error("must be at least 0");
  return value;
}

double read_fraction(ConfigMap& options, std::string const& key, double fallback) {
  auto const value = read_number(options, key, fallback);
  if (value > 1) throw options.node(key).error("must be at most 1");
  return value;
}

std::int64_t read_whole(ConfigMap& options, std::string const& key, std::int64_t fallback) {
  auto const* const node = options.find(key);
  if (node == nullptr) return fallback;
  auto const value = node->as<std::int64_t>();
  if (value < 1) throw node->error("must be at least 1");
  return value;
}

BudgetOption budget_from(ConfigMap& options) {
  BudgetOption budget;
  auto const* const node = options.find("budget");
  if (node == nullptr) return budget;
  bool const is_count =
      node->as<std::string>().find_first_not_of("0123456789") == std::string::npos;
  if (is_count) {
    budget.evaluations = node->as<std::int64_t>();
  } else {
    budget.seconds = static_cast<double>(node->as<Time>().value()) * 1e-12;
  }
  if (budget.evaluations == 0 || budget.seconds == 0.0) {
    throw node->error("a search tries at least one plan; use 1 or more, or a time");
  }
  return budget;
}

TimesOf times_from(ConfigMap& options, TimesOf fallback) {
  return options.choice<TimesOf>("times", {{"core", TimesOf::core}, {"peak", TimesOf::peak}},
                                 fallback);
}

OperatorTimes operator_times(Problem const& problem, TimesOf which) {
  bool const knows_cores = problem.context != nullptr && problem.context->core_times;
  return which == TimesOf::core && knows_cores ? problem.context->core_times : peak_rates();
}

}  // namespace tessera::partition

// Options of planners that search: numbers within bounds, budgets, and how long operators take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arch/base/config.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

/// A number from 0 on.
[[nodiscard]] double read_number(ConfigMap& options, std::string const& key, double fallback);

/// From 0 to 1.
[[nodiscard]] double read_fraction(ConfigMap& options, std::string const& key, double fallback);

/// A whole number from 1 on.
[[nodiscard]] std::int64_t read_whole(ConfigMap& options, std::string const& key,
                                      std::int64_t fallback);

/// `budget`: how many plans a search may try ("200"), or how long it may take ("60 s"). Neither:
/// what the planner's other options say.
struct BudgetOption {
  std::optional<std::int64_t> evaluations = {};
  std::optional<double> seconds = {};
};
[[nodiscard]] BudgetOption budget_from(ConfigMap& options);

/// `times`: whose times of operators a timeline has.
enum class TimesOf {
  peak,  ///< the peak rate, or the profile of an array that has one
  core,  ///< the array's own core model, once per shape; of units without one, as `peak`
};
[[nodiscard]] TimesOf times_from(ConfigMap& options, TimesOf fallback);
/// Where nobody lends times of cores (PlanningContext), peak rates.
[[nodiscard]] OperatorTimes operator_times(Problem const& problem, TimesOf which);

}  // namespace tessera::partition

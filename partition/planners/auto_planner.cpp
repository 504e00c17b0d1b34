// Options, and the planners that give seeds.
#include "partition/planners/auto_planner.hpp"

#include <algorithm>
#include <array>

#include "partition/planners/auto_search.hpp"

namespace tessera::partition {

namespace {

/// Searches, and what is no plan of its own.
constexpr std::array<char const*, 4> no_seeds = {"auto", "exhaustive", "flexflow", "colocrl"};

bool is_a_seed(std::string const& planner) {
  return std::find(no_seeds.begin(), no_seeds.end(), planner) == no_seeds.end();
}

}  // namespace

AutoOptions AutoOptions::from(ConfigMap& options) {
  AutoOptions it;
  auto const budget = budget_from(options);
  it.evaluations = budget.evaluations.value_or(it.evaluations);
  it.seconds = budget.seconds;
  it.seed = static_cast<std::uint64_t>(
      options.optional<std::int64_t>("seed", static_cast<std::int64_t>(it.seed)));
  it.parts = options.optional<bool>("parts", it.parts);
  it.times = times_from(options, it.times);
  it.improve = options.optional<bool>("improve", it.improve);
  it.fit = fit_from(options);
  return it;
}

AutoPlanner::AutoPlanner(ConfigMap& options) {
  auto const planners = builtin_planners();
  for (auto const& name : planners.names()) {
    if (is_a_seed(name)) seeds_.emplace_back(name, planners.make(name, options));
  }
  // After the others: `times` is something else unless it is given.
  options_ = AutoOptions::from(options);
}

Plan AutoPlanner::solve(Problem const& problem) const {
  return AutoSearch{problem, options_, seeds_}.run();
}

}  // namespace tessera::partition

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

/// "200", or "60 s".
void read_budget(ConfigMap& options, AutoOptions& into) {
  auto const* const node = options.find("budget");
  if (node == nullptr) return;
  auto const text = node->as<std::string>();
  bool const is_count = text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_count) {
    into.seconds = static_cast<double>(node->as<Time>().value()) * 1e-12;
    return;
  }
  into.evaluations = node->as<std::int64_t>();
  if (into.evaluations < 1) throw node->error("a search simulates at least once; use 1 or more");
}

}  // namespace

AutoOptions AutoOptions::from(ConfigMap& options) {
  AutoOptions it;
  read_budget(options, it);
  it.seed = static_cast<std::uint64_t>(
      options.optional<std::int64_t>("seed", static_cast<std::int64_t>(it.seed)));
  it.parts = options.optional<bool>("parts", it.parts);
  it.times =
      options.choice<Times>("times", {{"core", Times::core}, {"peak", Times::peak}}, it.times);
  it.improve = options.optional<bool>("improve", it.improve);
  it.fit = fit_from(options);
  return it;
}

AutoPlanner::AutoPlanner(ConfigMap& options) : options_{AutoOptions::from(options)} {
  auto const planners = builtin_planners();
  for (auto const& name : planners.names()) {
    if (is_a_seed(name)) seeds_.emplace_back(name, planners.make(name, options));
  }
}

Plan AutoPlanner::solve(Problem const& problem) const {
  return AutoSearch{problem, options_, seeds_}.run();
}

}  // namespace tessera::partition

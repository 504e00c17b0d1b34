// FlexFlow (Jia et al., SysML'19): every operator's degrees over samples, channels, rows and columns, and the devices of its parts, by a
// Markov chain over strategies against the timeline. A chain starts from each of
//   data-parallel   all samples over all accelerators
//   expert          GNMT's authors' placement where there are LSTMs (gnmt_expert.cpp), else one weird trick (the paper, section 8.1),
//                   whose splits over input channels are not in the space: a chain keeps them or leaves them for good
//   random          of the space
// and the best of all is polished (strategy_search.hpp). Backward phases are split and placed as the forward phase.
#include <algorithm>
#include <utility>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/search_budget.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::OperatorKind;

namespace {

/// None where there is no such placement on the array.
std::optional<Strategy> expert_strategy(Problem const& problem) {
  auto const& operators = problem.network.operators();
  bool const has_cells = std::any_of(operators.begin(), operators.end(),
                                     [](auto const& op) { return op.kind == OperatorKind::lstm; });
  try {
    return strategy_of(make_planner(has_cells ? "gnmt-expert" : "owt")->solve(problem));
  } catch (ConfigError const&) {
    return std::nullopt;
  }
}

}  // namespace

FlexFlow::FlexFlow(ConfigMap& options)
    : devices_{devices_from(options)},
      initial_{options.choice<Initial>("initial",
                                       {{"all", Initial::all},
                                        {"data-parallel", Initial::data_parallel},
                                        {"expert", Initial::expert},
                                        {"random", Initial::random}},
                                       Initial::all)} {
  if (options.find("beta") != nullptr) search_.beta = read_number(options, "beta", 0);
  search_.beta_relative = read_number(options, "beta_relative", search_.beta_relative);
  search_.proposals = read_whole(options, "proposals", search_.proposals);
  search_.patience = read_fraction(options, "patience", search_.patience);
  search_.propagation = read_fraction(options, "propagation", search_.propagation);
  search_.together = read_fraction(options, "together", search_.together);
  using Polish = StrategySearchOptions::Polish;
  search_.polish =
      options.choice<Polish>("polish", {{"on", Polish::on}, {"off", Polish::off}}, search_.polish);
  search_.seed = static_cast<std::uint64_t>(
      read_whole(options, "seed", static_cast<std::int64_t>(search_.seed)));
  search_.fit = fit_from(options);
  budget_ = budget_from(options);
  times_ = times_from(options, TimesOf::peak);
}

std::vector<std::pair<std::string, Strategy>> FlexFlow::starts(Problem const& problem,
                                                               ConfigSpace const& space) const {
  auto const data_parallel = data_parallel_strategy(problem);
  auto const starts_from = [this](Initial one) {
    return initial_ == Initial::all || initial_ == one;
  };
  std::vector<std::pair<std::string, Strategy>> starts;
  if (starts_from(Initial::data_parallel)) starts.emplace_back("data-parallel", data_parallel);
  if (starts_from(Initial::expert)) {
    auto const expert = expert_strategy(problem);
    if (expert || initial_ == Initial::expert) {
      starts.emplace_back("expert", expert.value_or(data_parallel));
    }
  }
  if (starts_from(Initial::random)) {
    std::mt19937_64 random{search_.seed};
    starts.emplace_back("random", space.random_strategy(random));
  }
  return starts;
}

Plan FlexFlow::solve(Problem const& problem) const {
  ConfigSpace const space{problem, devices_};
  auto const chains = starts(problem, space);
  auto const rounds = static_cast<std::int64_t>(chains.size() + 1);
  SearchBudget const budget{problem, budget_, rounds * search_.proposals};
  StrategySearch search{problem, space, search_, budget.limits(chains.size() + 1),
                        operator_times(problem, times_)};
  for (auto const& [name, initial] : chains) search.run_from(name, initial);
  if (search_.polish == StrategySearchOptions::Polish::on) search.polish();
  auto plan = plan_of("flexflow", problem, search.best().value_or(data_parallel_strategy(problem)));
  plan.evaluations = search.evaluations();
  plan.optimality_gap = 1;  // no bound is known
  plan.history = search.history();
  plan.history.push_back(budget.summary(search.evaluations(), times_));
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition

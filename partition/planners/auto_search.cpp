// Seeds, simulations, moves.
#include "partition/planners/auto_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "partition/planners/timed_plan.hpp"
#include "partition/price/work.hpp"
#include "partition/search/common_share.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

namespace {

/// How many seeds moves improve.
constexpr std::size_t improved_seeds = 3;
/// On more accelerators a timeline takes longer than it saves.
constexpr std::int64_t most_on_timeline = 64;
constexpr std::int64_t most_micro_batches = 8;

template <typename Candidates>
std::vector<Candidate*> by_guess(Candidates& candidates) {
  std::vector<Candidate*> order;
  order.reserve(candidates.size());
  for (auto& candidate : candidates) order.push_back(&candidate);
  std::stable_sort(order.begin(), order.end(),
                   [](auto const* a, auto const* b) { return a->guess < b->guess; });
  return order;
}

}  // namespace

AutoSearch::AutoSearch(Problem const& problem, AutoOptions const& options,
                       AutoPlanner::Planners const& planners)
    : problem_{problem},
      options_{options},
      planners_{planners},
      context_{problem.context != nullptr ? *problem.context : PlanningContext{}},
      budget_{options, context_},
      random_{options.seed} {
  times_ = operator_times(problem, options.times);
  judge_ = context_.simulated ? context_.simulated(problem) : evaluate_by_timeline(problem, times_);
}

Plan AutoSearch::run() {
  add_territories();
  require_candidates();
  simulate_seeds();
  if (!best_) take_best_guess();
  if (options_.improve) {
    weigh();
    cut_in_micro_batches();
    improve();
    climb();
    cut_in_micro_batches();
  }
  return with_history(*best_);
}

Problem AutoSearch::problem_of(Territory const& territory) const {
  return {problem_.network, territory.part.array, problem_.context};
}

bool AutoSearch::fits(Problem const& problem, Plan const& plan) const {
  return options_.fit == Fit::ignore || fullest(problem, plan).fits();
}

/// The whole array first: a part is of no use where its accelerators would take longer at their
/// peak than what is known already.
void AutoSearch::add_territories() {
  territories_.push_back({{0, problem_.array}, true, nullptr});
  if (options_.parts) {
    for (auto& part : sub_arrays_of(problem_.array)) {
      territories_.push_back({std::move(part), false, nullptr});
    }
  }
  auto const computations = computations_of(problem_.network);
  std::optional<Time> least;
  for (auto& territory : territories_) {
    auto const bound = least_seconds(problem_.network, territory.part.array, computations);
    if (least && bound * 1e12 > static_cast<double>(least->value())) continue;
    if (!territory.is_whole && !budget_.may_price(AutoBudget::Part::planning)) continue;
    territory.timeline = evaluate_by_timeline(problem_of(territory), times_);
    add_seeds(territory);
    for (auto const& candidate : candidates_) {
      least = std::min(least.value_or(candidate.guess), candidate.guess);
    }
  }
}

void AutoSearch::add_seeds(Territory& territory) {
  for (auto const& [name, planner] : planners_) {
    add_seed(territory, name,
             [&planner = *planner](Problem const& problem) { return planner.solve(problem); });
  }
  if (options_.times == TimesOf::peak) return;
  std::vector<Plan> plans;
  try {
    plans = timed_plans(problem_of(territory), times_);
  } catch (ConfigError const&) {
    return;
  }
  for (auto const& plan : plans) {
    add_seed(territory, "times of cores", [&plan](Problem const&) { return plan; });
  }
}

/// A planner that does not apply has said why to nobody: the others are asked.
void AutoSearch::add_seed(Territory& territory, std::string const& name,
                          std::function<Plan(Problem const&)> const& solve) {
  if (budget_.is_interrupted() && !candidates_.empty()) return;
  auto const problem = problem_of(territory);
  auto const filled = [this](Candidate const& candidate) {
    return fullest(problem_of(*candidate.where), candidate.plan).filled();
  };
  try {
    Candidate candidate{solve(problem), &territory, name};
    candidate.guess = guess_of(territory, candidate.plan).value_or(Evaluator::no_limit);
    if (fits(problem, candidate.plan)) {
      candidates_.push_back(std::move(candidate));
    } else if (!emptiest_ || filled(candidate) < filled(*emptiest_)) {
      emptiest_ = std::move(candidate);
    }
  } catch (ConfigError const&) {
    if (!why_none_) why_none_ = std::current_exception();
  }
}

/// By the timeline; where that has no answer or takes long, by a sum.
std::optional<Time> AutoSearch::guess_of(Territory& territory, Plan const& plan) {
  budget_.count_price();
  if (territory.part.array.accelerators <= most_on_timeline) {
    if (auto const time = territory.timeline->evaluate(plan)) return time;
  }
  auto const picoseconds = timed_price(problem_of(territory), plan, times_) * 1e12;
  if (picoseconds >= static_cast<double>(Evaluator::no_limit.value())) return std::nullopt;
  return Time{std::llround(picoseconds)};
}

/// Where nothing fits, the plan that fills memories least: who asked says what is wrong with it.
void AutoSearch::require_candidates() {
  if (!candidates_.empty()) return;
  if (!emptiest_) std::rethrow_exception(why_none_);
  candidates_.push_back(*emptiest_);
}

/// Of plans none of which could be simulated to its end.
void AutoSearch::take_best_guess() {
  best_ = *by_guess(candidates_).front();
  best_->simulated = best_->guess;
}

Plan AutoSearch::in_whole(Candidate const& candidate) const {
  bool const is_plain = candidate.where->is_whole && candidate.micro_batches == 1;
  auto plan = is_plain
                  ? candidate.plan
                  : lifted(candidate.plan, candidate.where->part, problem_.array, problem_.network);
  if (candidate.micro_batches > 1) plan.pipeline->micro_batches = candidate.micro_batches;
  plan.planner = "auto";
  return plan;
}

/// What moves can change is compared with its like, too, so that there is something to climb from.
bool AutoSearch::simulate(Candidate& candidate) {
  auto const& rival = candidate.is_movable() ? best_movable_ : best_;
  auto const limit = rival ? *rival->simulated - Time{1} : Evaluator::no_limit;
  candidate.simulated = judge_->evaluate(in_whole(candidate), limit);
  tell_progress();
  if (!candidate.simulated) return false;
  if (candidate.is_movable()) best_movable_ = candidate;
  if (!best_ || *candidate.simulated < *best_->simulated) best_ = candidate;
  return true;
}

void AutoSearch::tell_progress() const {
  std::optional<Time> best;
  if (best_) best = best_->simulated;
  auto const others = judge_->evaluations() - budget_.simulations();
  context_.progress({judge_->evaluations(), others + budget_.most_simulations(), best});
}

bool AutoSearch::simulate_counted(Candidate& candidate) {
  budget_.count_simulation();
  return simulate(candidate);
}

/// The best guesses first, wherever they are: slower ones are given up the sooner. Those of the
/// whole array are beside the budget.
void AutoSearch::simulate_seeds() {
  for (auto* const candidate : by_guess(candidates_)) {
    if (best_ && budget_.is_interrupted()) return;
    if (candidate->where->is_whole) {
      static_cast<void>(simulate(*candidate));
    } else if (!best_ || budget_.may_simulate(AutoBudget::Part::seeds)) {
      static_cast<void>(simulate_counted(*candidate));
    }
  }
}

/// Planners weigh halves by what they could do at most.
void AutoSearch::weigh() {
  if (!best_movable_) return;
  for (auto const level : levels_of_unlike_halves(best_movable_->where->part.array)) {
    auto const base = *best_movable_;
    auto const weighed = [&](double share) {
      return with_plan(base, with_common_share(base.plan, level, share),
                       "share " + std::to_string(share).substr(0, 6) +
                           " of all operators at level " + std::to_string(level + 1),
                       Evaluator::no_limit);
    };
    auto const guess = [&](double share) -> std::optional<Time> {
      if (!budget_.may_price(AutoBudget::Part::moves)) return std::nullopt;
      auto const next = weighed(share);
      return next ? std::optional<Time>{next->guess} : std::nullopt;
    };
    auto const is_better = [&](double share) {
      if (!budget_.may_simulate(AutoBudget::Part::moves)) return false;
      auto next = weighed(share);
      return next && simulate_counted(*next);
    };
    search_common_share(guess, is_better);
  }
}

/// The best seeds by the timeline, and the best that was simulated. Where seeds are not screened by
/// it, it improves none.
void AutoSearch::improve() {
  std::vector<Candidate> chosen;
  if (best_movable_) chosen.push_back(*best_movable_);
  for (auto* const candidate : by_guess(candidates_)) {
    if (chosen.size() > improved_seeds) break;
    if (candidate->is_movable()) chosen.push_back(*candidate);
  }
  for (auto& candidate : chosen) {
    bool const has_timeline = candidate.where->part.array.accelerators <= most_on_timeline;
    if (!has_timeline || !budget_.may_simulate(AutoBudget::Part::moves)) continue;
    auto const before = candidate.changes.size();
    improve(candidate);
    if (candidate.changes.size() > before) static_cast<void>(simulate_counted(candidate));
  }
}

void AutoSearch::improve(Candidate& candidate) {
  bool is_better = true;
  while (is_better) {
    is_better = false;
    for (auto const& move : moves_of(candidate)) {
      if (!budget_.may_price(AutoBudget::Part::moves)) return;
      auto next = changed(candidate, move, candidate.guess);
      if (!next) continue;
      candidate = *std::move(next);
      is_better = true;
    }
  }
}

/// Moves that are expected to be much worse are not simulated.
void AutoSearch::climb() {
  constexpr std::int64_t tolerance = 20;  // a twentieth
  bool is_better = best_movable_.has_value();
  while (is_better) {
    is_better = false;
    for (auto const& move : moves_of(*best_movable_)) {
      if (!budget_.may_simulate(AutoBudget::Part::climbing)) return;
      auto const worst = best_movable_->guess + Time{best_movable_->guess.value() / tolerance};
      auto next = changed(*best_movable_, move, worst);
      if (next) is_better = simulate_counted(*next) || is_better;
    }
  }
}

/// As long as more of them are better.
void AutoSearch::cut_in_micro_batches() {
  if (!best_movable_) return;
  auto const whole = *best_movable_;
  for (auto number = 2 * whole.micro_batches; number <= most_micro_batches; number *= 2) {
    if (!budget_.may_simulate(AutoBudget::Part::all)) return;
    auto next = whole;
    next.micro_batches = number;
    next.changes.push_back(std::to_string(number) + " micro-batches, layer by layer");
    try {
      auto const plan = in_whole(next);
      validate(plan, problem_.network, problem_.array);
      if (!fits(problem_, plan) || !simulate_counted(next)) return;
    } catch (ConfigError const&) {
      return;  // samples cannot be cut
    }
  }
}

/// First what is faster on the cores by itself, then what may be for other reasons, in any order.
std::vector<SplitMove> AutoSearch::moves_of(Candidate const& candidate) {
  auto const problem = problem_of(*candidate.where);
  auto moves = timed_moves(problem, candidate.plan, times_);
  auto others = split_moves(problem);
  for (auto left = others.size(); left > 1; --left) {
    std::swap(others[left - 1], others[random_() % left]);
  }
  moves.insert(moves.end(), others.begin(), others.end());
  return moves;
}

/// None where the move changes nothing, cannot be, or its guess is not better than that.
std::optional<Candidate> AutoSearch::changed(Candidate const& candidate, SplitMove const& move,
                                             Time better_than) {
  auto plan = moved(candidate.plan, move, problem_.network);
  if (!plan) return std::nullopt;
  return with_plan(candidate, *std::move(plan), describe(move, problem_.network), better_than);
}

/// None where the plan cannot be, or its guess is not better than that.
std::optional<Candidate> AutoSearch::with_plan(Candidate const& candidate, Plan plan,
                                               std::string const& change, Time better_than) {
  auto const problem = problem_of(*candidate.where);
  try {
    validate(plan, problem.network, problem.array);
    if (!fits(problem, plan)) return std::nullopt;
  } catch (ConfigError const&) {
    return std::nullopt;
  }
  auto const guess = guess_of(*candidate.where, plan);
  if (!guess || *guess >= better_than) return std::nullopt;
  auto next = candidate;
  next.plan = std::move(plan);
  next.guess = *guess;
  next.simulated.reset();
  next.changes.push_back(change);
  return next;
}

Plan AutoSearch::with_history(Candidate const& best) const {
  auto plan = finished(in_whole(best), problem_);
  plan.evaluations = judge_->evaluations();
  plan.history.push_back("seed: " + best.seed + " on " +
                         (best.where->is_whole ? "the whole array" : best.where->part.name()));
  for (auto const& change : best.changes) plan.history.push_back("change: " + change);
  plan.history.push_back(
      "search: " + std::to_string(judge_->evaluations() - budget_.simulations()) +
      " plans of other planners and " + std::to_string(budget_.simulations()) + " more " +
      (context_.simulated ? "simulated" : "on the timeline") + ", " +
      std::to_string(budget_.prices()) + " prices; " + budget_.end());
  return plan;
}

}  // namespace tessera::partition

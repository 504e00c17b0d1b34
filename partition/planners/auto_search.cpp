// Seeds, simulations, moves.
#include "partition/planners/auto_search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "partition/planners/timed_plan.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/work.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

namespace {

/// Of a budget in seconds, what is over when no more seeds are made, and when the timeline's moves
/// end; the rest is for climbing by simulation.
constexpr double part_for_seeds = 0.25;
constexpr double part_for_moves = 0.6;
/// Prices of the timeline for each simulation of a budget of those.
constexpr std::int64_t guesses_per_simulation = 25;
/// Of the budget's simulations, those for seeds of parts, and for what the timeline has improved.
constexpr std::int64_t part_of_seeds = 3;
constexpr std::size_t improved_seeds = 3;
/// How much of gradients' sums counts in the plans of timed_plan().
constexpr std::array<double, 2> gradient_sums = {1.0, 0.25};

/// All accelerators at their peak rates, none ever idle: no plan is faster [s].
double least_seconds(workloads::Network const& network, arch::ArraySpec const& array) {
  double rate = 0;  // networks a second
  for (auto const& group : array.groups) {
    double seconds = 0;
    for (auto const& op : network.operators()) {
      for (auto const phase : workloads::own_phases) {
        seconds += seconds_on_one(group.accelerator, op, phase);
      }
    }
    if (seconds == 0) return 0;
    rate += static_cast<double>(group.count) / seconds;
  }
  return 1 / rate;
}

double in_seconds(Time time) { return static_cast<double>(time.value()) * 1e-12; }

template <typename Candidates>
std::vector<Candidate*> by_guess(Candidates& candidates) {
  std::vector<Candidate*> order;
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
      random_{options.seed} {
  bool const knows_cores = context_.core_times && options.times == AutoOptions::Times::core;
  times_ = knows_cores ? context_.core_times : peak_rates();
  judge_ = context_.simulated ? context_.simulated(problem) : evaluate_by_timeline(problem, times_);
}

Plan AutoSearch::run() {
  add_territories();
  require_candidates();
  simulate_whole_seeds();
  simulate_other_seeds();
  if (!best_) take_best_guess();
  if (options_.improve) {
    improve();
    climb();
  }
  return with_history(*best_);
}

Problem AutoSearch::problem_of(Territory const& territory) const {
  return {problem_.network, territory.part.array, problem_.context};
}

bool AutoSearch::fits(Problem const& problem, Plan const& plan) const {
  return options_.fit == Fit::ignore || fullest(problem, plan).fits();
}

double AutoSearch::filled(Candidate const& candidate) const {
  return fullest(problem_of(*candidate.where), candidate.plan).filled();
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
  std::optional<Time> least;
  for (auto& territory : territories_) {
    auto const bound = least_seconds(problem_.network, territory.part.array);
    if (least && bound > in_seconds(*least)) continue;
    if (!territory.is_whole && !may_guess(part_for_seeds)) continue;
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
  if (options_.times == AutoOptions::Times::peak) return;
  for (auto const part : gradient_sums) {
    add_seed(territory, "times of cores",
             [&](Problem const& problem) { return timed_plan(problem, times_, part); });
  }
}

/// A planner that does not apply has said why to nobody: the others are asked.
void AutoSearch::add_seed(Territory& territory, std::string const& name,
                          std::function<Plan(Problem const&)> const& solve) {
  if (context_.is_interrupted() && !candidates_.empty()) return;
  auto const problem = problem_of(territory);
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

/// By the timeline; by the sum where it has no answer, which is longer.
std::optional<Time> AutoSearch::guess_of(Territory& territory, Plan const& plan) {
  ++guesses_;
  if (auto const time = territory.timeline->evaluate(plan)) return time;
  return evaluate_by_sum(problem_of(territory))->evaluate(plan);
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
  auto plan = candidate.where->is_whole
                  ? candidate.plan
                  : lifted(candidate.plan, candidate.where->part, problem_.array, problem_.network);
  plan.planner = "auto";
  return plan;
}

void AutoSearch::simulate(Candidate& candidate) {
  auto const limit = best_ ? *best_->simulated - Time{1} : Evaluator::no_limit;
  candidate.simulated = judge_->evaluate(in_whole(candidate), limit);
  if (candidate.simulated) best_ = candidate;
}

void AutoSearch::simulate_whole_seeds() {
  for (auto* const candidate : by_guess(candidates_)) {
    if (!candidate->where->is_whole) continue;
    if (best_ && context_.is_interrupted()) return;
    simulate(*candidate);
    ++apart_;
  }
}

void AutoSearch::simulate_other_seeds() {
  auto left = std::max<std::int64_t>(1, options_.evaluations / part_of_seeds);
  for (auto* const candidate : by_guess(candidates_)) {
    if (candidate->where->is_whole) continue;
    if (best_ && (left-- == 0 || !may_simulate())) return;
    simulate(*candidate);
  }
}

/// The best seeds by the timeline, and the best that was simulated.
void AutoSearch::improve() {
  std::vector<Candidate> chosen{*best_};
  for (auto* const candidate : by_guess(candidates_)) {
    if (chosen.size() > improved_seeds) break;
    chosen.push_back(*candidate);
  }
  for (auto& candidate : chosen) {
    if (!candidate.is_movable() || !may_simulate()) continue;
    auto const before = candidate.changes.size();
    improve(candidate);
    if (candidate.changes.size() > before) simulate(candidate);
  }
}

void AutoSearch::improve(Candidate& candidate) {
  bool is_better = true;
  while (is_better) {
    is_better = false;
    for (auto const& move : shuffled_moves(*candidate.where)) {
      if (!may_guess(part_for_moves)) return;
      auto next = changed(candidate, move, candidate.guess);
      if (!next) continue;
      candidate = *std::move(next);
      is_better = true;
    }
  }
}

/// Moves that the timeline holds for much worse are not simulated.
void AutoSearch::climb() {
  constexpr std::int64_t tolerance = 20;  // a twentieth
  bool is_better = true;
  while (is_better && best_->is_movable()) {
    is_better = false;
    for (auto const& move : shuffled_moves(*best_->where)) {
      if (!may_simulate()) return;
      auto next = changed(*best_, move, best_->guess + Time{best_->guess.value() / tolerance});
      if (!next) continue;
      simulate(*next);
      is_better = is_better || next->simulated;
    }
  }
}

std::vector<SplitMove> AutoSearch::shuffled_moves(Territory const& territory) {
  auto moves = split_moves(problem_of(territory));
  for (auto left = moves.size(); left > 1; --left) {
    std::swap(moves[left - 1], moves[random_() % left]);
  }
  return moves;
}

/// None where the move changes nothing, cannot be, or its guess is not better than that.
std::optional<Candidate> AutoSearch::changed(Candidate const& candidate, SplitMove const& move,
                                             Time better_than) {
  auto plan = moved(candidate.plan, move, problem_.network);
  if (!plan) return std::nullopt;
  auto const problem = problem_of(*candidate.where);
  try {
    validate(*plan, problem.network, problem.array);
    if (!fits(problem, *plan)) return std::nullopt;
  } catch (ConfigError const&) {
    return std::nullopt;
  }
  auto const guess = guess_of(*candidate.where, *plan);
  if (!guess || *guess >= better_than) return std::nullopt;
  auto next = candidate;
  next.plan = *std::move(plan);
  next.guess = *guess;
  next.simulated.reset();
  next.changes.push_back(describe(move, problem_.network));
  return next;
}

bool AutoSearch::may_simulate() const {
  if (context_.is_interrupted()) return false;
  if (options_.seconds) return context_.seconds() < *options_.seconds;
  return spent() < options_.evaluations;
}

bool AutoSearch::may_guess(double part_of_budget) const {
  if (context_.is_interrupted()) return false;
  if (options_.seconds) return context_.seconds() < part_of_budget * *options_.seconds;
  return guesses_ < guesses_per_simulation * options_.evaluations;
}

std::string AutoSearch::end_of_search() const {
  if (context_.is_interrupted()) return "interrupted: the best plan so far";
  if (may_simulate()) return "no single change is better";
  if (!options_.seconds) return "out of budget";
  return "out of time: another run, or another machine, may find another plan";
}

Plan AutoSearch::with_history(Candidate const& best) const {
  auto plan = finished(in_whole(best), problem_);
  plan.evaluations = judge_->evaluations();
  plan.history.push_back("seed: " + best.seed + " on " +
                         (best.where->is_whole ? "the whole array" : best.where->part.name()));
  for (auto const& change : best.changes) plan.history.push_back("change: " + change);
  plan.history.push_back("search: " + std::to_string(apart_) + " plans of other planners and " +
                         std::to_string(spent()) + " more " +
                         (context_.simulated ? "simulated" : "on the timeline") + ", " +
                         std::to_string(guesses_) + " prices; " + end_of_search());
  return plan;
}

}  // namespace tessera::partition

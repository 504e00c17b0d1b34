// The search of `auto` (auto_planner.hpp), step by step.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "partition/planners/auto_budget.hpp"
#include "partition/planners/auto_planner.hpp"
#include "partition/planners/auto_territory.hpp"
#include "partition/planners/evaluator.hpp"
#include "partition/planners/planning_context.hpp"
#include "partition/search/split_moves.hpp"

namespace tessera::partition {

class AutoSearch final {
 public:
  /// All must outlive the search.
  AutoSearch(Problem const& problem, AutoOptions const& options,
             AutoPlanner::Planners const& planners);

  /// The best plan, with its prediction and its history.
  [[nodiscard]] Plan run();

 private:
  void add_territories();
  void add_seeds(Territory& territory);
  void add_seed(Territory& territory, std::string const& name,
                std::function<Plan(Problem const&)> const& solve);
  void require_candidates();
  void simulate_seeds();
  void take_best_guess();
  void weigh();
  void improve();
  void climb();
  void cut_in_micro_batches();

  void improve(Candidate& candidate);
  [[nodiscard]] std::vector<SplitMove> moves_of(Candidate const& candidate);
  [[nodiscard]] std::optional<Candidate> changed(Candidate const& candidate, SplitMove const& move,
                                                 Time better_than);
  [[nodiscard]] std::optional<Candidate> with_plan(Candidate const& candidate, Plan plan,
                                                   std::string const& change, Time better_than);
  /// True: it is the best so far of its kind.
  bool simulate(Candidate& candidate);
  bool simulate_counted(Candidate& candidate);
  void tell_progress() const;
  [[nodiscard]] Plan in_whole(Candidate const& candidate) const;
  [[nodiscard]] Problem problem_of(Territory const& territory) const;
  [[nodiscard]] std::optional<Time> guess_of(Territory& territory, Plan const& plan);
  [[nodiscard]] bool fits(Problem const& problem, Plan const& plan) const;
  [[nodiscard]] Plan with_history(Candidate const& best) const;

  Problem problem_;
  AutoOptions const& options_;
  AutoPlanner::Planners const& planners_;
  PlanningContext context_;
  OperatorTimes times_;
  std::unique_ptr<Evaluator> judge_;
  std::deque<Territory> territories_;
  std::deque<Candidate> candidates_;
  std::optional<Candidate> best_;
  std::optional<Candidate> best_movable_;
  std::optional<Candidate> emptiest_;  ///< of the seeds that do not fit
  std::exception_ptr why_none_;        ///< of the first planner that did not apply
  AutoBudget budget_;
  std::mt19937_64 random_;
};

}  // namespace tessera::partition

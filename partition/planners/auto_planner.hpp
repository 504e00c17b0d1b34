// `auto`: the best plan in simulated time that a budget allows.
//
//   seeds     what every other planner plans that applies, and timed_plans(), for the whole array and for parts of it (sub_array.hpp)
//   screen    seeds by the timeline, with the times of the array's own cores
//   simulate  every planner's plan for the whole array, apart from the budget; then the others, the most promising first
//   weigh     where halves differ in speed: the best of them with another share for all operators at once, from the best guess in smaller
//             and smaller steps of simulations
//   improve   the best of them on the timeline, by moves (split_moves.hpp, timed_moves()), each as soon as it is better, until no move
//             is; simulated again. Not on more than 64 accelerators, where a timeline takes as long as a simulation: seeds are
//             screened by the sum of timed_price() there
//   climb     by simulating moves of the best, as long as the budget lasts
// and before the last two and after them by cutting the step in micro-batches, so that what one sends overlaps with what another computes.
// The plan returned is the fastest that was simulated, so never slower than its best seed. A simulation that takes longer than the best
// one is not run to its end.
//
// Equal for equal seeds and budgets in evaluations. A budget in seconds depends on the machine, and says so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "partition/planners/planner.hpp"
#include "partition/planners/search_options.hpp"
#include "partition/price/footprint.hpp"

namespace tessera::partition {

/// Options:
///   budget: 200           simulations beside those of planners' plans for the whole array; or a
///                         time of the search, "60 s"
///   seed: 1               of the order in which moves are tried
///   parts: true           plans for parts of the array
///   times: core           of operators, on the timeline and for timed_plans(); or peak, without
///                         timed_plans()
///   improve: true         improve and climb
/// Those of the other planners hold for their plans. Memory limits hold (`fit`).
struct AutoOptions {
  std::int64_t evaluations = 200;
  std::optional<double> seconds;  ///< in place of evaluations
  std::uint64_t seed = 1;
  bool parts = true;
  TimesOf times = TimesOf::core;
  bool improve = true;
  Fit fit = Fit::reject;

  [[nodiscard]] static AutoOptions from(ConfigMap& options);
};

class AutoPlanner final : public Planner {
 public:
  explicit AutoPlanner(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;
  [[nodiscard]] bool is_anytime() const override { return true; }

  using Planners = std::vector<std::pair<std::string, std::unique_ptr<Planner>>>;

 private:
  AutoOptions options_;
  Planners seeds_;  ///< all others that are no search of their own
};

}  // namespace tessera::partition

// How much `auto` may search: simulations and prices, or seconds.
#pragma once

#include <cstdint>
#include <string>

#include "partition/planners/auto_planner.hpp"
#include "partition/planners/planning_context.hpp"

namespace tessera::partition {

class AutoBudget final {
 public:
  /// The parts of a search that share the budget.
  enum class Part { planning, seeds, moves, climbing, all };

  /// Both must outlive the budget.
  AutoBudget(AutoOptions const& options, PlanningContext const& context)
      : options_{options}, context_{context} {}

  [[nodiscard]] bool is_interrupted() const { return context_.is_interrupted(); }
  /// One more simulation, on behalf of a part of the search?
  [[nodiscard]] bool may_simulate(Part part) const;
  /// One more price?
  [[nodiscard]] bool may_price(Part part) const;
  void count_simulation() { ++simulations_; }
  void count_price() { ++prices_; }

  [[nodiscard]] std::int64_t simulations() const { return simulations_; }
  /// As many as it may be; of a budget in seconds, if they go on taking as long.
  [[nodiscard]] std::int64_t most_simulations() const;
  [[nodiscard]] std::int64_t prices() const { return prices_; }
  /// Why the search ended.
  [[nodiscard]] std::string end() const;

 private:
  [[nodiscard]] bool has_seconds_for(Part part) const;

  AutoOptions const& options_;
  PlanningContext const& context_;
  std::int64_t simulations_ = 0;  ///< beside those of planners' plans for the whole array
  std::int64_t prices_ = 0;       ///< on a timeline, or by a sum
};

}  // namespace tessera::partition

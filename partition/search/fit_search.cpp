#include "partition/search/fit_search.hpp"

#include <cmath>
#include <optional>

#include "partition/price/footprint.hpp"

namespace tessera::partition {

using workloads::OperatorId;

namespace {

// Prices, as powers of two: from hardly any to one that outweighs every cost.
constexpr int lowest = -24;
constexpr int highest = 40;
constexpr int step = 2;
constexpr int refinements = 10;

class WithMemory final : public Objective {
 public:
  WithMemory(Problem const& problem, std::unique_ptr<Objective> objective, double price)
      : network_{problem.network},
        shape_{shape_of(problem.array)},
        objective_{std::move(objective)},
        price_{price} {}

  [[nodiscard]] double operator_cost(OperatorId op, Splits const& splits) const override {
    return objective_->operator_cost(op, splits) +
           price_ * elements_held(network_, op, splits, shape_);
  }
  [[nodiscard]] std::vector<Edge> edges() const override { return objective_->edges(); }
  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override {
    return objective_->edge_cost(edge, producer_splits, consumer_splits);
  }
  [[nodiscard]] std::vector<double> edge_costs(Edge const& edge,
                                               std::vector<Splits> const& producer,
                                               std::vector<Splits> const& consumer) const override {
    return objective_->edge_costs(edge, producer, consumer);
  }

 private:
  workloads::Network const& network_;
  ArrayShape shape_;
  std::unique_ptr<Objective> objective_;
  double price_;
};

/// Keeps the fastest plan that fits, and counts what all together cost to find.
class PriceSearch final {
 public:
  PriceSearch(Problem const& problem, PlanAt const& plan_at)
      : problem_{problem}, plan_at_{plan_at} {}

  [[nodiscard]] bool fits_at(double price) {
    auto plan = plan_at_(price);
    evaluations_ += plan.evaluations;
    auto const full = fullest(problem_, plan);
    if (!full.fits()) {
      if (!emptiest_ || full.filled() < filled_) {
        emptiest_ = std::move(plan);
        filled_ = full.filled();
      }
      return false;
    }
    if (!best_ || plan.predicted->time_s < best_->predicted->time_s) best_ = std::move(plan);
    return true;
  }

  /// The best, or if none fits, the emptiest.
  [[nodiscard]] Plan take() {
    auto plan = best_ ? std::move(*best_) : std::move(*emptiest_);
    plan.evaluations = evaluations_;
    return plan;
  }

 private:
  Problem problem_;
  PlanAt const& plan_at_;
  std::optional<Plan> best_;
  std::optional<Plan> emptiest_;  ///< of those that do not fit
  double filled_ = 0;             ///< by that one
  std::int64_t evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Objective> with_memory(Problem const& problem, std::unique_ptr<Objective> objective,
                                       double price) {
  if (price == 0) return objective;
  return std::make_unique<WithMemory>(problem, std::move(objective), price);
}

Plan fitted(Problem const& problem, Fit fit, PlanAt const& plan_at) {
  if (fit != Fit::search) return plan_at(0);
  PriceSearch search{problem, plan_at};
  if (search.fits_at(0)) return search.take();
  int power = lowest;
  while (power < highest && !search.fits_at(std::exp2(power))) power += step;
  double too_low = power - step;
  double enough = power;
  for (int i = 0; power < highest && i < refinements; ++i) {
    auto const middle = (too_low + enough) / 2;
    (search.fits_at(std::exp2(middle)) ? enough : too_low) = middle;
  }
  return search.take();
}

namespace {

double held_by_all(Problem const& problem, Plan const& plan) {
  auto const shape = shape_of(problem.array);
  double held = 0;
  for (auto const op : plan.splits.ids()) {
    held += elements_held(problem.network, op, plan.splits[op], shape);
  }
  return held;
}

}  // namespace

Plan fitted_by_level(std::string const& planner, Problem const& problem, Fit fit,
                     LevelPlanning const& planning) {
  return fitted(problem, fit, [&](double price) {
    auto priced = planning;
    priced.level_problem = [&](std::size_t level) {
      auto of_level = planning.level_problem(level);
      of_level.objective = with_memory(problem, std::move(of_level.objective), price);
      return of_level;
    };
    priced.cost = [&](Plan const& plan) {
      auto const cost = planning.cost(plan);
      return price == 0 ? cost : cost + price * held_by_all(problem, plan);
    };
    return planned_by_level(planner, problem, priced);
  });
}

}  // namespace tessera::partition

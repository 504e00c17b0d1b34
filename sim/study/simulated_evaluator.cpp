// One simulation after another.
#include "sim/study/simulated_evaluator.hpp"

#include <memory>
#include <utility>

#include "partition/step/symmetry.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "sim/study/countable_time.hpp"

namespace tessera::sim {

namespace {

class SimulatedEvaluator final : public partition::Evaluator {
 public:
  SimulatedEvaluator(partition::Problem const& problem, HardwareModels models) : problem_{problem} {
    options_.models = std::move(models);
    options_.kept = &kept_;
  }

 private:
  [[nodiscard]] std::optional<Time> price(partition::Plan const& plan, Time at_most) override {
    try {
      auto const step = partition::step_of(problem_, plan);
      auto const folding = partition::symmetry(problem_, plan, step);
      auto const tasks = lower(problem_.array, plan, step, folding);
      return engine::run_time(problem_.array, tasks, options_, at_most);
    } catch (ContractError const& error) {
      if (is_overflow(error)) return std::nullopt;
      throw;
    }
  }

  partition::Problem problem_;
  KeptWork kept_;
  RunOptions options_;
};

}  // namespace

partition::EvaluatorMaker by_simulation(HardwareModels models) {
  return [models = std::move(models)](partition::Problem const& problem) {
    return std::make_unique<SimulatedEvaluator>(problem, models);
  };
}

}  // namespace tessera::sim

// GPipe (NeurIPS 2019): as balanced stages as there are, one accelerator each; pipelines of fewer stages than accelerators are
// replicated, which the paper names as a complement (section 1). Its partitioning minimises the variance of the stages' estimated
// costs (section 2.2), ours the largest of them, on which a step's time depends. It always recomputes activations (section 2.3); ours does
// where it is told to, or where they must be for a plan to fit.
#include <algorithm>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/balanced_stages.hpp"
#include "partition/search/pipeline_problem.hpp"

namespace tessera::partition {

namespace {

/// Stage s on the replicas s r .. s r + r - 1.
IdVector<StageId, Stage> side_by_side(BalancedStages const& found, std::size_t replicas,
                                      Stage::Activations activations) {
  IdVector<StageId, Stage> stages;
  std::size_t next = 0;
  for (auto const& nodes : found.stages) {
    std::vector<workloads::OperatorId> operators;
    operators.reserve(nodes.size());
    for (auto const node : nodes) operators.emplace_back(node);
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < replicas; ++i) devices.push_back(next++);
    auto& stage =
        stages[stages.push_back(replicated_stage(std::move(operators), std::move(devices)))];
    stage.activations = activations;
  }
  return stages;
}

/// The most stages that the array can have equally many replicas of.
std::int64_t most_stages(std::vector<PipelineState> const& states, std::int64_t accelerators) {
  return largest_divisor(accelerators, static_cast<std::int64_t>(states.back().depth));
}

}  // namespace

GPipePlanner::GPipePlanner(ConfigMap& options)
    : stages_{count_from(options, "stages", "a pipeline has at least one stage")},
      micro_batches_{micro_batches_from(options)},
      activations_{activations_from(options)},
      fit_{fit_from(options)} {
  imbalance_ = options.optional<double>("imbalance", imbalance_);
  if (imbalance_ < 0) throw options.node("imbalance").error("is negative; use 0 or more");
}

std::size_t GPipePlanner::stages_for(Problem const& problem,
                                     std::vector<PipelineState> const& states) const {
  auto const accelerators = problem.array.accelerators;
  auto const most = most_stages(states, accelerators);
  if (!stages_) return static_cast<std::size_t>(most);
  bool const is_possible = *stages_ <= most && accelerators % *stages_ == 0;
  if (is_possible) return static_cast<std::size_t>(*stages_);
  throw ConfigError{{},
                    "planner.stages",
                    std::to_string(accelerators) + " accelerators cannot be " +
                        std::to_string(*stages_) + " stages of " + problem.network.name() +
                        " (each has equally many replicas and an operator at least); use " +
                        std::to_string(largest_divisor(accelerators, std::min(most, *stages_)))};
}

std::int64_t GPipePlanner::micro_batches_for(Problem const& problem) const {
  constexpr std::int64_t per_stage = 4;  // section 2.3: idle time is negligible from M >= 4 K on
  auto const batch = problem.network.batch();
  auto const samples = std::max<std::int64_t>(1, batch / (per_stage * problem.array.accelerators));
  auto const micro_batches = micro_batches_.value_or(batch / largest_divisor(batch, samples));
  static_cast<void>(micro_batch_of(problem.network, micro_batches));
  return micro_batches;
}

Plan GPipePlanner::solve(Problem const& problem) const {
  using Activations = Stage::Activations;
  auto const states = pipeline_states(pipeline_graph(problem));
  auto const count = stages_for(problem, states);
  auto const replicas = static_cast<std::size_t>(problem.array.accelerators) / count;
  auto const micro_batches = micro_batches_for(problem);
  auto activations = activations_.value_or(Activations::stored);
  auto const plan_within = [&](std::optional<double> limit) -> std::optional<Plan> {
    auto const parts = static_cast<double>(
        activations == Activations::stored ? static_cast<std::int64_t>(replicas) : micro_batches);
    auto const fits = [&](double kept, double parameters) {
      return !limit || kept / parts + 2 * parameters <= *limit;
    };
    auto const found = StageBalance{states, fits}.in(count, imbalance_);
    if (!found) return std::nullopt;
    auto plan = unpriced_plan(
        "gpipe", problem,
        Pipeline{side_by_side(*found, replicas, activations), "gpipe", micro_batches});
    plan.evaluations = found->evaluations;
    return finished_stages(std::move(plan), problem);
  };
  if (fit_ == Fit::search && !activations_) {
    auto stored = plan_within(std::nullopt);
    if (fullest(problem, *stored).fits()) return *std::move(stored);
    activations = Activations::recomputed;
  }
  auto const most = states.back().activation_bytes + 2 * states.back().parameter_bytes;
  return fitted_within(problem, fit_, most, plan_within);
}

}  // namespace tessera::partition

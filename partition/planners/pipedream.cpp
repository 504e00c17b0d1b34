// PipeDream (SOSP 2019): the stages that search/pipedream.hpp finds, on accelerators in the array's order.
//
// A component of level k is c_k accelerators that follow each other. Stages of an inner level are replicated by the outer ones: a
// stage on R outer components whose inner stages have r_i replicas each becomes one stage per i, on R r_i replicas. The outer level deals
// micro-batch b to component b mod R, the inner one what arrives there in turn, so b goes to replica q = b mod (R r_i), which is
// the inner replica q / R of component q mod R.
//
// Example: 3 x {2, 1} on components of three accelerators has stage 0 on 0 3 6 1 4 7 and stage 1 on 2 5 8.
#include <algorithm>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/pipeline_problem.hpp"

namespace tessera::partition {

namespace {

using Options = PipeDreamOptions;

class PipeDreamStages final {
 public:
  explicit PipeDreamStages(std::vector<PipelineLevel> const& levels) {
    sizes_.push_back(1);
    for (auto const& level : levels) {
      sizes_.push_back(sizes_.back() * static_cast<std::size_t>(level.machines));
    }
  }

  [[nodiscard]] IdVector<StageId, Stage> of(PipelinePartition const& partition) {
    place(partition.stages, {0}, sizes_.size() - 2);
    return std::move(stages_);
  }

 private:
  /// `bases`: the first accelerators of the components that all run the same, by replica.
  void place(std::vector<PipelineStage> const& stages, std::vector<std::size_t> const& bases,
             std::size_t level) {
    std::size_t offset = 0;
    for (auto const& stage : stages) {
      std::vector<std::size_t> components;
      for (std::int64_t replica = 0; replica < stage.replicas; ++replica, ++offset) {
        for (auto const base : bases) components.push_back(base + offset * sizes_[level]);
      }
      if (!stage.inner.empty()) {
        place(stage.inner, components, level - 1);
        continue;
      }
      std::vector<workloads::OperatorId> operators;
      for (auto const node : stage.nodes) operators.emplace_back(node);
      stages_.push_back(replicated_stage(std::move(operators), std::move(components)));
    }
  }

  std::vector<std::size_t> sizes_;  ///< accelerators in a component, by level
  IdVector<StageId, Stage> stages_;
};

}  // namespace

PipeDreamPlanner::PipeDreamPlanner(ConfigMap& options)
    : schedule_{schedule_from(options, "pipedream")},
      micro_batches_{micro_batches_from(options)},
      fit_{fit_from(options)} {
  using Rule = Options::Rule;
  using Machines = Options::Machines;
  search_.rule = options.choice<Rule>(
      "rule", {{"paper", Rule::paper}, {"released", Rule::released}}, search_.rule);
  search_.machines = options.choice<Machines>(
      "machines", {{"all", Machines::all}, {"fewer", Machines::fewer}}, search_.machines);
  if (search_.rule == Rule::paper) search_.stash = Options::Stash::in_flight;
  if (options.optional<bool>("straight", false)) search_.shape = Options::Shape::straight;
  if (auto const* const ratio = options.find("activation_compression_ratio")) {
    search_.activation_compression_ratio = ratio->as<double>();
    if (!(*search_.activation_compression_ratio > 0)) {
      throw ratio->error("activations are divided by it; use a number over 0");
    }
  }
  if (auto const* const limit = options.find("memory")) {
    search_.memory_limit_bytes = static_cast<double>(limit->as<Bytes>().value());
  }
}

Plan PipeDreamPlanner::solve(Problem const& problem) const {
  auto const count =
      micro_batches_.value_or(largest_divisor(problem.network.batch(), problem.array.accelerators));
  auto const micro_batch = micro_batch_of(problem.network, count);
  auto const levels = pipeline_levels(problem.array);
  auto const states = pipeline_states(pipeline_graph(Problem{micro_batch, problem.array}));
  auto const plan_of = [&](PipelinePartition const& found) {
    auto plan = unpriced_plan("pipedream", problem,
                              Pipeline{PipeDreamStages{levels}.of(found), schedule_, count});
    plan.evaluations = found.evaluations;
    return finished_stages(std::move(plan), problem);
  };
  auto const all_bytes = states.back().activation_bytes + states.back().parameter_bytes;
  auto const most = all_bytes * static_cast<double>(problem.array.accelerators);
  return fitted_within(problem, fit_, search_.memory_limit_bytes.value_or(most),
                       [&](std::optional<double> limit) -> std::optional<Plan> {
                         if (!limit) return plan_of(pipedream_stages(problem, states, search_));
                         auto search = search_;
                         search.stash = Options::Stash::in_flight;
                         search.memory_limit_bytes = limit;
                         auto const found = pipedream_partition(states, levels, search);
                         return found ? std::optional{plan_of(*found)} : std::nullopt;
                       });
}

}  // namespace tessera::partition

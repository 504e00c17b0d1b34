#include "partition/search/operator_config.hpp"

#include <algorithm>
#include <numeric>

#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// The stage of an operator that shares its weights and is configured alike, if any.
std::optional<StageId> stage_to_share(Problem const& problem, Strategy const& strategy,
                                      OperatorId op, IdVector<OperatorId, StageId> const& stages) {
  auto const& weight = problem.network.at(op).weight;
  if (!weight) return std::nullopt;
  for (auto const other : problem.network.at(weight->tensor).consumers) {
    if (!(other < op)) break;
    if (strategy[other] == strategy[op]) return stages[other];
  }
  return std::nullopt;
}

}  // namespace

Plan plan_of(std::string planner, Problem const& problem, Strategy const& strategy) {
  auto plan = empty_plan(std::move(planner), problem);
  auto& stages = plan.pipeline.emplace().stages;
  IdVector<OperatorId, StageId> stage_of{strategy.size()};
  for (auto const op : strategy.ids()) {
    plan.splits[op] = strategy[op].splits;
    auto const shared = stage_to_share(problem, strategy, op, stage_of);
    stage_of[op] = shared ? *shared : stages.push_back({strategy[op].mesh, 1, {{}}});
    stages[stage_of[op]].chunks.front().push_back(op);
  }
  return plan;
}

Strategy strategy_of(Plan const& plan) {
  Strategy strategy{plan.splits.size()};
  for (auto const op : strategy.ids()) {
    strategy[op].splits = plan.splits[op];
    if (!plan.pipeline) strategy[op].mesh = hierarchy_mesh(plan.hierarchy());
  }
  if (!plan.pipeline) return strategy;
  for (auto const& stage : plan.pipeline->stages) {
    for (auto const& chunk : stage.chunks) {
      for (auto const op : chunk) strategy[op].mesh = stage.mesh;
    }
  }
  return strategy;
}

Strategy data_parallel_strategy(Problem const& problem) {
  auto const parts = std::gcd(problem.network.batch(), problem.array.accelerators);
  OperatorConfig config;
  config.mesh.arity = axes_of(static_cast<std::size_t>(parts));
  config.mesh.devices.resize(static_cast<std::size_t>(parts));
  std::iota(config.mesh.devices.begin(), config.mesh.devices.end(), std::size_t{0});
  config.splits.assign(config.mesh.arity.size(), Split{Dim::n});
  return Strategy{problem.network.operators().size(), config};
}

std::vector<std::size_t> axes_of(std::size_t degree) { return Hierarchy{degree}.ways(); }

}  // namespace tessera::partition

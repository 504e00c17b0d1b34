// What the stages of a pipeline do, in which order: by its schedule, or as its plan's file says.
#include <map>
#include <memory>
#include <set>

#include "partition/plan/pipeline.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;

namespace {

PipelineShape shape_of(Pipeline const& pipeline, std::int64_t steps) {
  PipelineShape shape;
  for (auto const& stage : pipeline.stages) shape.replicas.push_back(stage.replicas);
  shape.chunks = static_cast<std::int64_t>(pipeline.chunks());
  shape.micro_batches = pipeline.micro_batches;
  shape.steps = steps;
  return shape;
}

/// None: the plan's file has the orders.
std::unique_ptr<Schedule> schedule_of(Pipeline const& pipeline) {
  if (pipeline.schedule == Pipeline::explicit_orders) return nullptr;
  return builtin_schedules().make(pipeline.schedule, pipeline.options);
}

/// By a schedule; without one, the stage's own.
Order order_by(Schedule const* schedule, Pipeline const& pipeline, PipelineShape const& shape,
               StageId stage, std::size_t replica) {
  if (schedule == nullptr) {
    return repeated(pipeline.stages[stage].orders[replica], shape.micro_batches, shape.steps);
  }
  auto order = schedule->order(shape, stage.index(), replica);
  bool const is_split = pipeline.backward == Pipeline::Backward::split;
  return is_split ? with_split_backward(order) : order;
}

/// By stage, the others that have operators which share weights with its own; empty: none has.
std::vector<std::vector<std::size_t>> tied_stages(Pipeline const& pipeline,
                                                  Network const& network) {
  auto const parts = parts_of(pipeline, network);
  std::map<std::size_t, std::set<std::size_t>> tied;
  for (auto const& tensor : network.tensors()) {
    if (tensor.role != workloads::Tensor::Role::weight) continue;
    for (auto const a : tensor.consumers) {
      for (auto const b : tensor.consumers) {
        if (parts[a].stage != parts[b].stage) {
          tied[parts[a].stage.index()].insert(parts[b].stage.index());
        }
      }
    }
  }
  if (tied.empty()) return {};
  std::vector<std::vector<std::size_t>> lists(pipeline.stages.size());
  for (auto const& [stage, others] : tied) lists[stage] = {others.begin(), others.end()};
  return lists;
}

}  // namespace

PipelineProgram program_of(Pipeline const& pipeline, std::int64_t steps) {
  auto const shape = shape_of(pipeline, steps);
  auto const schedule = schedule_of(pipeline);
  if (schedule) {
    if (auto const refusal = refusal_of(*schedule, shape)) {
      throw ConfigError{{}, refusal->key, refusal->problem};
    }
  }
  PipelineProgram program{shape, {}};
  for (auto const id : pipeline.stages.ids()) {
    auto& orders = program.orders.emplace_back();
    for (std::size_t replica = 0; replica < pipeline.stages[id].replicas; ++replica) {
      orders.push_back(order_by(schedule.get(), pipeline, shape, id, replica));
    }
  }
  return program;
}

PipelineProgram program_of(Pipeline const& pipeline, Network const& network, std::int64_t steps) {
  auto program = program_of(pipeline, steps);
  program.shape.tied = tied_stages(pipeline, network);
  return program;
}

bool flushes(Pipeline const& pipeline) {
  auto const schedule = schedule_of(pipeline);
  return !schedule || schedule->flushes();
}

std::optional<OrderProblem> order_problem(Pipeline const& pipeline, Network const& network) {
  for (auto const id : pipeline.stages.ids()) {
    auto const& stage = pipeline.stages[id];
    if (stage.orders.size() == stage.replicas) continue;
    return OrderProblem{id.index(),
                        0,
                        {},
                        "stage " + std::to_string(id.index()) + " has " +
                            std::to_string(stage.replicas) +
                            (stage.replicas == 1 ? " replica, but " : " replicas, but ") +
                            std::to_string(stage.orders.size()) +
                            " orders; write a list of passes for each: orders: [[F0, B0, U]]"};
  }
  return problem_of(program_of(pipeline, network, 1));
}

Order order_of(Pipeline const& pipeline, StageId stage, std::size_t replica, std::int64_t steps) {
  auto const schedule = schedule_of(pipeline);
  return order_by(schedule.get(), pipeline, shape_of(pipeline, steps), stage, replica);
}

}  // namespace tessera::partition

// Tensor, pipeline and data parallelism together (Narayanan et al., "Efficient large-scale language model training on GPU clusters using
// Megatron-LM", SC 2021, section 3): p stages of equally many of the network's repeated blocks, in each d groups of t accelerators. A group
// shares every operator, columns then rows (columns_and_rows.hpp); groups of a stage split the samples of a micro-batch. Groups are
// neighbours in the array, and so are those of a stage: tensor parallelism sends most, stages least.
//
// The paper chooses by three rules of thumb: t up to the accelerators of a server and stages beyond, no more t p than a copy of the network
// needs to fit, and micro-batches as they are fastest. They are for servers with fast links; here it is the plan of least predicted time
// of those that fit, with t at most that of a server. Grids are priced in the order of what they compute at least, until that is more
// than the best plan takes: of m micro-batches, of which a stage s computes one in c_s,
//   max_s (m c_s), and where a stage has one part of the network, the first micro-batch's way through all of them and what the slowest
//   has left: sum_s c_s + (m - 1) max_s c_s.
//
// Left out: sequence parallelism, so what all of a group compute (sums, norms) they keep whole; micro-batches of fewer samples a group
// than it has accelerators, as sums are scattered over samples.
#include <algorithm>
#include <numeric>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/columns_and_rows.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/pipeline_grid.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

/// One of the plans that there are.
struct Megatron::Choice {
  GridDepth const* parts = nullptr;  ///< of the network: stages times chunks
  std::int64_t stages = 1;
  std::int64_t data = 1;
  std::int64_t tensor = 1;
  std::int64_t micro_batches = 1;
  Stage::Activations activations = Stage::Activations::stored;
  double least_s = 0;  ///< what it computes at least
};

namespace {

DeviceMesh mesh_of_stage(std::size_t stage, std::int64_t data, std::int64_t tensor) {
  DeviceMesh mesh;
  for (auto const size : {data, tensor}) {
    for (auto const ways : Hierarchy{static_cast<std::size_t>(size)}.ways()) {
      mesh.arity.push_back(ways);
    }
  }
  auto const size = static_cast<std::size_t>(data * tensor);
  for (std::size_t i = 0; i < size; ++i) mesh.devices.push_back(stage * size + i);
  return mesh;
}

std::optional<std::int64_t> extent_from(ConfigMap& options, std::string const& key) {
  return count_from(options, key, "a grid has at least one");
}

}  // namespace

Megatron::Megatron(ConfigMap& options)
    : tensor_{extent_from(options, "tensor")},
      stages_{extent_from(options, "stages")},
      chunks_{extent_from(options, "chunks").value_or(1)},
      micro_batches_{micro_batches_from(options)},
      activations_{activations_from(options)},
      fit_{fit_from(options)} {
  node_size_ = extent_from(options, "node_size").value_or(node_size_);
}

bool Megatron::is_possible(Problem const& problem, Choice const& choice) const {
  auto const batch = problem.network.batch();
  bool const is_asked_for = tensor_.value_or(choice.tensor) == choice.tensor &&
                            stages_.value_or(choice.stages) == choice.stages &&
                            micro_batches_.value_or(choice.micro_batches) == choice.micro_batches &&
                            activations_.value_or(choice.activations) == choice.activations;
  bool const is_of_a_node = tensor_ || choice.tensor <= node_size_;
  bool const can_be_cut = batch / choice.micro_batches % (choice.data * choice.tensor) == 0;
  bool const can_interleave = choice.stages > 1 && choice.micro_batches % choice.stages == 0;
  return is_asked_for && is_of_a_node && can_be_cut && (chunks_ == 1 || can_interleave);
}

double Megatron::least_time_of(Problem const& problem, Choice const& choice) const {
  std::vector<double> stages(static_cast<std::size_t>(choice.stages));
  for (std::size_t part = 0; part < choice.parts->loads.size(); ++part) {
    auto const& load = choice.parts->loads[part];
    bool const recomputes = choice.activations == Stage::Activations::recomputed;
    stages[part % stages.size()] += load.compute_s + (recomputes ? load.forward_s : 0);
  }
  auto const micro_batches = static_cast<double>(choice.micro_batches);
  auto const slowest = *std::max_element(stages.begin(), stages.end());
  auto const first = std::accumulate(stages.begin(), stages.end(), 0.0);
  auto const of_a_sample =
      chunks_ > 1 ? micro_batches * slowest : first + (micro_batches - 1) * slowest;
  return of_a_sample * static_cast<double>(problem.network.batch()) / micro_batches /
         static_cast<double>(choice.data * choice.tensor);
}

std::vector<Megatron::Choice> Megatron::choices_of(Problem const& problem,
                                                   std::vector<GridDepth> const& depths) const {
  using Activations = Stage::Activations;
  auto const accelerators = problem.array.accelerators;
  std::vector<Choice> choices;
  for (auto const& parts : depths) {
    auto const stages = parts.stages() / chunks_;
    if (parts.stages() % chunks_ != 0 || accelerators % stages != 0) continue;
    for (auto const tensor : divisors(accelerators / stages)) {
      for (auto const micro_batches : divisors(problem.network.batch())) {
        for (auto const activations : {Activations::stored, Activations::recomputed}) {
          Choice choice{&parts, stages,        accelerators / stages / tensor,
                        tensor, micro_batches, activations};
          if (!is_possible(problem, choice)) continue;
          choice.least_s = least_time_of(problem, choice);
          choices.push_back(choice);
        }
      }
    }
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](Choice const& a, Choice const& b) { return a.least_s < b.least_s; });
  return choices;
}

Plan Megatron::plan_of(Problem const& problem, Choice const& choice) const {
  Pipeline pipeline;
  pipeline.schedule = chunks_ > 1 ? "interleaved-1f1b" : "1f1b";
  pipeline.micro_batches = choice.micro_batches;
  auto const stages = static_cast<std::size_t>(choice.stages);
  for (std::size_t s = 0; s < stages; ++s) {
    auto& stage = pipeline.stages[pipeline.stages.push_back({})];
    stage.mesh = mesh_of_stage(s, choice.data, choice.tensor);
    stage.activations = choice.activations;
    for (auto part = s; part < choice.parts->nodes.size(); part += stages) {
      auto const& nodes = choice.parts->nodes[part];
      stage.chunks.emplace_back(nodes.begin(), nodes.end());
    }
  }
  auto plan = unpriced_plan("megatron", problem, std::move(pipeline));
  auto const stage = plan.pipeline->stages.begin()->mesh.hierarchy();
  auto const levels_of_data = Hierarchy{static_cast<std::size_t>(choice.data)}.levels();
  ColumnsAndRows columns_and_rows{problem.network, stage,
                                  ColumnsAndRows::innermost(stage, levels_of_data)};
  for (auto const op : problem.network.operators().ids()) {
    plan.splits[op] = columns_and_rows.splits_of(op);
  }
  return plan;
}

/// At best everything is split over a group. What chunks have in flight is not known so soon.
bool Megatron::may_fit(Problem const& problem, GridProblem const& network,
                       Choice const& choice) const {
  if (chunks_ > 1) return true;
  PipelineGrid grid;
  grid.depth = static_cast<std::size_t>(choice.parts - network.depths().data());
  grid.width = choice.data;
  grid.samples = problem.network.batch() / choice.micro_batches / choice.data;
  grid.activations = choice.activations;
  auto const capacity = problem.array.groups.front().accelerator.memory_capacity;
  return network.held_bytes(grid) / static_cast<double>(choice.tensor) <=
         static_cast<double>(capacity.value());
}

Plan Megatron::solve(Problem const& problem) const {
  GridProblem const network{problem};
  auto const choices = choices_of(problem, network.depths());
  if (choices.empty()) throw no_grid(problem);
  std::optional<Plan> fastest;
  std::int64_t evaluations = 0;
  for (auto const& choice : choices) {
    if (fastest && choice.least_s >= fastest->predicted->time_s) break;
    if (fit_ != Fit::ignore && !may_fit(problem, network, choice)) continue;
    auto plan = plan_of(problem, choice);
    if (fit_ != Fit::ignore && !fullest(problem, plan).fits()) continue;
    plan = finished_stages(std::move(plan), problem);
    ++evaluations;
    bool const is_faster = !fastest || plan.predicted->time_s < fastest->predicted->time_s;
    if (is_faster) fastest = std::move(plan);
  }
  // None fits: one that computes least, for whoever checks.
  if (!fastest) fastest = finished_stages(plan_of(problem, choices.front()), problem);
  fastest->evaluations = evaluations;
  return *std::move(fastest);
}

ConfigError Megatron::no_grid(Problem const& problem) const {
  return ConfigError{
      {},
      "planner",
      "no grid of tensor, stages, chunks and micro_batches as asked for divides " +
          std::to_string(problem.array.accelerators) + " accelerators, the blocks of " +
          problem.network.name() + " and its batch of " + std::to_string(problem.network.batch()) +
          " (a micro-batch has a sample at least for every accelerator of a stage" +
          (chunks_ > 1 ? ", chunks need two stages and micro-batches that they divide" : "") +
          "); leave one of them out"};
}

}  // namespace tessera::partition

#include "partition/search/pipeline_grid.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "partition/price/footprint.hpp"
#include "partition/price/work.hpp"
#include "partition/search/balanced_stages.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

namespace {

/// By operator, of a sample, on an accelerator that has the whole network.
std::vector<double> kept_by_operator(Problem const& problem) {
  auto plan = empty_plan("", problem);
  for (auto& splits : plan.splits) splits.resize(static_cast<std::size_t>(plan.levels()));
  std::vector<double> kept;
  kept.reserve(plan.splits.size());
  for (auto const& held : footprints(problem.network, plan, 0)) {
    kept.push_back(static_cast<double>(held.activations.value()) /
                   static_cast<double>(problem.network.batch()));
  }
  return kept;
}

}  // namespace

std::vector<std::int64_t> divisors(std::int64_t number) {
  EXPECTS(number >= 1, number);
  std::vector<std::int64_t> all;
  for (std::int64_t divisor = 1; divisor <= number; ++divisor) {
    if (number % divisor == 0) all.push_back(divisor);
  }
  return all;
}

std::size_t PipelineGrid::device(std::size_t stages, std::size_t stage, std::size_t replica) const {
  return neighbours == Neighbours::replicas ? stage * static_cast<std::size_t>(width) + replica
                                            : replica * stages + stage;
}

GridProblem::GridProblem(Problem const& problem)
    : problem_{problem},
      batch_{problem.network.batch()},
      graph_{pipeline_graph(problem)},
      levels_{pipeline_levels(problem.array)},
      states_{pipeline_states(graph_)},
      kept_bytes_{kept_by_operator(problem)} {
  find_depths();
}

void GridProblem::find_depths() {
  auto const accelerators = problem_.array.accelerators;
  if (auto const blocks = main_blocks()) {
    for (auto const depth : divisors(static_cast<std::int64_t>(blocks->times))) {
      if (depth <= accelerators) add(equal_parts(*blocks, depth));
    }
    return;
  }
  auto const most = std::min(accelerators, static_cast<std::int64_t>(states_.back().depth));
  StageBalance balance{states_};
  for (std::int64_t depth = 1; depth <= most; ++depth) {
    add(balance.in(static_cast<std::size_t>(depth))->stages);
  }
}

/// Those that have most of the computation.
std::optional<workloads::Repeat> GridProblem::main_blocks() const {
  std::vector<std::string> keys;
  keys.reserve(graph_.nodes.size());
  for (auto const& op : problem_.network.operators()) keys.push_back(workloads::block_key(op));
  for (auto const& repeat : workloads::repeats(keys)) {
    double compute_s = 0;
    for (std::size_t i = 0; i < repeat.length * repeat.times; ++i) {
      compute_s += graph_.nodes[repeat.begin + i].compute_s;
    }
    bool const is_most = 2 * compute_s > states_.back().compute_s;
    if (repeat.times > 1 && is_most) return repeat;
  }
  return std::nullopt;
}

std::vector<std::vector<std::size_t>> GridProblem::equal_parts(workloads::Repeat const& blocks,
                                                               std::int64_t depth) const {
  auto const stages = static_cast<std::size_t>(depth);
  auto const per_stage = blocks.times / stages * blocks.length;
  std::vector<std::vector<std::size_t>> parts(stages);
  for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
    auto const block = node < blocks.begin ? 0 : (node - blocks.begin) / per_stage;
    parts[std::min(block, stages - 1)].push_back(node);
  }
  return parts;
}

void GridProblem::add(std::vector<std::vector<std::size_t>> stages) {
  GridDepth depth;
  std::vector<std::size_t> stage_of(graph_.nodes.size());
  for (auto const& nodes : stages) {
    StageLoad load;
    std::set<workloads::TensorId> weights;  // shared ones once
    for (auto const node : nodes) {
      stage_of[node] = depth.loads.size();
      load.compute_s += graph_.nodes[node].compute_s / static_cast<double>(batch_);
      load.forward_s += forward_s(node) / static_cast<double>(batch_);
      auto const& weight = problem_.network.at(workloads::OperatorId{node}).weight;
      if (weight && weights.insert(weight->tensor).second) {
        load.parameter_bytes += graph_.nodes[node].parameter_bytes;
      }
      load.kept_bytes += kept_bytes_[node];
    }
    depth.loads.push_back(load);
  }
  add_sent(depth, stage_of);
  depth.nodes = std::move(stages);
  depths_.push_back(std::move(depth));
}

double GridProblem::forward_s(std::size_t node) const {
  return seconds_on_one(problem_.array.groups.front().accelerator,
                        problem_.network.at(workloads::OperatorId{node}),
                        workloads::Phase::forward);
}

/// An activation goes to the last stage that reads it through all between.
void GridProblem::add_sent(GridDepth& depth, std::vector<std::size_t> const& stage_of) const {
  std::vector<std::size_t> last(graph_.nodes.size(), 0);
  for (auto const& [from, to] : graph_.edges) last[from] = std::max(last[from], stage_of[to]);
  for (std::size_t node = 0; node < last.size(); ++node) {
    for (auto stage = stage_of[node]; stage < last[node]; ++stage) {
      depth.loads[stage].sent_bytes +=
          graph_.nodes[node].activation_bytes / static_cast<double>(batch_);
    }
  }
}

GridProblem::Crossing GridProblem::crossing(std::size_t a, std::size_t b) const {
  Crossing result{1, std::numeric_limits<double>::infinity()};
  std::size_t component = 1;
  for (auto const& level : levels_) {
    if (a / component != b / component) result = {component, level.bytes_per_second};
    component *= static_cast<std::size_t>(level.machines);
  }
  return result;
}

/// Of one replica's transfer to the next stage.
double GridProblem::transfer_rate(PipelineGrid const& grid, std::size_t stage) const {
  auto const stages = depths_[grid.depth].loads.size();
  auto const own = grid.device(stages, stage, 0);
  auto const link = crossing(own, grid.device(stages, stage + 1, 0));
  double leaving = 0;
  for (std::size_t replica = 0; replica < static_cast<std::size_t>(grid.width); ++replica) {
    bool const begins =
        grid.device(stages, stage, replica) / link.component == own / link.component;
    bool const stays =
        grid.device(stages, stage + 1, replica) / link.component == own / link.component;
    if (begins && !stays) ++leaving;
  }
  return link.bytes_per_second / leaving;
}

/// Of the sum of a stage's gradients.
double GridProblem::sum_rate(PipelineGrid const& grid, std::size_t stage) const {
  auto const stages = depths_[grid.depth].loads.size();
  auto const last = static_cast<std::size_t>(grid.width) - 1;
  auto const own = grid.device(stages, stage, 0);
  auto const link = crossing(own, grid.device(stages, stage, last));
  double leaving = 0;
  for (std::size_t other = 0; other < stages; ++other) {
    auto const is_here = [&](std::size_t replica) {
      return grid.device(stages, other, replica) / link.component == own / link.component;
    };
    std::size_t here = 0;
    for (std::size_t replica = 0; replica <= last; ++replica) here += is_here(replica) ? 1 : 0;
    if (here > 0 && here <= last) ++leaving;
  }
  return leaving == 0 ? link.bytes_per_second : link.bytes_per_second / leaving;
}

double GridProblem::samples_per_second(PipelineGrid const& grid) const {
  auto const& loads = depths_[grid.depth].loads;
  auto const width = static_cast<double>(grid.width);
  auto const samples = static_cast<double>(grid.samples);
  auto const micro_batches = static_cast<double>(batch_) / (width * samples);
  auto const transfer_s = [&](std::size_t stage) {  // to the next stage, or of the error back
    return samples * loads[stage].sent_bytes / transfer_rate(grid, stage);
  };
  double slowest = 0;
  for (std::size_t stage = 0; stage < loads.size(); ++stage) {
    bool const recomputes = grid.activations == Stage::Activations::recomputed;
    auto pass_s = samples * (loads[stage].compute_s + (recomputes ? loads[stage].forward_s : 0));
    if (stage > 0) pass_s += transfer_s(stage - 1);
    if (stage + 1 < loads.size()) pass_s += transfer_s(stage);
    auto const sum_s =
        2 * (width - 1) / width * loads[stage].parameter_bytes / sum_rate(grid, stage);
    slowest = std::max({slowest, pass_s, sum_s / micro_batches});
  }
  return width * samples / slowest;
}

double GridProblem::held_bytes(PipelineGrid const& grid) const {
  auto const& loads = depths_[grid.depth].loads;
  auto const micro_batches = batch_ / (grid.width * grid.samples);
  double most = 0;
  for (std::size_t stage = 0; stage < loads.size(); ++stage) {
    auto const& load = loads[stage];
    auto const behind = static_cast<std::int64_t>(loads.size() - stage);
    auto const in_flight = static_cast<double>(std::min(behind, micro_batches));
    auto const came_in = stage == 0 ? 0 : loads[stage - 1].sent_bytes;
    auto const kept = grid.activations == Stage::Activations::stored
                          ? in_flight * load.kept_bytes
                          : std::max(0.0, load.kept_bytes - came_in);
    most = std::max(most, 2 * load.parameter_bytes + static_cast<double>(grid.samples) * kept);
  }
  return most;
}

}  // namespace tessera::partition

// PipeDream-2BW's planner (Narayanan et al., ICML 2021, section 4): of all grids of w replicas of pipelines of d stages, w d at most all
// accelerators, all sizes of micro-batches, and activations stored or recomputed, the one with the most samples per second
// (search/pipeline_grid.hpp) whose plan fits (price/footprint.hpp). A replica has d micro-batches at least, or two versions of the weights
// were too few. Replicas of a stage are neighbours in the array or stages of a replica, what gives more, so that the larger traffic has
// the faster links.
#include <algorithm>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/pipeline_grid.hpp"

namespace tessera::partition {

namespace {

struct PricedGrid {
  PipelineGrid grid;
  double samples_per_second = 0;
};

Pipeline pipeline_of(PipelineGrid const& grid, GridDepth const& depth, std::int64_t batch) {
  Pipeline pipeline;
  pipeline.schedule = "2bw";
  pipeline.micro_batches = batch / grid.samples;
  for (std::size_t stage = 0; stage < depth.nodes.size(); ++stage) {
    std::vector<workloads::OperatorId> operators;
    for (auto const node : depth.nodes[stage]) operators.emplace_back(node);
    std::vector<std::size_t> devices;
    for (std::size_t replica = 0; replica < static_cast<std::size_t>(grid.width); ++replica) {
      devices.push_back(grid.device(depth.nodes.size(), stage, replica));
    }
    auto& placed = pipeline.stages[pipeline.stages.push_back(
        replicated_stage(std::move(operators), std::move(devices)))];
    placed.activations = grid.activations;
  }
  return pipeline;
}

/// The first that fits of grids in order; where none does, or nobody asks, the first.
Plan first_that_fits(Problem const& problem, GridProblem const& grids, Fit fit,
                     std::vector<PricedGrid> const& in_order) {
  auto const capacity =
      static_cast<double>(problem.array.groups.front().accelerator.memory_capacity.value());
  auto const plan_of = [&](PipelineGrid const& grid) {
    return unpriced_plan("pipedream-2bw", problem,
                         pipeline_of(grid, grids.depths()[grid.depth], problem.network.batch()));
  };
  auto const chosen = std::find_if(in_order.begin(), in_order.end(), [&](PricedGrid const& priced) {
    if (fit == Fit::ignore) return true;
    if (grids.held_bytes(priced.grid) > capacity) return false;
    return fullest(problem, plan_of(priced.grid)).fits();
  });
  auto plan = plan_of((chosen == in_order.end() ? in_order.front() : *chosen).grid);
  plan.evaluations = static_cast<std::int64_t>(in_order.size());
  return finished_stages(std::move(plan), problem);
}

}  // namespace

PipeDream2bw::PipeDream2bw(ConfigMap& options)
    : depth_{count_from(options, "depth", "a grid has at least one")},
      width_{count_from(options, "width", "a grid has at least one")},
      micro_batches_{micro_batches_from(options)},
      activations_{activations_from(options)},
      fit_{fit_from(options)} {}

bool PipeDream2bw::allows(std::int64_t depth, std::int64_t width,
                          std::int64_t micro_batches) const {
  return depth_.value_or(depth) == depth && width_.value_or(width) == width &&
         micro_batches_.value_or(micro_batches) == micro_batches;
}

namespace {

ConfigError no_grid(Problem const& problem) {
  return ConfigError{
      {},
      "planner",
      "no grid of depth, width and micro_batches as asked for divides the blocks of " +
          problem.network.name() + " and its batch of " + std::to_string(problem.network.batch()) +
          " on " + std::to_string(problem.array.accelerators) +
          " accelerators, with micro-batches for all stages (2bw needs depth times "
          "width); leave one of them out"};
}

}  // namespace

std::vector<PipelineGrid> PipeDream2bw::grids_of(Problem const& problem,
                                                 std::vector<GridDepth> const& depths) const {
  using Activations = Stage::Activations;
  using Neighbours = PipelineGrid::Neighbours;
  auto const batch = problem.network.batch();
  std::vector<PipelineGrid> grids;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    auto const depth = depths[i].stages();
    for (auto const width : divisors(batch)) {
      if (width * depth > problem.array.accelerators) break;
      for (auto const samples : divisors(batch / width)) {
        auto const micro_batches = batch / samples;
        if (micro_batches < width * depth || !allows(depth, width, micro_batches)) continue;
        for (auto const activations : {Activations::stored, Activations::recomputed}) {
          if (activations_.value_or(activations) != activations) continue;
          grids.push_back({i, width, samples, Neighbours::replicas, activations});
          grids.push_back({i, width, samples, Neighbours::stages, activations});
        }
      }
    }
  }
  return grids;
}

Plan PipeDream2bw::solve(Problem const& problem) const {
  GridProblem const grids{problem};
  std::vector<PricedGrid> all;
  for (auto const& grid : grids_of(problem, grids.depths())) {
    all.push_back({grid, grids.samples_per_second(grid)});
  }
  if (all.empty()) throw no_grid(problem);
  std::stable_sort(all.begin(), all.end(), [](PricedGrid const& a, PricedGrid const& b) {
    return a.samples_per_second > b.samples_per_second;
  });
  return first_that_fits(problem, grids, fit_, all);
}

}  // namespace tessera::partition

// A search with the simulator in its loop, as `auto` climbs: plans that differ in how one operator is split at one level, one after another,
// each simulated to its end.
#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/search/split_moves.hpp"
#include "sim/bench/bench_case.hpp"
#include "sim/study/simulated_evaluator.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// From hypar's plan.
Workout evaluate_moves(std::string const& network_name, std::string const& array_name,
                       std::string const& batch) {
  constexpr std::int64_t evaluations = 40;
  auto const network = workloads::load(network_name, {"batch=" + batch});
  auto const array = arch::load(array_name);
  partition::Problem const problem{network, array};
  auto const plan = partition::make_planner("hypar")->solve(problem);
  auto const evaluator = by_simulation()(problem);
  Time simulated{0};
  for (auto const& move : partition::split_moves(problem)) {
    if (evaluator->evaluations() == evaluations) break;
    auto const next = partition::moved(plan, move, network);
    if (next) simulated += evaluator->evaluate(*next).value_or(Time{0});
  }
  auto const clock = static_cast<double>(array.groups.front().accelerator.clock.value());
  return {static_cast<double>(evaluator->evaluations()), seconds(simulated) * clock};
}

}  // namespace

std::vector<ComponentCase> search_cases() {
  return {
      {"search-lenet-c", "40 plans of LeNet for hmc-htree-16, simulated", "evaluations",
       [] { return evaluate_moves("hypar/lenet-c", "hmc-htree-16", "256"); }},
      {"search-vgg-a", "40 plans of VGG-A for hmc-htree-16, simulated", "evaluations",
       [] { return evaluate_moves("hypar/vgg-a", "hmc-htree-16", "256"); }},
      {"search-resnet-50", "40 plans of ResNet-50 for tpu-v3-128, simulated", "evaluations",
       [] { return evaluate_moves("accpar/resnet-50", "tpu-v3-128", "512"); }},
  };
}

}  // namespace tessera::sim

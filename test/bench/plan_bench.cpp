// How long planning and lowering take, for the largest network of the HyPar zoo and growing arrays.
#include <benchmark/benchmark.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "sim/lower/lower.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

arch::ArraySpec array_of(benchmark::State const& state) {
  return arch::load("hypar-paper", {"accelerators=" + std::to_string(state.range(0))});
}

partition::Plan hypar_plan(partition::Problem const& problem) {
  return partition::make_planner("hypar")->solve(problem);
}

/// Search, pricing and validation; items are operators times levels, so that their rate shows
/// whether the time grows with them.
void run_planner(benchmark::State& state, std::string const& planner,
                 partition::Problem const& problem) {
  auto const maker = partition::make_planner(planner);
  for (auto unused : state) {
    static_cast<void>(unused);
    benchmark::DoNotOptimize(maker->solve(problem));
  }
  auto const terms =
      static_cast<std::int64_t>(problem.network.operators().size()) * problem.array.levels();
  state.SetItemsProcessed(state.iterations() * terms);
}

void plan_vgg_e(benchmark::State& state) {
  auto const network = workloads::load("hypar/vgg-e");
  auto const array = array_of(state);
  run_planner(state, "hypar", {network, array});
}
BENCHMARK(plan_vgg_e)->RangeMultiplier(4)->Range(4, 256)->Unit(benchmark::kMicrosecond);

/// On 256 accelerators of two kinds.
void plan(benchmark::State& state, std::string const& planner, std::string const& name) {
  auto const network = workloads::load(name);
  auto const array = arch::load("tpu-v2v3-256");
  run_planner(state, planner, {network, array});
}
BENCHMARK_CAPTURE(plan, accpar_resnet_18, "accpar", "accpar/resnet-18")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, accpar_resnet_34, "accpar", "accpar/resnet-34")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, accpar_resnet_50, "accpar", "accpar/resnet-50")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, accpar_inception_v3, "accpar", "inception-v3")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, soybean_inception_v3, "soybean", "inception-v3")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, optcnn_resnet_18, "optcnn", "accpar/resnet-18")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, optcnn_resnet_50, "optcnn", "accpar/resnet-50")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, optcnn_inception_v3, "optcnn", "inception-v3")
    ->Unit(benchmark::kMillisecond);

/// Every layer of a block reads all before it.
BENCHMARK_CAPTURE(plan, hypar_densenet_201, "hypar", "densenet-201")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, accpar_densenet_201, "accpar", "densenet-201")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, soybean_densenet_201, "soybean", "densenet-201")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, tofu_densenet_201, "tofu", "densenet-201")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, optcnn_densenet_201, "optcnn", "densenet-201")
    ->Unit(benchmark::kMillisecond);

/// Lowering of HyPar's plan; items are tasks.
void lower_vgg_e(benchmark::State& state) {
  auto const network = workloads::load("hypar/vgg-e");
  auto const array = array_of(state);
  auto const plan = hypar_plan({network, array});
  std::int64_t tasks = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    auto const graph = sim::lower(network, array, plan);
    tasks += static_cast<std::int64_t>(graph.size());
  }
  state.SetItemsProcessed(tasks);
}
BENCHMARK(lower_vgg_e)->RangeMultiplier(4)->Range(4, 256)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera

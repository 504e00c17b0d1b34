// How many layers per second the compute models answer for, without any memo.
#include <benchmark/benchmark.h>

#include "sim/model/compute/compute_cost.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

constexpr std::int64_t batch = 64;

void train_resnet50(benchmark::State& state, arch::CoreSpec const& core,
                    ComputeOptions::Memory memory) {
  auto const network = workloads::load("accpar/resnet-50", {"batch=" + std::to_string(batch)});
  ComputeOptions options;
  options.memory = memory;
  std::int64_t layers = 0;
  ComputeCost step;
  for (auto unused : state) {
    static_cast<void>(unused);
    step = {};
    for (auto const& op : network.operators()) {
      for (auto const phase : workloads::own_phases) {
        if (!op.has(phase)) continue;
        step += compute_cost(core, shape_of(op, op.extents), phase, options);
        ++layers;
      }
    }
    benchmark::DoNotOptimize(step);
  }
  state.SetItemsProcessed(layers);  // layers and phases
  state.counters["simulated cycles"] = static_cast<double>(step.cycles.value());
  state.counters["utilisation"] = utilisation(core, step);
}

/// A whole training step on one 128 x 128 array.
void resnet50_on_one_array(benchmark::State& state) {
  train_resnet50(state, arch::load_core("tpu-v2"), ComputeOptions::Memory::ideal);
}
BENCHMARK(resnet50_on_one_array)->Unit(benchmark::kMicrosecond);

void resnet50_on_tpu_v3_with_memory(benchmark::State& state) {
  train_resnet50(state, arch::load_core("tpu-v3"), ComputeOptions::Memory::core);
}
BENCHMARK(resnet50_on_tpu_v3_with_memory)->Unit(benchmark::kMicrosecond);

void resnet50_on_eyeriss(benchmark::State& state) {
  train_resnet50(state, arch::load_core("eyeriss"), ComputeOptions::Memory::ideal);
}
BENCHMARK(resnet50_on_eyeriss)->Unit(benchmark::kMillisecond);

/// The five convolutions of AlexNet as in SCALE-Sim's recorded run (output stationary, 99,099
/// cycles, 32.7 s of CPU time there).
void alexnet_convolutions_of_scale_sim(benchmark::State& state) {
  auto core =
      arch::load_core("tpu-v2", {"array.dataflow=output-stationary", "array.schedule=serial",
                                 "array.operands=fixed", "padding={samples: 1, m: 1, n: 1, k: 1}"});
  std::vector<Gemm> const layers = {{1, 3025, 96, 363},
                                    {1, 729, 256, 2400},
                                    {1, 169, 384, 2304},
                                    {1, 169, 384, 3456},
                                    {1, 169, 256, 3456}};
  ComputeCost sum;
  for (auto unused : state) {
    static_cast<void>(unused);
    sum = {};
    for (auto const& gemm : layers) {
      sum += compute_cost(core, MatmulShape{gemm}, workloads::Phase::forward);
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * 5);
  state.counters["simulated cycles"] = static_cast<double>(sum.cycles.value());
}
BENCHMARK(alexnet_convolutions_of_scale_sim)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace tessera::sim

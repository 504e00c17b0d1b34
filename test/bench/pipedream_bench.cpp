// How long PipeDream's partition takes, states of the graph included, on the profiles of its repository. plain_pipedream.py times its
// recurrence in plain Python in turn with these.
#include <benchmark/benchmark.h>

#include "partition/search/pipeline_problem.hpp"
#include "sim/validation/pipedream_profiles.hpp"

namespace tessera {
namespace {

/// The released optimizer's rule, with activations sent uncompressed.
void pipedream(benchmark::State& state, std::string const& model,
               std::vector<partition::PipelineLevel> const& levels) {
  auto const [network, times] = sim::profiled_network(model);
  arch::AcceleratorSpec accelerator;
  accelerator.processing_unit = times;
  auto const graph = partition::pipeline_graph(network, accelerator);
  partition::PipeDreamOptions options;
  options.rule = partition::PipeDreamOptions::Rule::released;
  options.activation_compression_ratio = 1;
  for (auto unused : state) {
    static_cast<void>(unused);
    benchmark::DoNotOptimize(partition::pipedream_partition(graph, levels, options));
  }
}

constexpr partition::PipelineLevel of_16{16, 1.25e9};
constexpr partition::PipelineLevel of_4{4, 1.2e10};
constexpr partition::PipelineLevel servers{4, 1.25e9};

BENCHMARK_CAPTURE(pipedream, vgg16_16, "vgg16", {of_16})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, gnmt_16, "gnmt", {of_16})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, resnet18_16, "resnet18", {of_16})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, resnet50_16, "resnet50", {of_16})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, vgg16_4x4, "vgg16", {of_4, servers})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, gnmt_4x4, "gnmt", {of_4, servers})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, resnet18_4x4, "resnet18", {of_4, servers})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pipedream, resnet50_4x4, "resnet50", {of_4, servers})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera

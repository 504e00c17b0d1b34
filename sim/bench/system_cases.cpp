// Training steps on the detailed arrays.
#include "arch/array/load.hpp"
#include "sim/bench/bench_case.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

std::vector<SystemCase> system_cases() {
  return {
      {"vgg-a", "hypar/vgg-a", "hmc-htree-16", "hypar", {}, 256, 16},
      {"vgg-e", "hypar/vgg-e", "hmc-htree-16", "hypar", {}, 256, 16},
      {"resnet-50", "accpar/resnet-50", "tpu-v3-128", "dp", {}, 512, 128},
      {"resnet-50-rings",
       "accpar/resnet-50",
       "tpu-v3-128",
       "dp",
       {"accelerators=512", "execution.collectives=torus"},
       1024,
       0},
      {"resnet-50-rings-4096",
       "accpar/resnet-50",
       "tpu-v3-128",
       "dp",
       {"accelerators=4096", "execution.collectives=torus"},
       8192,
       0},
      {"two-kinds", "accpar/vgg-16", "tpu-v2v3-256", "dp", {}, 512, 0},
      {"resnet-50-4096",
       "accpar/resnet-50",
       "hmc-htree-16",
       "dp",
       {"accelerators=4096", "fabric.link.bandwidth=4096 Gb/s"},
       8192,
       0},
  };
}

Experiment experiment_of(SystemCase const& bench, std::int64_t batch) {
  Experiment experiment;
  experiment.network = workloads::load(bench.network, {"batch=" + std::to_string(batch)});
  experiment.array = arch::load(bench.array, bench.settings);
  experiment.planner = bench.planner;
  return experiment;
}

}  // namespace tessera::sim

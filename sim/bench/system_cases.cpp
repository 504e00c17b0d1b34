// Training steps on the detailed arrays.
#include <utility>

#include "arch/array/load.hpp"
#include "arch/base/config.hpp"
#include "sim/bench/bench_case.hpp"
#include "sim/bench/made_networks.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

/// It takes more memory than there is.
Options ignoring_fit() { return {{"fit", "ignore"}}; }

/// Two samples for each chip of a torus, whose gradients are summed so.
SystemCase resnet_50_of_chips(std::string const& name, std::int64_t chips,
                              std::string const& collectives) {
  return {name,
          "accpar/resnet-50",
          "tpu-v3-128",
          "dp",
          {"accelerators=" + std::to_string(chips), "execution.collectives=" + collectives},
          2 * chips,
          0};
}

/// On 1024 chips whose gradients are summed along the torus.
SystemCase gpt_3(std::string const& name, std::string const& planner, Options options) {
  return {name,
          "gpt-3",
          "tpu-v3-128",
          planner,
          {"accelerators=1024", "execution.collectives=torus"},
          4096,
          0,
          nullptr,
          std::move(options)};
}

/// In 16 stages of eight rings of eight chips, of a torus of three dimensions: it fits, as
/// activations are made anew.
SystemCase gpt_3_in_stages() {
  auto bench = gpt_3(
      "gpt-3-stages", "megatron",
      {{"stages", "16"}, {"tensor", "8"}, {"micro_batches", "64"}, {"activations", "recomputed"}});
  bench.element = "fp16";
  bench.settings.emplace_back(
      "fabric={clock: 940 MHz, topology: {kind: torus, shape: [8, 8, 16], half_way: both, "
      "link: {bandwidth: 656 Gb/s, latency: 1 us}}}");
  return bench;
}

/// 1024 V100 in servers of eight, two sequences each.
SystemCase gpt_2_on_servers(std::string const& name, std::string const& collectives) {
  return {name,
          "gpt-2",
          "v100-64",
          "dp",
          {"accelerators=1024", "execution.collectives=" + collectives,
           "fabric.topology={kind: tree, shape: [128, 8], links: [{bandwidth: 25 Gb/s, latency: "
           "10 us}, {bandwidth: 240 Gb/s, latency: 1 us}]}"},
          2048,
          0};
}

/// 4096 V100 in a fat tree of three levels.
SystemCase gpt_2_on_a_fat_tree() {
  return {"gpt-2-fat-tree",
          "gpt-2",
          "v100-64",
          "dp",
          {"accelerators=4096",
           "fabric.topology={kind: fat-tree, shape: [16, 3], link: {bandwidth: 240 Gb/s, latency: "
           "1 us}}"},
          8192,
          0};
}

}  // namespace

std::vector<SystemCase> system_cases() {
  return {
      {"vgg-a", "hypar/vgg-a", "hmc-htree-16", "hypar", {}, 256, 16},
      {"vgg-e", "hypar/vgg-e", "hmc-htree-16", "hypar", {}, 256, 16},
      {"resnet-50", "accpar/resnet-50", "tpu-v3-128", "dp", {}, 512, 128},
      resnet_50_of_chips("resnet-50-rings", 512, "torus"),
      resnet_50_of_chips("resnet-50-rings-4096", 4096, "torus"),
      resnet_50_of_chips("resnet-50-rings-65536", 65'536, "torus"),
      resnet_50_of_chips("resnet-50-levels-512", 512, "hierarchical"),
      resnet_50_of_chips("resnet-50-levels-4096", 4096, "hierarchical"),
      {"two-kinds", "accpar/vgg-16", "tpu-v2v3-256", "dp", {}, 512, 0},
      {"resnet-50-4096",
       "accpar/resnet-50",
       "hmc-htree-16",
       "dp",
       {"accelerators=4096", "fabric.link.bandwidth=4096 Gb/s"},
       8192,
       0},
      {"resnet-50-65536",
       "accpar/resnet-50",
       "hmc-htree-16",
       "dp",
       {"accelerators=65536", "fabric.link.bandwidth=262144 Gb/s"},
       131072,
       0},
      {"vgg-a-mp", "hypar/vgg-a", "hmc-htree-16", "mp", {}, 256, 0},
      {"vgg-b-mp", "hypar/vgg-b", "hmc-htree-16", "mp", {}, 256, 0},
      {"vgg-c-mp", "hypar/vgg-c", "hmc-htree-16", "mp", {}, 256, 0},
      {"vgg-d-mp", "hypar/vgg-d", "hmc-htree-16", "mp", {}, 256, 0},
      {"vgg-e-mp", "hypar/vgg-e", "hmc-htree-16", "mp", {}, 256, 0},
      {"gpt-2", "gpt-2", "hmc-htree-16", "dp", {}, 512, 0, nullptr, ignoring_fit()},
      {"bert-large", "bert-large", "hmc-htree-16", "dp", {}, 256, 0, nullptr, ignoring_fit()},
      {"gpt-2-tpu", "gpt-2", "tpu-v3-128", "dp", {}, 128, 0, nullptr, ignoring_fit()},
      {"bert-large-tpu", "bert-large", "tpu-v3-128", "dp", {}, 128, 0, nullptr, ignoring_fit()},
      gpt_3("gpt-3", "dp", ignoring_fit()),
      gpt_3("gpt-3-accpar", "accpar", ignoring_fit()),
      gpt_3("gpt-3-tp", "tp", {{"fit", "ignore"}, {"tensor", "32"}}),
      gpt_3("gpt-3-tp-blocks", "tp", {{"fit", "ignore"}, {"tensor", "32"}, {"groups", "block"}}),
      gpt_3_in_stages(),
      gpt_2_on_servers("gpt-2-servers", "hierarchical"),
      gpt_2_on_servers("gpt-2-servers-ring", "ring"),
      gpt_2_on_a_fat_tree(),
      {"chain", "chain-100000", "hmc-htree-16", "dp", {}, 256, 0, chain_of_100000},
      {"chain-accpar", "chain-100000", "hmc-htree-16", "accpar", {}, 256, 0, chain_of_100000},
      {"branches", "branches-20000", "hmc-htree-16", "dp", {}, 256, 0, branches_20000},
  };
}

namespace {

workloads::Network network_of(SystemCase const& bench, std::int64_t batch) {
  if (bench.text == nullptr) {
    std::vector<std::string> settings = {"batch=" + std::to_string(batch)};
    if (!bench.element.empty()) settings.push_back("element=" + bench.element);
    return workloads::load(bench.network, settings);
  }
  auto const made = workloads::network_from(read_config_text(bench.text(), bench.network));
  return workloads::with_batch(made, batch);
}

}  // namespace

Experiment experiment_of(SystemCase const& bench, std::int64_t batch) {
  Experiment experiment;
  experiment.network = network_of(bench, batch);
  experiment.array = arch::load(bench.array, bench.settings);
  experiment.planner = bench.planner;
  for (auto const& [key, value] : bench.planner_options) {
    experiment.planner_options.add(key, value);
  }
  return experiment;
}

}  // namespace tessera::sim

// What is not simulated is provably what was: fast-forward and symmetry against every accelerator, tile and request worked out; and who
// wakes the cores, SystemC or the engine, does not matter.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/pipeline_laws.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/skipping.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using test::Effort;
using test::expect_that_skipping_changes_nothing;
using test::one_of;
using test::simulated_with;
using workloads::Dim;

/// A ring, or a torus of two or three dimensions, numbered either way.
std::string random_grid(std::mt19937_64& random, std::int64_t count) {
  std::vector<std::string> shapes = {std::to_string(count)};
  if (count % 2 == 0) shapes.push_back("2, " + std::to_string(count / 2));
  if (count % 4 == 0) shapes.push_back("4, " + std::to_string(count / 4));
  if (count % 4 == 0) shapes.push_back("2, 2, " + std::to_string(count / 4));
  auto const shape = one_of(random, shapes);
  auto const half_way = one_of(random, {"one", "both"});
  return "{clock: 1 GHz, topology: {kind: torus, shape: [" + shape + "], half_way: " + half_way +
         ", link: {bandwidth: 36 Gb/s, latency: 40 ns}}}";
}

/// A network of another kind than an H-tree.
std::string random_topology(std::mt19937_64& random, std::int64_t count) {
  auto const all = std::to_string(count);
  auto const half = std::to_string(count / 2);
  auto const flat = one_of(random, {all, "2, " + half});
  std::vector<std::string> kinds = {"kind: mesh, shape: [" + flat + "]",
                                    "kind: torus, shape: [" + flat + "]",
                                    "kind: dragonfly, shape: [2, " + half + ", 1]"};
  if (count == 4 || count == 16) {
    kinds.push_back("kind: fat-tree, shape: [" + std::string{count == 4 ? "2" : "4"} + ", 2]");
  }
  if (count == 8) kinds.emplace_back("kind: fat-tree, shape: [2, 3]");
  return one_of(random, kinds);
}

/// Of whole messages, or of packets in each of the switchings.
std::string random_fabric(std::mt19937_64& random, std::int64_t count) {
  std::string const link = "link: {bandwidth: 36 Gb/s, latency: 40 ns}";
  auto const kind =
      one_of(random, {"htree", "htree", "torus", "rule", "grid", "packets", "packets"});
  if (kind == "htree" || kind == "torus")
    return "{clock: 1 GHz, topology: " + kind + ", " + link + "}";
  if (kind == "grid") return random_grid(random, count);
  auto const graph = ", topology: {" + random_topology(random, count) + ", " + link + "}";
  if (kind == "rule") return "{clock: 1 GHz" + graph + "}";
  return "{clock: 1 GHz, packet: 512 B, header: 16 B, flit: 16 B, router: {pipeline: 12 ns, "
         "virtual_channels: 2, buffer_packets: 2}, switching: " +
         one_of(random, {"cut-through", "store-and-forward", "wormhole"}) + graph + "}";
}

/// Of an accelerator, by cube or by stack; its kernels begin in phase with it where they may.
std::vector<std::string> random_memory(std::mt19937_64& random) {
  auto const dram = one_of(random, {"hmc-1.0", "hmc-2.0", "hmc-2.1", "tpu-v3", "tpu-v2"});
  bool const has_links = dram == "hmc-2.0" || dram == "hmc-2.1";
  auto const through = has_links ? one_of(random, {"local", "links"}) : "local";
  auto const scheduler = one_of(random, {"fcfs", "fcfs", "fcfs", "frfcfs"});
  auto const transfers = one_of(random, {"{path: beside-memory}", "{path: beside-memory}",
                                         "{path: through-memory, block: 4 KiB}"});
  bool const serves_kernels = through == "local" && transfers.find("through") == std::string::npos;
  bool const may_be_in_phase = serves_kernels && scheduler == "fcfs";
  std::vector<std::string> settings = {
      "accelerator.memory.dram=" + dram,
      "accelerator.memory.dram.policy.refresh=" + one_of(random, {"none", "all-bank"}),
      "accelerator.memory.dram.policy.scheduler=" + scheduler,
      "accelerator.memory.dram.policy.starvation_cap=300",
      "accelerator.transfers=" + transfers,
      "execution.kernels=" + (may_be_in_phase ? one_of(random, {"free", "in-phase"}) : "free")};
  if (has_links) settings.push_back("accelerator.memory.through=" + through);
  return settings;
}

/// Arrays of 2 to 16 accelerators, of one kind or of two halves; some with groups of three.
arch::ArraySpec random_array(std::mt19937_64& random) {
  auto const base = one_of(random, {"hypar-paper", "hmc-htree-16", "hmc-htree-16", "tpu-v2v3-256"});
  auto const count = std::stoll(one_of(random, {"2", "4", "8", "16", "6", "12"}));
  auto const fabric = random_fabric(random, count);
  std::vector<std::string> settings = {
      "accelerators=" + std::to_string(count), "fabric=" + fabric,
      "execution.overlap=" + one_of(random, {"none", "communication"}),
      "execution.sums=" + one_of(random, {"exact", "padded"})};
  if (base == "tpu-v2v3-256") {
    for (auto const* const group : {"groups.0.count=", "groups.1.count="}) {
      settings.push_back(group + std::to_string(count / 2));
    }
  } else if (base == "hmc-htree-16") {
    auto const memory = random_memory(random);
    settings.insert(settings.end(), memory.begin(), memory.end());
  }
  bool const is_grid = fabric.find("half_way") != std::string::npos;
  settings.push_back(
      "execution.collectives=" +
      one_of(random, {"hierarchical", is_grid ? "torus" : "hierarchical", "ring", "bidirectional",
                      "halving-doubling", "double-tree", "direct", "auto"}));
  return arch::load(base, settings);
}

class RandomSystem : public testing::TestWithParam<int> {};

TEST_P(RandomSystem, IsTheSameWhenSkippingAndInAnyOrderOfModules) {
  std::mt19937_64 random{static_cast<std::uint64_t>(GetParam())};
  for (int trial = 0; trial < 24; ++trial) {
    SCOPED_TRACE(trial);
    auto const array = random_array(random);
    using Options = test::RandomNetworkOptions;
    Options options;
    options.graph = trial % 2 == 0 ? Options::Graph::dag : Options::Graph::chain;
    options.extents = trial % 3 == 0 ? Options::Extents::arbitrary : Options::Extents::divisible;
    options.operators = 4;
    auto const network = test::random_network(random, options);
    auto plan = trial % 2 == 0 ? test::random_plan(network, array, random)
                               : test::random_plan(network, array, random,
                                                   {Dim::n, Dim::c, Dim::k, Dim::h, Dim::w});
    if (test::random_between(random, 0, 1) == 0) test::unbalance(plan, random);
    auto const effort = std::array{Effort::in_full, Effort::in_full_and_in_reverse,
                                   Effort::in_full_and_shuffled, Effort::in_full_by_the_engine}
                            .at(static_cast<std::size_t>(trial % 4));
    static_cast<void>(expect_that_skipping_changes_nothing(network, array, plan, effort));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystem, testing::Range(0, static_cast<int>(test::cases(4))));

/// Detailed cores and memories; up to four stages of one or two accelerators.
arch::ArraySpec small_array(std::mt19937_64& random) {
  auto const base = one_of(random, {"hmc-htree-16", "tpu-v3-128"});
  std::vector<std::string> settings = {
      "accelerators=8", "execution.overlap=" + one_of(random, {"none", "communication"}),
      "accelerator.memory.dram=" + one_of(random, {"hmc-1.0", "hmc-2.1", "tpu-v3", "tpu-v2"})};
  return arch::load(base, settings);
}

/// Up to four operators, of a batch that micro-batches, replicas and splits divide.
workloads::Network small_network(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  options.operators = 4;
  options.levels = 5;
  options.map_levels = 1;
  return test::random_network(random, options);
}

TEST(Skipping, ChangesNothingInPipelinesOnDetailedArrays) {
  std::int64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(48); ++seed) {
    std::mt19937_64 random{seed};
    auto const array = small_array(random);
    auto const network = small_network(random);
    auto const& schedule = test::every_schedule[seed % test::every_schedule.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule + " on " + array.name);
    auto const plan = test::random_staged_plan(network, array, random, schedule);
    skipped += expect_that_skipping_changes_nothing(network, array, plan);
  }
  EXPECT_GT(skipped, 0);
}

/// The others: `tessera validate skipping`.
TEST(Skipping, ChangesNothingForSmallNetworksOfTheZoo) {
  for (auto const* const name : {"hypar/lenet-c", "hypar/cifar-c", "accpar/lenet"}) {
    for (auto const* const base : {"hmc-htree-16", "tpu-v3-128"}) {
      SCOPED_TRACE(std::string{name} + " on " + base);
      auto const network = workloads::load(name, {"batch=8"});
      auto const array = arch::load(
          base, {"accelerators=4", "fabric.topology=htree", "fabric.link.bandwidth=8 Gb/s"});
      auto const maker = partition::make_planner("dp");
      static_cast<void>(
          expect_that_skipping_changes_nothing(network, array, maker->solve({network, array})));
    }
  }
}

/// Layers that are alike, with weights whose sizes move whatever is placed behind them.
workloads::Network equal_layers(std::mt19937_64& random) {
  auto const number = [&](std::int64_t least, std::int64_t most) {
    return std::to_string(test::random_between(random, least, most));
  };
  auto const width = std::to_string(8 * test::random_between(random, 1, 24));
  return workloads::network_from(
      read_config_text("schema: tessera.network/1\nname: layers\nbatch: 8\nelement: fp32\n"
                       "input: {name: x, positions: " +
                           number(4, 60) + ", features: " + width +
                           "}\n"
                           "blocks:\n"
                           "  layer:\n"
                           "    - {name: norm, kind: layer_norm, input: $input}\n"
                           "    - {name: query, kind: linear, input: norm, outputs: $width}\n"
                           "    - {name: scores, kind: scores, inputs: [query, norm], heads: 2}\n"
                           "    - {name: softmax, kind: softmax, input: scores}\n"
                           "    - {name: context, kind: context, inputs: [softmax, norm]}\n"
                           "    - {name: sum, kind: add, inputs: [context, $input]}\n"
                           "operators:\n"
                           "  - {name: layer1.." +
                           number(2, 6) + ", block: layer, input: x, width: " + width + "}\n",
                       "layers.yaml"));
}

TEST(Skipping, ChangesNothingOfEqualLayersWhoseKernelsBeginInPhase) {
  std::int64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(60); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    std::vector<std::string> settings = {
        "accelerators=" + one_of(random, {"1", "2", "4"}),
        "accelerator.memory.dram=" + one_of(random, {"tpu-v3", "tpu-v3", "tpu-v2", "hmc-2.1"}),
        "accelerator.memory.dram.policy.page=" + one_of(random, {"open", "open", "closed"}),
        "accelerator.memory.dram.policy.refresh=" +
            one_of(random, {"none", "all-bank", "all-bank"}),
        "execution.overlap=" + one_of(random, {"none", "communication"}),
        "execution.kernels=" + one_of(random, {"free", "in-phase", "in-phase", "in-phase"})};
    auto const array = arch::load("tpu-v3-128", settings);
    auto const network = equal_layers(random);
    auto const plan =
        partition::make_planner(one_of(random, {"dp", "accpar", "mp"}))->solve({network, array});
    auto const effort = seed % 2 == 0 ? Effort::in_full : Effort::in_full_by_the_engine;
    skipped += expect_that_skipping_changes_nothing(network, array, plan, effort);
  }
  EXPECT_GT(skipped, 0);
}

class FabricOfPackets : public testing::TestWithParam<char const*> {};

/// run() checks the laws of each.
TEST_P(FabricOfPackets, IsTheSameWhenSkippingAndInAnyOrderOfModules) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=16"});
  for (auto const* const overlap : {"none", "communication"}) {
    auto const array =
        arch::load("hmc-htree-16",
                   {std::string{"fabric={clock: 1 GHz, packet: 4 KiB, router: {pipeline: 3 ns, "
                                "virtual_channels: 2, buffer_packets: 2}, topology: {"} +
                        GetParam() + ", link: {bandwidth: 2 Gb/s, latency: 11 ns}}}",
                    std::string{"execution.overlap="} + overlap});
    for (auto const* const planner : {"dp", "hypar"}) {
      SCOPED_TRACE(std::string{overlap} + ' ' + planner);
      auto const maker = partition::make_planner(planner);
      auto const plan = maker->solve({network, array});
      auto const full = simulated_with(network, array, plan, Effort::in_full).text;
      EXPECT_EQ(simulated_with(network, array, plan, Effort::skipping).text, full);
      EXPECT_EQ(simulated_with(network, array, plan, Effort::in_full_and_in_reverse).text, full);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Topologies, FabricOfPackets,
                         testing::Values("kind: torus, shape: [4, 4]", "kind: mesh, shape: [4, 4]",
                                         "kind: fat-tree, shape: [4, 2]"));

}  // namespace
}  // namespace tessera

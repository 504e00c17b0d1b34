// Whole steps on arrays with detailed cores and memories: run() checks the conservation laws, these what must hold beyond.
#include <gtest/gtest.h>

#include <random>

#include "arch/load.hpp"
#include "partition/cost_model.hpp"
#include "partition/solver.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/forked.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

/// "time macs waited" of a step.
std::string simulated(workloads::Network const& network, arch::ArraySpec const& array,
                      partition::Plan const& plan, sim::RunOptions const& options = {}) {
  return test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan), sink, options);
    EXPECTS(report.summary.complete, report.stuck.size());
    return std::to_string(report.summary.time.value()) + " " +
           std::to_string(report.summary.macs.value()) + " " +
           std::to_string(report.summary.fingerprint);
  });
}

partition::Plan data_parallel(workloads::Network const& network, arch::ArraySpec const& array) {
  return partition::builtin_solvers()
      .make("dp", partition::SolverOptions{})
      ->solve({network, array});
}

std::string first_word(std::string const& text) { return text.substr(0, text.find(' ')); }

TEST(DetailedArray, MacsAreTheAnalyticalCountOnEveryKindOfCore) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=256"});
  Macs step{0};
  for (auto const phase : workloads::all_phases) step += network.macs(phase);
  auto const update = network.macs(workloads::Phase::update);
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128", "tpu-v2v3-256", "eyeriss"}) {
    SCOPED_TRACE(name);
    auto const array = arch::load(name);
    auto const words = simulated(network, array, data_parallel(network, array));
    auto const expected =
        step + update * (array.accelerators - 1);  // everybody updates all weights
    EXPECT_NE(words.find(" " + std::to_string(expected.value()) + " "), std::string::npos) << words;
  }
}

TEST(DetailedArray, ResultsDoNotDependOnTheOrderOfModules) {
  auto const network = workloads::load("hypar/cifar-c", {"batch=64"});
  auto const array = arch::load("hmc-htree-16");
  auto const plan = data_parallel(network, array);
  sim::RunOptions reverse;
  reverse.module_order = sim::RunOptions::ModuleOrder::reverse;
  sim::RunOptions shuffled;
  shuffled.shuffle_seed = 5;
  auto const forward = simulated(network, array, plan);
  EXPECT_EQ(forward, simulated(network, array, plan, reverse));
  EXPECT_EQ(forward, simulated(network, array, plan, shuffled));
}

/// Every tile worked out: nothing repeated from records.
sim::RunOptions in_full() {
  sim::RunOptions options;
  options.fast_forward = sim::PhaseMemo::Use::off;
  return options;
}

TEST(DetailedArray, RepeatingEqualComputationsChangesNothing) {
  for (auto const* const name : {"hypar/sfc", "hypar/lenet-c", "hypar/cifar-c"}) {
    for (auto const* const arch : {"hmc-htree-16", "tpu-v3-128"}) {
      SCOPED_TRACE(std::string{name} + " on " + arch);
      auto const network = workloads::load(name, {"batch=128"});
      auto const array = arch::load(arch, {"accelerators=8", "fabric.link.bandwidth=8 Gb/s"});
      auto const plan = data_parallel(network, array);
      EXPECT_EQ(simulated(network, array, plan), simulated(network, array, plan, in_full()));
    }
  }
}

TEST(DetailedArray, RepeatingChangesNothingForRandomNetworksAndPlans) {
  std::vector<std::string> const memories = {"tpu-v3", "hmc-2.0", "hmc-2.1"};
  std::mt19937_64 random{18};
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    auto const memory = memories.at(static_cast<std::size_t>(trial) % memories.size());
    auto const array =
        arch::load("hmc-htree-16", {"accelerators=4", "accelerator.memory.dram=" + memory});
    auto const network = test::random_network(random, {test::RandomNetworkOptions::Graph::dag});
    auto const plan = test::random_plan(network, array, random);
    EXPECT_EQ(simulated(network, array, plan), simulated(network, array, plan, in_full()))
        << network.source_text();
  }
}

TEST(DetailedArray, ListeningToCommandsChangesNothing) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=64"});
  auto const array = arch::load("hmc-htree-16", {"accelerators=4"});
  auto const plan = data_parallel(network, array);
  sim::RunOptions listening;
  listening.trace_commands = true;
  EXPECT_EQ(simulated(network, array, plan), simulated(network, array, plan, listening));
}

TEST(DetailedArray, AFasterMemoryIsNeverSlowerAndAnIdealOneFastest) {
  auto const network = workloads::load("hypar/sfc", {"batch=64"});
  auto const time = [&](std::vector<std::string> const& overrides) {
    auto const array = arch::load("hmc-htree-16", overrides);
    return std::stoll(first_word(simulated(network, array, data_parallel(network, array))));
  };
  auto const real = time({});
  auto const slower = time({"accelerator.memory.dram=hmc-1.0"});
  auto const ideal = time({"accelerator.memory={kind: ideal, capacity: 8 GiB}"});
  EXPECT_LT(ideal, real);
  EXPECT_LT(real, slower);
}

TEST(DetailedArray, AMixedArrayWaitsForItsSlowerHalf) {
  auto const network = workloads::load("hypar/cifar-c", {"batch=128"});
  auto const time = [&](arch::ArraySpec const& array) {
    return std::stoll(first_word(simulated(network, array, data_parallel(network, array))));
  };
  auto const mixed = arch::load("tpu-v2v3-256", {"accelerators=8", "groups.0.count=4",
                                                 "groups.1.count=4", "execution.overlap=none"});
  auto all_v2 = mixed;
  all_v2.groups = {{8, mixed.accelerator(0)}};
  auto all_v3 = mixed;
  all_v3.groups = {{8, mixed.accelerator(7)}};
  EXPECT_LT(time(all_v3), time(mixed));
  EXPECT_LT(time(mixed), time(all_v2) * 101 / 100);
}

TEST(DetailedArray, RunsWhereAnAcceleratorHasNothingToMultiply) {
  // One input channel split over 16 accelerators: 15 have none of conv1.
  auto const network = workloads::load("hypar/sconv", {"batch=16"});
  auto const array = arch::load("hmc-htree-16");
  auto const plan =
      partition::builtin_solvers().make("mp", partition::SolverOptions{})->solve({network, array});
  EXPECT_FALSE(simulated(network, array, plan).empty());
}

}  // namespace
}  // namespace tessera

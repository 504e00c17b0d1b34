// Whole steps on arrays with detailed cores and memories: run() checks the conservation laws, these what must hold beyond.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/in_flight_law.hpp"
#include "test/support/forked.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

/// "time macs fingerprint work" of a step; work: what all accelerators compute, and wait for
/// memory.
std::string simulated(workloads::Network const& network, arch::ArraySpec const& array,
                      partition::Plan const& plan, sim::RunOptions const& options = {}) {
  return test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan), sink, options);
    EXPECTS(report.summary.complete, report.stuck.size());
    Time work{0};
    for (auto const& entry : report.summary.breakdown) work += entry.compute + entry.memory;
    return std::to_string(report.summary.time.value()) + " " +
           std::to_string(report.summary.macs.value()) + " " +
           std::to_string(report.summary.fingerprint) + " " + std::to_string(work.value());
  });
}

partition::Plan data_parallel(workloads::Network const& network, arch::ArraySpec const& array) {
  return partition::make_planner("dp")->solve({network, array});
}

std::string last_word(std::string const& text) { return text.substr(text.rfind(' ') + 1); }

std::string first_word(std::string const& text) { return text.substr(0, text.find(' ')); }

TEST(DetailedArray, MacsAreTheAnalyticalCountOnEveryKindOfCore) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=256"});
  Macs step{0};
  for (auto const phase : workloads::own_phases) step += network.macs(phase);
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

/// Watts that memories spend whether they are used or not, simulated.
double standby_watts(workloads::Network const& network, arch::ArraySpec const& array,
                     partition::Plan const& plan) {
  return std::stod(test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan), sink);
    double joules = 0;
    for (auto const& entry : report.summary.energy) {
      bool const is_standby = entry.event == "background_clock" || entry.event == "refresh";
      if (is_standby) joules += entry.total().value();
    }
    return std::to_string(joules / seconds(report.summary.time));
  }));
}

TEST(DetailedArray, WhatMemoriesSpendAllTheTimeIsAsPredicted) {
  auto const network = workloads::load("hypar/cifar-c", {"batch=256"});
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128", "tpu-v2v3-256"}) {
    SCOPED_TRACE(name);
    auto const array = arch::load(name);
    auto const plan = data_parallel(network, array);
    auto without = array;
    for (auto& group : without.groups) group.accelerator.memory = arch::IdealMemorySpec{};
    auto const with = partition::predict({network, array}, plan);
    auto const predicted =
        (with.energy_j - partition::predict({network, without}, plan).energy_j) / with.time_s;
    EXPECT_NEAR(standby_watts(network, array, plan) / predicted, 1, 0.01);
  }
}

/// Of a multiplication and its addition, as the ledger of a run charges them.
Energy mac_in_ledger(workloads::Network const& network, arch::ArraySpec const& array) {
  return Energy{std::stod(test::forked([&] {
    traces::NullSink sink;
    auto const plan = data_parallel(network, array);
    std::ostringstream text;
    Energy sum{0};
    for (auto const& entry :
         sim::run(array, sim::lower(network, array, plan), sink).summary.energy) {
      bool const is_of_mac =
          entry.event == "multiply" || entry.event == "add" || entry.event == "mac";
      if (is_of_mac) sum += entry.each;
    }
    text << std::setprecision(17) << sum.value();
    return text.str();
  }))};
}

// The symptom: on arrays of cores the prediction took the array's constants, the simulation the cores'.
TEST(DetailedArray, AMacCostsThePredictionWhatItCostsTheSimulation) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=8"});
  for (auto const* const name : {"hypar-paper", "hmc-htree-16", "tpu-v3-128", "eyeriss"}) {
    SCOPED_TRACE(name);
    auto const array = arch::load(name, {"accelerators=2"});
    auto const each = arch::mac_energy(array.accelerator(0), array.energy);
    EXPECT_DOUBLE_EQ(mac_in_ledger(network, array).value(), each.value());
  }
}

/// Three replicas of the convolutions, and one accelerator for what is fully connected.
partition::Plan unequal_stages(workloads::Network const& network, arch::ArraySpec const& array,
                               std::string const& schedule) {
  return partition::plan_from(
      read_config_text("schema: tessera.plan/2\nplanner: by-hand\nnetwork: " + network.name() +
                           "\narray: " + array.name + "\nbatch: 48\naccelerators: 4\npipeline:\n" +
                           "  schedule: " + schedule + "\n  micro_batches: 6\n  stages:\n" +
                           "    - {accelerators: [0-2], replicas: 3, operators: [conv1, conv2]}\n" +
                           "    - {accelerators: [3], operators: [fc1, fc2]}\n" +
                           "operators: {conv1: [], conv2: [], fc1: [], fc2: []}\n",
                       "plan.yaml"),
      network, array);
}

/// Three steps, held to what the order has in flight: how long the first accelerator computes, and
/// the last one.
std::pair<Time, Time> first_and_last_compute(workloads::Network const& network,
                                             arch::ArraySpec const& array,
                                             partition::Plan const& plan) {
  auto const text = test::forked([&] {
    Folding const whole{static_cast<std::size_t>(array.accelerators)};
    auto const tasks = sim::lower(network, array, plan, whole, 3);
    traces::NullSink sink;
    auto const summary = sim::run(array, tasks, sink).summary;
    sim::check_in_flight(plan, 3, tasks, summary);
    return std::to_string(summary.stages.front().compute.value()) + " " +
           std::to_string(summary.stages.back().compute.value());
  });
  return {Time{std::stoll(first_word(text))}, Time{std::stoll(last_word(text))}};
}

TEST(DetailedArray, PlansWithUnequalStagesKeepTheLaws) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=48"});
  sim::RunOptions in_full;
  in_full.fast_forward = sim::PhaseMemo::Use::off;
  in_full.module_order = sim::RunOptions::ModuleOrder::reverse;
  in_full.shuffle_seed = 5;
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128"}) {
    auto const array = arch::load(name, {"accelerators=4"});
    for (auto const* const schedule : {"pipedream", "1f1b"}) {
      SCOPED_TRACE(std::string{name} + ", " + schedule);
      auto const plan = unequal_stages(network, array, schedule);
      EXPECT_EQ(simulated(network, array, plan), simulated(network, array, plan, in_full));
      EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)),
                partition::cost({network, array}, plan).communication);
      auto const [first, last] = first_and_last_compute(network, array, plan);
      EXPECT_GT(4 * last, 5 * first);
    }
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
  auto const time = [&](std::vector<std::string> overrides) {
    overrides.emplace_back("execution.kernels=free");
    auto const array = arch::load("hmc-htree-16", overrides);
    return std::stoll(first_word(simulated(network, array, data_parallel(network, array))));
  };
  auto const real = time({});
  auto const slower = time({"accelerator.memory.dram=hmc-1.0"});
  auto const ideal = time({"accelerator.memory={kind: ideal, capacity: 8 GiB}"});
  EXPECT_LT(ideal, real);
  EXPECT_LT(real, slower);
}

// Without refresh: it meets other tiles when the faster half lets an exchange begin a clock earlier.
TEST(DetailedArray, AMixedArrayWaitsForItsSlowerHalf) {
  auto const network = workloads::load("hypar/cifar-c", {"batch=256"});
  auto const mixed =
      arch::load("tpu-v2v3-256",
                 {"accelerators=8", "groups.0.count=4", "groups.1.count=4",
                  "execution.overlap=none", "groups.0.accelerator.memory.dram.policy.refresh=none",
                  "groups.1.accelerator.memory.dram.policy.refresh=none"});
  auto all_v2 = mixed;
  all_v2.groups = {{8, mixed.accelerator(0)}};
  auto all_v3 = mixed;
  all_v3.groups = {{8, mixed.accelerator(7)}};
  auto const step = [&](arch::ArraySpec const& array) {
    return simulated(network, array, data_parallel(network, array));
  };
  auto const slow = step(all_v2);
  auto const time = std::stoll(first_word(step(mixed)));
  EXPECT_LE(time, std::stoll(first_word(slow)));
  EXPECT_GT(time, std::stoll(last_word(slow)) / 8);  // what one of v2 has to do
  EXPECT_LT(std::stoll(first_word(step(all_v3))), std::stoll(last_word(slow)) / 8);
}

TEST(DetailedArray, RunsWhereAnAcceleratorHasNothingToMultiply) {
  // One input channel split over 16 accelerators: 15 have none of conv1.
  auto const network = workloads::load("hypar/sconv", {"batch=16"});
  auto const array = arch::load("hmc-htree-16");
  auto const plan = partition::make_planner("mp")->solve({network, array});
  EXPECT_FALSE(simulated(network, array, plan).empty());
}

}  // namespace
}  // namespace tessera

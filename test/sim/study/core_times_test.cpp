#include "sim/study/core_times.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/search/plan_time.hpp"
#include "sim/study/simulated_evaluator.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

/// A step on one accelerator: how much longer it takes simulated than its operators by their times.
double beyond_core_times(std::string const& name, std::string const& network_name) {
  auto const network = workloads::load(network_name, {"batch=16"});
  std::vector<std::string> settings = {"accelerators=1"};
  if (name == "tpu-v3-128") settings.emplace_back("accelerator.memory.dram.policy.refresh=none");
  auto const array = arch::load(name, settings);
  partition::Problem const problem{network, array};
  auto const plan = partition::make_planner("dp")->solve(problem);
  auto const times = core_times(network);
  double sum_s = 0;
  for (auto const op : plan.splits.ids()) {
    sum_s += partition::slowest_time(problem, op, plan.splits[op], times);
  }
  return seconds(by_simulation()(problem)->evaluate(plan).value()) / sum_s - 1;
}

TEST(CoreTimes, AreWhatASimulationTakesButForWaits) {
  for (auto const* const network : {"hypar/lenet-c", "hypar/cifar-c"}) {
    for (auto const* const array : {"hypar-paper", "hmc-htree-16"}) {
      EXPECT_GE(beyond_core_times(array, network), 0) << array << ' ' << network;
      EXPECT_LT(beyond_core_times(array, network), 0.002) << array << ' ' << network;
    }
    // First tiles are loaded before anything is computed, and steps of small layers are short: so
    // short that it is chance how many refreshes come.
    EXPECT_GE(beyond_core_times("tpu-v3-128", network), 0) << network;
    EXPECT_LT(beyond_core_times("tpu-v3-128", network), 0.04) << network;
  }
}

TEST(CoreTimes, OfNothingAreNone) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hmc-htree-16");
  auto const times = core_times(network);
  auto const& op = network.at(workloads::OperatorId{0});
  auto part = op.extents;
  EXPECT_GT(times(array.accelerator(0), op, workloads::Phase::forward, part), 0);
  part[workloads::Dim::k] = 0;
  EXPECT_EQ(times(array.accelerator(0), op, workloads::Phase::forward, part), 0);
}

}  // namespace
}  // namespace tessera::sim

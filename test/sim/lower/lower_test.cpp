// Laws of lowering: nothing of the network's work is lost or done twice, and every byte that the cost model prices is sent.
#include "sim/lower/lower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "arch/load.hpp"
#include "partition/cost_model.hpp"
#include "partition/solver.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using workloads::Dim;
using workloads::Phase;

partition::Plan solved(std::string const& planner, workloads::Network const& network,
                       arch::ArraySpec const& array) {
  return partition::builtin_solvers()
      .make(planner, partition::SolverOptions{})
      ->solve({network, array});
}

Macs macs_of(TaskGraph const& tasks, Phase phase) {
  Macs sum{0};
  for (auto const& task : tasks.tasks()) {
    if (task.phase == phase) sum += task.macs;
  }
  return sum;
}

TEST(Lower, DealsOutTheMacsOfEveryPhaseExactlyOnceUnderAnyPlan) {
  auto const array = arch::load("hmc-htree-16");
  for (auto const* const name : {"hypar/lenet-c", "hypar/cifar-c"}) {
    auto const network = workloads::load(name);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto const tasks = lower(network, array, test::random_plan(network, array, random));
      for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
        EXPECT_EQ(macs_of(tasks, phase), network.macs(phase));
      }
    }
  }
}

TEST(Lower, EveryReplicaOfAWeightIsUpdated) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hmc-htree-16");
  EXPECT_EQ(macs_of(lower(network, array, solved("dp", network, array)), Phase::update),
            network.macs(Phase::update) * 16);
}

TEST(Lower, CountsHyParsMacsOnTheInputMap) {
  // SCONV conv1: 28 x 28 input, 24 x 24 output, 500 weights: 28*28*500 MACs per image (HyPar), not 24*24*500.
  auto const network = workloads::load("hypar/sconv");
  auto const array = arch::load("hypar-paper");
  auto const tasks = lower(network, array, solved("dp", network, array));
  Macs conv1{0};
  for (auto const& task : tasks.tasks()) {
    if (task.phase == Phase::forward && task.op == network.find("conv1")) conv1 += task.macs;
  }
  EXPECT_EQ(conv1, Macs{256 * 28 * 28 * 500});
}

TEST(Lower, SendsWhatTheCostModelPricesAtEveryLevel) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const name : {"hypar/sfc", "hypar/sconv", "hypar/lenet-c", "hypar/vgg-e"}) {
    for (auto const* const planner : {"dp", "owt", "hypar"}) {
      SCOPED_TRACE(std::string{name} + " " + planner);
      auto const network = workloads::load(name);
      auto const plan = solved(planner, network, array);
      auto const tasks = lower(network, array, plan);
      auto const priced = partition::cost({network, array}, plan);
      EXPECT_EQ(tasks.transferred(), priced.communication);
      std::map<int, double> by_level;
      for (auto const& task : tasks.tasks()) {
        by_level[task.level] +=
            static_cast<double>(task.bytes.value()) * (task.kind == TaskKind::transfer ? 1 : 0);
      }
      for (int level = 1; level <= plan.levels(); ++level) {
        EXPECT_EQ(by_level[level], 4 * priced.level_elements[static_cast<std::size_t>(level - 1)]);
      }
    }
  }
}

TEST(Lower, SiblingsExchangeAtTheirLevelOnly) {
  auto const network = workloads::load("hypar/alexnet");
  auto const array = arch::load("hypar-paper");
  auto const tasks = lower(network, array, solved("hypar", network, array));
  for (auto const& task : tasks.tasks()) {
    if (task.kind != TaskKind::transfer) continue;
    auto const bit = std::size_t{1} << (4 - task.level);  // level 1 = the highest of four bits
    EXPECT_EQ(task.accelerator.index() ^ task.destination.index(), bit);
  }
}

TEST(Lower, OneAcceleratorSendsNothing) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const tasks = lower(network, array, solved("hypar", network, array));
  EXPECT_EQ(tasks.transferred(), Bytes{0});
  EXPECT_GT(tasks.size(), 0U);
}

TEST(Lower, WithoutOverlapEveryStageIsFencedByABarrier) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const fenced = arch::load("hypar-paper");
  auto const overlapped = arch::load("hypar-paper", {"execution.overlap=communication"});
  EXPECT_GT(lower(network, fenced, solved("dp", network, fenced)).barriers(), 0U);
  EXPECT_EQ(lower(network, overlapped, solved("dp", network, overlapped)).barriers(), 0U);
}

TEST(Lower, TheFirstLayersErrorIsComputedOnlyWhereAskedFor) {
  auto const array = arch::load("hypar-paper");
  auto const count = [&](std::string const& setting) {
    auto const network = workloads::load("hypar/lenet-c", {"training.input_error=" + setting});
    return macs_of(lower(network, array, solved("dp", network, array)), Phase::backward_data);
  };
  EXPECT_GT(count("computed"), count("skipped"));
}

}  // namespace
}  // namespace tessera::sim

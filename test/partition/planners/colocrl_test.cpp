#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/search/operator_config.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

/// Two branches of as much work, which need nothing of each other.
workloads::Network two_branches() {
  return test::network_of(R"(
schema: tessera.network/1
name: branches
batch: 64
element: fp32
input: {name: x, features: 4096}
operators:
  - {name: left, kind: linear, input: x, outputs: 4096}
  - {name: right, kind: linear, input: x, outputs: 4096}
)");
}

arch::ArraySpec two_devices() {
  return arch::load("p100-16", {"accelerators=2", "fabric.topology.shape=[2]",
                                "fabric.topology.links=[{bandwidth: 100 Gb/s, latency: 2 us}]"});
}

TEST(ColocRl, LearnsToPlaceBranchesApart) {
  auto const network = two_branches();
  auto const array = two_devices();
  Problem const problem{network, array};
  for (auto const* const seed : {"1", "2", "3"}) {
    auto const options = ConfigNode::map().add("seed", seed).add("rounds", "20");
    auto const plan = make_planner("colocrl", options)->solve(problem);
    auto const strategy = strategy_of(plan);
    EXPECT_NE(strategy[network.find("left")], strategy[network.find("right")]) << seed;
  }
}

TEST(ColocRl, SplitsNothingAndKeepsTogetherWhatSharesWeights) {
  auto const network = workloads::load("rnnlm-unrolled");
  auto const array = two_devices();
  Problem const problem{network, array};
  auto const options = ConfigNode::map().add("rounds", "5").add("samples", "4");
  auto const plan = make_planner("colocrl", options)->solve(problem);
  auto const strategy = strategy_of(plan);
  for (auto const& config : strategy) EXPECT_EQ(config.mesh.devices.size(), 1U);
  EXPECT_EQ(strategy[network.find("lstm1_1")], strategy[network.find("lstm1_5")]);
  EXPECT_EQ(plan.evaluations, 21);
}

TEST(ColocRl, IsTheSameFromTheSameSeed) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = two_devices();
  Problem const problem{network, array};
  auto const options = ConfigNode::map().add("rounds", "5").add("seed", "7");
  auto const first = make_planner("colocrl", options)->solve(problem);
  auto const second = make_planner("colocrl", options)->solve(problem);
  EXPECT_EQ(write_config(to_config(first, network)), write_config(to_config(second, network)));
}

}  // namespace
}  // namespace tessera::partition

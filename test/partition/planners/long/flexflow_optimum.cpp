// What FlexFlow's search finds against all strategies, where these are too many for the suite: of LeNet with parts in any runs, and of two
// steps of a language model, each on four accelerators, as in the paper (SysML'19, section 8.4).
#include <gtest/gtest.h>

#include <iostream>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

arch::ArraySpec four() {
  return arch::load("p100-16", {"accelerators=4", "fabric.topology.shape=[4]",
                                "fabric.topology.links=[{bandwidth: 160 Gb/s, latency: 1 us}]"});
}

/// RNNLM's operators (workloads/zoo/rnnlm-unrolled.yaml) with one layer and two steps.
workloads::Network language_model() {
  return test::network_of(R"(
schema: tessera.network/1
name: two-steps
batch: 64
element: fp32
input: {name: words, positions: 1}
operators:
  - {name: embedding1, kind: embedding, input: words, entries: 10000, outputs: 2048}
  - {name: embedding2, kind: embedding, input: words, entries: 10000, outputs: 2048, tied_to: embedding1}
  - {name: cells1, kind: lstm, input: embedding1, hidden: 2048}
  - {name: cells2, kind: lstm, input: embedding2, hidden: 2048, state: cells1, tied_to: cells1}
  - {name: output1, kind: linear, input: cells1, outputs: 10000}
  - {name: output2, kind: linear, input: cells2, outputs: 10000, tied_to: output1}
)");
}

Time length_of(Problem const& problem, Plan const& plan) {
  return timeline_price(problem, plan).value().step;
}

void expect_the_shortest(workloads::Network const& network, std::string const& devices) {
  auto const array = four();
  Problem const problem{network, array};
  auto const all = ConfigNode::map().add("oracle_of", "flexflow").add("devices", devices);
  auto const oracle = make_planner("exhaustive", all)->solve(problem);
  auto const best = length_of(problem, oracle);
  std::cout << oracle.evaluations << " strategies, the shortest " << seconds(best) * 1e3 << " ms\n";
  for (auto const* const initial : {"data-parallel", "random"}) {
    for (int seed = 1; seed <= 10; ++seed) {
      auto const options = ConfigNode::map()
                               .add("initial", initial)
                               .add("seed", std::to_string(seed))
                               .add("devices", devices);
      auto const plan = make_planner("flexflow", options)->solve(problem);
      EXPECT_EQ(length_of(problem, plan), best) << initial << ", seed " << seed;
    }
  }
}

TEST(FlexFlowOptimum, OfLeNetInAnyRunsIsFoundFromDataParallelAndFromRandom) {
  expect_the_shortest(workloads::load("hypar/lenet-c"), "runs");
}

TEST(FlexFlowOptimum, OfTwoStepsOfALanguageModelIsFoundFromDataParallelAndFromRandom) {
  expect_the_shortest(language_model(), "aligned");
}

}  // namespace
}  // namespace tessera::partition

#include <gtest/gtest.h>

#include <functional>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/search/strategy_search.hpp"
#include "test/support/error_message.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

arch::ArraySpec few(std::string const& accelerators, std::string const& capacity = "16 GB") {
  return arch::load("p100-16",
                    {"accelerators=" + accelerators, "accelerator.memory.capacity=" + capacity,
                     "fabric.topology.shape=[" + accelerators + "]",
                     "fabric.topology.links=[{bandwidth: 100 Gb/s, latency: 2 us}]"});
}

/// Two branches that share nothing but their input, and their sum.
workloads::Network branches() {
  return test::network_of(R"(
schema: tessera.network/1
name: branches
batch: 8
element: fp32
input: {name: x, features: 512}
operators:
  - {name: left, kind: linear, input: x, outputs: 512}
  - {name: right, kind: linear, input: x, outputs: 512}
  - {name: sum, kind: add, inputs: [left, right]}
)");
}

/// Two steps of a language model, unrolled.
workloads::Network two_steps() {
  return test::network_of(R"(
schema: tessera.network/1
name: two-steps
batch: 8
element: fp32
input: {name: words, positions: 1}
operators:
  - {name: embedding1, kind: embedding, input: words, entries: 100, outputs: 64}
  - {name: embedding2, kind: embedding, input: words, entries: 100, outputs: 64, tied_to: embedding1}
  - {name: cells1, kind: lstm, input: embedding1, hidden: 64}
  - {name: cells2, kind: lstm, input: embedding2, hidden: 64, state: cells1, tied_to: cells1}
)");
}

Time length_of(Problem const& problem, Plan const& plan) {
  return timeline_price(problem, plan).value().step;
}

/// The shortest step of all strategies of the space, by trying them all.
Time optimum(Problem const& problem, ConfigSpace const& space) {
  StrategyTimeline timeline{problem, data_parallel_strategy(problem)};
  auto const operators = problem.network.operators().ids();
  auto shortest = timeline.length();
  std::function<void(std::size_t)> const try_all = [&](std::size_t index) {
    if (index == operators.size()) {
      shortest = std::min(shortest, timeline.length());
      return;
    }
    for (auto const& config : space.configs(operators[index])) {
      static_cast<void>(timeline.propose({{operators[index], config}}));
      timeline.accept();
      try_all(index + 1);
    }
  };
  try_all(0);
  return shortest;
}

ConfigNode options(std::string const& initial, int seed) {
  return ConfigNode::map()
      .add("initial", initial)
      .add("seed", std::to_string(seed))
      .add("proposals", "300");
}

class AgainstAll : public testing::TestWithParam<std::string> {
 protected:
  workloads::Network network = GetParam() == "branches" ? branches() : two_steps();
  arch::ArraySpec array = few("2");
  Problem problem{network, array};
};

TEST_P(AgainstAll, FindsTheShortestStepFromDataParallelAndFromRandom) {
  auto const best = optimum(problem, ConfigSpace{problem, ConfigSpace::Devices::runs});
  for (auto const* const initial : {"data-parallel", "random"}) {
    for (int seed = 1; seed <= 10; ++seed) {
      auto const plan = make_planner("flexflow", options(initial, seed))->solve(problem);
      EXPECT_EQ(length_of(problem, plan), best) << initial << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, AgainstAll, testing::Values("branches", "two_steps"),
                         [](auto const& name) { return name.param; });

TEST(FlexFlow, IsShortenedByNoChangeOfOneOperator) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  Problem const problem{network, array};
  auto const plan = make_planner("flexflow", options("all", 1))->solve(problem);
  ConfigSpace const space{problem, ConfigSpace::Devices::runs};
  StrategyTimeline timeline{problem, strategy_of(plan)};
  for (auto const op : network.operators().ids()) {
    for (auto const& config : space.configs(op)) {
      EXPECT_GE(timeline.propose({{op, config}}), length_of(problem, plan));
      timeline.reject();
    }
  }
}

TEST(FlexFlow, IsTheSameFromTheSameSeed) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  Problem const problem{network, array};
  auto const first = make_planner("flexflow", options("random", 3))->solve(problem);
  auto const second = make_planner("flexflow", options("random", 3))->solve(problem);
  EXPECT_EQ(write_config(to_config(first, network)), write_config(to_config(second, network)));
}

TEST(FlexFlow, IsNoLongerThanDataParallelismAndPlansWithOneOperator) {
  auto const network = test::network_of(R"(
schema: tessera.network/1
name: one
batch: 8
element: fp32
input: {name: x, features: 512}
operators:
  - {name: only, kind: linear, input: x, outputs: 512}
)");
  auto const array = few("4");
  Problem const problem{network, array};
  auto const plan = make_planner("flexflow", options("all", 1))->solve(problem);
  auto const data_parallel = plan_of("", problem, data_parallel_strategy(problem));
  EXPECT_LE(length_of(problem, plan), length_of(problem, data_parallel));
}

TEST(FlexFlow, NeverAcceptsWhatDoesNotFit) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const unlimited = few("4");
  Problem const problem{network, unlimited};
  auto const larger = make_planner("flexflow", options("data-parallel", 1))->solve(problem);
  auto const held = fullest(problem, larger).footprint.total();
  auto const array = few("4", std::to_string(held.value() - 1) + " B");
  Problem const limited{network, array};
  auto const plan = make_planner("flexflow", options("data-parallel", 1))->solve(limited);
  EXPECT_TRUE(fullest(limited, plan).fits());
}

TEST(FlexFlow, RefusesValuesThatMeanNothing) {
  auto const made_with = [](std::string const& key, std::string const& value) {
    return test::error_message(
        [&] { return make_planner("flexflow", ConfigNode::map().add(key, value)); });
  };
  EXPECT_EQ(made_with("propagation", "2"), "propagation: must be at most 1");
  EXPECT_EQ(made_with("proposals", "0"), "proposals: must be at least 1");
  EXPECT_EQ(made_with("beta", "-1"), "beta: must be at least 0");
}

}  // namespace
}  // namespace tessera::partition

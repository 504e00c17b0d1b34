#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/planners/planning_context.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/search/strategy_search.hpp"
#include "test/support/cases/cases.hpp"
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

ConfigNode options(std::string const& initial, int seed, std::string const& proposals = "300") {
  return ConfigNode::map()
      .add("initial", initial)
      .add("seed", std::to_string(seed))
      .add("proposals", proposals);
}

/// By trying all strategies.
Time shortest(Problem const& problem) {
  auto const all = ConfigNode::map().add("oracle_of", "flexflow").add("devices", "runs");
  return length_of(problem, make_planner("exhaustive", all)->solve(problem));
}

void expect_to_be_found(Problem const& problem, Time best, int seeds) {
  for (auto const* const initial : {"data-parallel", "random"}) {
    for (int seed = 1; seed <= seeds; ++seed) {
      auto const search = options(initial, seed, "2000").add("devices", "runs");
      auto const plan = make_planner("flexflow", search)->solve(problem);
      EXPECT_EQ(length_of(problem, plan), best) << initial << ", seed " << seed;
    }
  }
}

TEST(FlexFlow, FindsTheShortestStepOfSmallNetworksFromDataParallelAndFromRandom) {
  auto const array = few("2");
  for (auto const& network : {branches(), two_steps()}) {
    Problem const problem{network, array};
    expect_to_be_found(problem, shortest(problem), 10);
  }
}

/// Of 137,561 strategies on four accelerators; under sanitizers on two. search_long_tests has more
/// seeds, and two steps of a language model.
TEST(FlexFlow, FindsTheShortestStepOfLeNetFromDataParallelAndFromRandom) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few(test::is_sanitized() ? "2" : "4");
  Problem const problem{network, array};
  expect_to_be_found(problem, shortest(problem), 4);
}

TEST(FlexFlow, TriesAllStrategiesOnlyOfWhatIsSmall) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = few("4");
  auto const all = ConfigNode::map().add("oracle_of", "flexflow");
  EXPECT_EQ(test::error_message([&] {
              static_cast<void>(make_planner("exhaustive", all)->solve({network, array}));
            }),
            "planner.oracle_of: there are more than 4000000 strategies; use a smaller network, "
            "fewer accelerators, or planner.devices=aligned");
}

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

/// Where nothing overlaps and links have no latency, the timeline is the sum, which OptCNN's
/// dynamic programme minimises; where all accelerators have a part of all operators, their spaces
/// meet on chains.
TEST(FlexFlow, EqualsOptCnnOnChainsWhereTheirSpacesAndTheirPricesMeet) {
  auto const array = arch::load(
      "p100-16", {"accelerators=4", "fabric.topology.shape=[4]", "execution.overlap=none",
                  "fabric.topology.links=[{bandwidth: 100 Gb/s, latency: 0 ns}]"});
  for (auto const* const name : {"hypar/lenet-c", "hypar/sconv", "hypar/alexnet"}) {
    auto const network = workloads::load(name);
    Problem const problem{network, array};
    auto const optcnn = strategy_of(make_planner("optcnn")->solve(problem));
    auto const shortest_sum = length_of(problem, plan_of("", problem, optcnn));
    for (auto const* const initial : {"data-parallel", "random"}) {
      auto const search = options(initial, 1, "1000").add("devices", "whole");
      auto const found = make_planner("flexflow", search)->solve(problem);
      EXPECT_EQ(length_of(problem, found), shortest_sum) << name << ' ' << initial;
    }
  }
}

using testing::Contains;
using testing::HasSubstr;

TEST(FlexFlow, InterruptedIsTheBestPlanSoFar) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  for (auto const* const planner : {"flexflow", "colocrl"}) {
    for (int asked_before : {0, 3, 50, 400}) {
      PlanningContext context;
      context.is_interrupted = [left = asked_before]() mutable { return left-- <= 0; };
      auto const plan = make_planner(planner)->solve({network, array, &context});
      EXPECT_NO_THROW(validate(plan, network, array)) << planner << ' ' << asked_before;
      EXPECT_THAT(plan.history, Contains(HasSubstr("interrupted"))) << planner;
      EXPECT_LE(plan.evaluations, asked_before + 3) << planner;
    }
  }
}

TEST(FlexFlow, TriesAsManyPlansAsItsBudgetSays) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  for (auto const* const planner : {"flexflow", "colocrl"}) {
    for (std::int64_t budget : {1, 2, 50}) {
      auto const options = ConfigNode::map().add("budget", std::to_string(budget));
      auto const plan = make_planner(planner, options)->solve({network, array});
      EXPECT_EQ(plan.evaluations, budget) << planner;
      EXPECT_THAT(plan.history, Contains(HasSubstr("out of budget"))) << planner;
    }
  }
}

/// On 16 accelerators an operator has hundreds of configurations.
TEST(FlexFlow, PolishesWithAsManyProposalsAsAChainHas) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const plan =
      make_planner("flexflow", options("data-parallel", 1, "20"))->solve({network, array});
  EXPECT_GT(plan.evaluations, 20);
  EXPECT_LE(plan.evaluations, 20 + 20 + 3);  // where they begin, and a move of two
}

TEST(FlexFlow, ABudgetInSecondsEndsTheSearchAndSaysThatItDependsOnTheMachine) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  for (auto const* const planner : {"flexflow", "colocrl"}) {
    PlanningContext context;
    context.seconds = [now = 0.0]() mutable { return now += 0.01; };
    auto const options = ConfigNode::map().add("budget", "1 s");
    auto const plan = make_planner(planner, options)->solve({network, array, &context});
    EXPECT_THAT(plan.history, Contains(HasSubstr("another machine"))) << planner;
    EXPECT_LE(plan.evaluations, 101) << planner;
  }
}

TEST(FlexFlow, TellsHowFarItIsAndTheBestSoFar) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  for (auto const* const planner : {"flexflow", "colocrl"}) {
    std::vector<SearchProgress> told;
    PlanningContext context;
    context.progress = [&](SearchProgress const& progress) { told.push_back(progress); };
    auto const options = ConfigNode::map().add("budget", "60");
    Problem const problem{network, array, &context};
    auto const plan = make_planner(planner, options)->solve(problem);
    ASSERT_FALSE(told.empty()) << planner;
    EXPECT_EQ(told.back().evaluations, plan.evaluations) << planner;
    EXPECT_EQ(told.back().at_most, 60) << planner;
    EXPECT_EQ(told.back().best, length_of(problem, plan)) << planner;
  }
}

/// With twice the time for everything on cores, and nothing else changed, the step is longer.
TEST(FlexFlow, HasOperatorTimesOfTheCoresWhereTheyAreAskedFor) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = few("4");
  PlanningContext context;
  int asked = 0;
  context.core_times = [&asked, peak = peak_rates()](auto const&... of) {
    ++asked;
    return 2 * peak(of...);
  };
  for (auto const* const planner : {"flexflow", "colocrl"}) {
    auto of_peak = ConfigNode::map().add("budget", "60");
    static_cast<void>(make_planner(planner, of_peak)->solve({network, array, &context}));
    EXPECT_EQ(asked, 0) << planner;
    auto of_cores = ConfigNode::map().add("budget", "60").add("times", "core");
    auto const plan = make_planner(planner, of_cores)->solve({network, array, &context});
    EXPECT_GT(asked, 0) << planner;
    EXPECT_THAT(plan.history, Contains(HasSubstr("of the array's cores"))) << planner;
    asked = 0;
  }
}

TEST(FlexFlow, RefusesValuesThatMeanNothing) {
  auto const made_with = [](std::string const& key, std::string const& value) {
    return test::error_message(
        [&] { return make_planner("flexflow", ConfigNode::map().add(key, value)); });
  };
  EXPECT_EQ(made_with("propagation", "2"), "propagation: must be at most 1");
  EXPECT_EQ(made_with("proposals", "0"), "proposals: must be at least 1");
  EXPECT_EQ(made_with("beta", "-1"), "beta: must be at least 0");
  for (auto const* const none : {"0", "0 s"}) {
    EXPECT_EQ(made_with("budget", none),
              "budget: a search tries at least one plan; use 1 or more, or a time");
  }
}

}  // namespace
}  // namespace tessera::partition

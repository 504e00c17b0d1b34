// Laws of weights that operators share: what is priced is sent, every copy is updated once with the gradients of all, and stages that
// have copies wait for each other and for nobody else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/work.hpp"
#include "partition/step/step.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/in_flight_law.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/pipeline_laws.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/tied_words.hpp"
#include "test/support/two_speeds.hpp"
#include "traces/sink.hpp"

namespace tessera {
namespace {

using partition::Plan;
using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

Network random_tied_network(std::mt19937_64& random, int levels) {
  test::RandomNetworkOptions options;
  options.levels = levels;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  options.operators = 8;
  options.weights = test::RandomNetworkOptions::Weights::tied;
  return test::random_network(random, options);
}

bool is_valid(Plan const& plan, Network const& network, arch::ArraySpec const& array) {
  try {
    validate(plan, network, array);
  } catch (ConfigError const&) {
    return false;  // stages with tied weights that are updated after other micro-batches
  }
  return true;
}

/// A network whose weights are tied over operators, under a schedule on stages, all drawn.
struct TiedPipeline {
  TiedPipeline(std::uint64_t seed, arch::ArraySpec const& array) {
    std::mt19937_64 random{seed};
    network = random_tied_network(random, 6);
    auto const& schedule = test::every_schedule[seed % test::every_schedule.size()];
    name = "seed " + std::to_string(seed) + ", " + schedule;
    do {
      plan = test::random_staged_plan(*network, array, random, schedule);
    } while (!is_valid(plan, *network, array));
  }
  std::string name;
  std::optional<Network> network;
  Plan plan;
};

/// Of one stage: another sharding for the gradients of every third operator.
Plan with_phases(Plan plan, Network const& network, std::mt19937_64& random) {
  auto const others = test::random_plan(network, arch::load(plan.array), random);
  for (auto const op : network.operators().ids()) {
    if (network.at(op).weight && random() % 3 == 0) {
      plan.phase_splits.emplace(std::pair{op, Phase::backward_weight}, others.splits[op]);
    }
  }
  return plan;
}

TEST(TiedWeights, PricedBytesAreSentInOneStageHoweverTheirOperatorsAreSplit) {
  auto const array = arch::load("hypar-paper");
  for (std::uint64_t seed = 1; seed <= test::cases(150); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const network = random_tied_network(random, 4);
    auto plan = test::random_plan(network, array, random);
    if (seed % 2 == 0) plan = with_phases(std::move(plan), network, random);
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)),
              partition::cost({network, array}, plan).communication)
        << network.source_text();
  }
}

TEST(TiedWeights, PricedBytesAreSentWithUnequalShares) {
  auto const array = test::two_speeds(4, 2, 3);
  for (std::uint64_t seed = 1; seed <= test::cases(150); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const network = random_tied_network(random, 4);
    auto plan = test::random_plan(network, array, random);
    test::unbalance(plan, random, 4);
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)),
              partition::cost({network, array}, plan).communication)
        << network.source_text();
  }
}

TEST(TiedWeights, PricedBytesAreSentOverStagesUnderAnySchedule) {
  auto const array = arch::load("hypar-paper");
  Folding const whole{16};
  for (std::uint64_t seed = 1; seed <= test::cases(270); ++seed) {
    TiedPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    auto const priced = partition::cost({*drawn.network, array}, drawn.plan).communication;
    EXPECT_EQ(sim::transferred_in(sim::lower(*drawn.network, array, drawn.plan)), priced)
        << drawn.network->source_text();
    if (seed % 3 > 0 || drawn.plan.pipeline->schedule == "pipedream") continue;
    EXPECT_EQ(sim::transferred_in(sim::lower(*drawn.network, array, drawn.plan, whole, 3)),
              3 * priced);
  }
}

/// Time and fingerprint of a run, or what it is stuck with; run() checks the conservation laws.
std::string outcome(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                    std::int64_t steps, sim::RunOptions const& options = {}) {
  return test::forked([&] {
    traces::NullSink sink;
    Folding const whole{static_cast<std::size_t>(array.accelerators)};
    auto const tasks = sim::lower(network, array, plan, whole, steps);
    auto const report = sim::run(array, tasks, sink, options);
    if (!report.stuck.empty()) return "stuck: " + report.stuck.front();
    sim::check_in_flight(plan, steps, tasks, report.summary);
    return std::to_string(report.summary.time.value()) + " " +
           std::to_string(report.summary.fingerprint);
  });
}

TEST(TiedWeights, EveryScheduleRunsToItsEndWhateverTheOrderOfModules) {
  for (std::uint64_t seed = 1; seed <= test::cases(54); ++seed) {
    std::string const overlap = seed % 2 == 0 ? "none" : "communication";
    auto const array = arch::load("hypar-paper", {"execution.overlap=" + overlap});
    TiedPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    sim::RunOptions shuffled;
    shuffled.module_order = sim::RunOptions::ModuleOrder::reverse;
    shuffled.shuffle_seed = seed;
    auto const steps = static_cast<std::int64_t>(1 + seed % 3);
    auto const straight = outcome(*drawn.network, array, drawn.plan, steps);
    EXPECT_THAT(straight, testing::Not(testing::HasSubstr("stuck")));
    EXPECT_EQ(outcome(*drawn.network, array, drawn.plan, steps, shuffled), straight);
  }
}

TEST(TiedWeights, EveryMicroBatchPassesOnce) {
  auto const array = arch::load("hypar-paper");
  for (std::uint64_t seed = 1; seed <= test::cases(90); ++seed) {
    TiedPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    auto const graph = sim::lower(*drawn.network, array, drawn.plan);
    EXPECT_EQ(test::macs_of_passes(graph), test::macs_of_passes(*drawn.network, array));
  }
}

/// The computations that a task waits for, itself or through others, by task.
std::vector<bool> computations_before(sim::TaskGraph const& graph, sim::TaskId update) {
  std::vector<sim::TaskId> open = {update};
  std::vector<bool> found(graph.size(), false);
  while (!open.empty()) {
    auto const task = open.back();
    open.pop_back();
    for (auto const before : graph.after(task)) {
      if (!found[before.index()]) open.push_back(before);
      found[before.index()] = true;
    }
  }
  return found;
}

/// The computations of an operator's phase.
std::vector<sim::TaskId> tied_computations(sim::TaskGraph const& graph, OperatorId op,
                                           Phase phase) {
  std::vector<sim::TaskId> found;
  for (auto const id : graph.tasks().ids()) {
    auto const& task = graph.at(id);
    bool const is_of_it = task.op == op && task.phase == phase;
    if (is_of_it && task.kind == sim::TaskKind::compute) found.push_back(id);
  }
  return found;
}

/// That of each copy of the weights the last update is of all gradients of all operators that share
/// them, of every micro-batch.
TEST(TiedWeights, EveryCopyIsUpdatedOnceWithTheGradientsOfAllOperators) {
  auto const array = arch::load("hypar-paper", {"execution.overlap=communication"});
  int ties = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    TiedPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    auto const& network = *drawn.network;
    auto const graph = sim::lower(network, array, drawn.plan);
    auto const step = partition::step_of(network, drawn.plan);
    for (auto const op : network.operators().ids()) {
      auto const updates = tied_computations(graph, op, Phase::update);
      bool const holds = network.at(op).weight && step.weight_holders[op] == op;
      EXPECT_EQ(updates.empty(), !holds);
      if (updates.empty()) continue;
      auto const before = computations_before(graph, updates.back());
      for (auto const other : network.at(network.at(op).weight->tensor).consumers) {
        std::set<std::int64_t> taken;
        std::set<std::int64_t> all;
        for (auto const gradient : tied_computations(graph, other, Phase::backward_weight)) {
          auto const micro_batch = graph.passage_of(gradient).micro_batch;
          all.insert(micro_batch);
          if (before[gradient.index()]) taken.insert(micro_batch);
        }
        EXPECT_EQ(taken, all) << network.at(other).name << " for " << network.at(op).name;
        ties += other != op ? 1 : 0;
      }
    }
  }
  EXPECT_GT(ties, 100);
}

double simulated_s(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                   std::int64_t steps = 1) {
  return seconds(Time{std::stoll(outcome(network, array, plan, steps))});
}

TEST(TiedWeights, TheirSumIsPricedAsItIsSimulatedOnLinksFastAndSlow) {
  auto const network = test::words(test::Output::tied);
  for (auto const* const bandwidth : {"1 Tb/s", "100 Gb/s", "20 Gb/s"}) {
    auto const array =
        arch::load("hypar-paper", {"accelerators=4", "execution.overlap=communication",
                                   std::string{"fabric.link.bandwidth="} + bandwidth});
    for (auto const* const schedule : {"gpipe", "1f1b", "zb-h1", "2bw"}) {
      SCOPED_TRACE(std::string{schedule} + " " + bandwidth);
      auto const plan = test::straight_plan(network, array, schedule);
      auto const priced = partition::cost({network, array}, plan).time_s();
      EXPECT_NEAR(simulated_s(network, array, plan) / priced, 1, 0.001);
    }
  }
}

/// PipeDream's stages update after every micro-batch: the next one can be begun only when the
/// gradients of all copies are there, and nothing is left of the pipeline.
TEST(TiedWeights, AStageWaitsForTheUpdateOfAnotherWithACopyOfItsWeights) {
  auto const array =
      arch::load("hypar-paper", {"accelerators=4", "execution.overlap=communication"});
  auto const tied = test::words(test::Output::tied);
  auto const untied = test::words(test::Output::own);
  auto const added_s = [&](char const* schedule, std::int64_t steps) {
    return simulated_s(tied, array, test::straight_plan(tied, array, schedule), steps) -
           simulated_s(untied, array, test::straight_plan(untied, array, schedule), steps);
  };
  EXPECT_GT(added_s("pipedream", 1), 2 * added_s("1f1b", 1));
  EXPECT_GT(added_s("1f1b", 2), 1.5 * added_s("1f1b", 1));
}

TEST(TiedWeights, FoldingChangesNothing) {
  auto const array = arch::load("hypar-paper");
  auto const network = test::words(test::Output::tied);
  for (auto const dim : {workloads::Dim::n, workloads::Dim::k}) {
    auto const plan = test::whole_array_plan(network, array, dim, workloads::Dim::k);
    auto const folding = partition::symmetry({network, array}, plan);
    EXPECT_LT(folding.representatives(), 16U);
    auto const folded = test::forked([&] {
      traces::NullSink sink;
      auto const tasks = sim::lower(network, array, plan, folding);
      return std::to_string(sim::run(array, tasks, sink).summary.time.value());
    });
    EXPECT_EQ(seconds(Time{std::stoll(folded)}), simulated_s(network, array, plan));
  }
}

}  // namespace
}  // namespace tessera

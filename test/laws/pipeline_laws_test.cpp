// Laws of plans with stages: what is priced is sent, nothing is lost on the way, and programs take the time that their order says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/work.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/network_text.hpp"
#include "test/support/pipeline_laws.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "traces/sink.hpp"

namespace tessera {
namespace {

using partition::Plan;
using workloads::Network;
using workloads::Phase;

Network random_network(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.levels = 6;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  return test::random_network(random, options);
}

/// All of its stages make their activations anew.
Plan recomputed(Plan plan) {
  for (auto& stage : plan.pipeline->stages) {
    stage.activations = partition::Stage::Activations::recomputed;
  }
  return plan;
}

/// Of every third round through the schedules, where there is an order.
Plan sometimes_recomputed(Plan plan, std::uint64_t seed) {
  bool const can = plan.pipeline->schedule != partition::Pipeline::layerwise;
  return can && seed / test::every_schedule.size() % 3 == 0 ? recomputed(std::move(plan)) : plan;
}

/// A network under a schedule on stages, all drawn.
struct RandomPipeline {
  RandomPipeline(std::uint64_t seed, arch::ArraySpec const& array) {
    std::mt19937_64 random{seed};
    network = random_network(random);
    auto const& schedule = test::every_schedule[seed % test::every_schedule.size()];
    name = "seed " + std::to_string(seed) + ", " + schedule;
    stored = test::random_staged_plan(*network, array, random, schedule);
    plan = sometimes_recomputed(stored, seed);
  }
  std::string name;
  std::optional<Network> network;
  Plan stored;  ///< with all activations
  Plan plan;    ///< with some of them, perhaps
};

/// Time and fingerprint of a run, or what it is stuck with; run() checks the conservation laws.
std::string outcome(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                    sim::RunOptions const& options = {}) {
  return test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan), sink, options);
    if (!report.stuck.empty()) return "stuck: " + report.stuck.front();
    return std::to_string(report.summary.time.value()) + " " +
           std::to_string(report.summary.fingerprint);
  });
}

Time simulated_pipeline(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  return Time{std::stoll(outcome(network, array, plan))};
}

TEST(PipelineLaws, SimulatedBytesAreThePredictedOnes) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  for (std::uint64_t seed = 1; seed <= test::cases(500); ++seed) {
    RandomPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    validate(drawn.plan, *drawn.network, array);
    EXPECT_EQ(sim::transferred_in(sim::lower(*drawn.network, array, drawn.plan)),
              partition::cost({*drawn.network, array}, drawn.plan).communication)
        << drawn.network->source_text();
  }
}

TEST(PipelineLaws, EveryScheduleRunsToItsEndWhateverTheOrderOfModules) {
  for (std::uint64_t seed = 1; seed <= test::cases(108); ++seed) {
    std::string const overlap = seed % 2 == 0 ? "none" : "communication";
    auto const array =
        arch::load("hypar-paper", {"accelerators=16", "execution.overlap=" + overlap});
    RandomPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    sim::RunOptions shuffled;
    shuffled.module_order = sim::RunOptions::ModuleOrder::reverse;
    shuffled.shuffle_seed = seed;
    auto const straight = outcome(*drawn.network, array, drawn.plan);
    EXPECT_THAT(straight, testing::Not(testing::HasSubstr("stuck")));
    EXPECT_EQ(outcome(*drawn.network, array, drawn.plan, shuffled), straight);
  }
}

/// As the array's units count them.
Macs macs_of(Network const& network, arch::ArraySpec const& array, Phase phase) {
  Macs sum{0};
  for (auto const& op : network.operators()) {
    if (op.has(phase)) sum += partition::macs_charged(array.accelerator(0), op, phase);
  }
  return sum;
}

TEST(PipelineLaws, EveryMicroBatchPassesOnce) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  for (std::uint64_t seed = 1; seed <= test::cases(500); ++seed) {
    RandomPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    auto const& network = *drawn.network;
    auto const& plan = drawn.stored;
    // Every axis but the replicas' splits the operators' loops, and replicas have micro-batches of
    // their own.
    auto const passes = test::macs_of_passes(network, array);
    EXPECT_EQ(test::macs_of_passes(sim::lower(network, array, plan)), passes)
        << network.source_text();
    if (plan.pipeline->schedule == partition::Pipeline::layerwise) continue;
    EXPECT_EQ(test::macs_of_passes(sim::lower(network, array, recomputed(plan))),
              passes + macs_of(network, array, Phase::recompute))
        << network.source_text();
  }
}

/// The computations that some tasks wait for, with none in between.
std::vector<bool> computations_before(sim::TaskGraph const& graph, std::vector<sim::TaskId> tasks) {
  std::vector<bool> found(graph.size(), false);
  while (!tasks.empty()) {
    auto const task = tasks.back();
    tasks.pop_back();
    for (auto const before : graph.after(task)) {
      bool const computes = graph.at(before).kind == sim::TaskKind::compute;
      if (!found[before.index()] && !computes) tasks.push_back(before);
      found[before.index()] = true;
    }
  }
  return found;
}

/// The computations of an operator's phase, per accelerator.
using Computations = std::map<std::size_t, std::vector<sim::TaskId>>;
Computations computations_of(sim::TaskGraph const& graph, workloads::OperatorId op, Phase phase) {
  Computations found;
  for (auto const id : graph.tasks().ids()) {
    auto const& task = graph.at(id);
    bool const is_of_it = task.op == op && task.phase == phase;
    if (is_of_it && task.kind == sim::TaskKind::compute) {
      found[task.accelerator.index()].push_back(id);
    }
  }
  return found;
}

/// How often the weights of a stage are updated in a step, by its schedule.
std::size_t updates_of(Plan const& plan, workloads::OperatorId op, Network const& network) {
  auto const& pipeline = *plan.pipeline;
  if (pipeline.schedule == partition::Pipeline::layerwise) return 1;
  auto const stage = partition::parts_of(pipeline, network)[op].stage;
  auto const order = partition::program_of(pipeline, 1).orders[stage.index()].front();
  return static_cast<std::size_t>(std::count_if(
      order.begin(), order.end(),
      [](partition::Slot const& slot) { return slot.pass == partition::Pass::update; }));
}

// That gradients of other replicas are summed into them, too, the bytes of the sums are held to above.
TEST(PipelineLaws, WeightsAreUpdatedAsOftenAsTheScheduleSaysAndWithAllGradients) {
  auto const array =
      arch::load("hypar-paper", {"accelerators=16", "execution.overlap=communication"});
  for (std::uint64_t seed = 1; seed <= test::cases(500); ++seed) {
    RandomPipeline const drawn{seed, array};
    SCOPED_TRACE(drawn.name);
    auto const graph = sim::lower(*drawn.network, array, drawn.plan);
    for (auto const op : drawn.network->operators().ids()) {
      auto const updates = computations_of(graph, op, Phase::update);
      auto const gradients = computations_of(graph, op, Phase::backward_weight);
      for (auto const& [accelerator, tasks] : updates) {
        EXPECT_EQ(tasks.size(), updates_of(drawn.plan, op, *drawn.network));
        auto const taken = computations_before(graph, tasks);
        for (auto const gradient : gradients.at(accelerator)) {
          EXPECT_TRUE(taken[gradient.index()]) << graph.describe(gradient);
        }
      }
      EXPECT_EQ(updates.size(), gradients.size());
    }
  }
}

/// Four equal layers, one to a stage: F = B = W.
Network chain(std::string const& width = "512") {
  test::NetworkText text;
  text.input = "{name: x, features: " + width + "}";
  text.batch = "64";
  text.more = "training: {input_error: computed}\n";
  auto const end = ", outputs: " + width + "}";
  return test::network_of(text.with(
      {"{name: a, kind: linear, input: x" + end, "{name: b, kind: linear, input: a" + end,
       "{name: c, kind: linear, input: b" + end, "{name: d, kind: linear, input: c" + end}));
}

/// Of chain(), 8 micro-batches.
Plan one_layer_a_stage(Network const& network, std::string const& schedule) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  Plan plan;
  plan.planner = "test";
  plan.network = network.name();
  plan.array = array.name;
  plan.batch = network.batch();
  plan.accelerators = array.accelerators;
  auto& pipeline = plan.pipeline.emplace();
  pipeline.schedule = schedule;
  pipeline.micro_batches = 8;
  for (auto const op : network.operators().ids()) {
    plan.splits.push_back({});
    pipeline.stages.push_back({{{op.index()}, {}}, 1, {{op}}});
  }
  return plan;
}

TEST(PipelineLaws, SkippingChangesNothing) {
  auto const network = chain("64");
  auto const array = arch::load("hmc-htree-16", {"accelerators=4"});
  for (auto const* const schedule : {"layerwise", "gpipe", "1f1b", "zb-h2", "pipedream", "2bw"}) {
    SCOPED_TRACE(schedule);
    auto const plan = one_layer_a_stage(network, schedule);
    sim::RunOptions in_full;
    in_full.fast_forward = sim::PhaseMemo::Use::off;
    EXPECT_EQ(outcome(network, array, plan, in_full), outcome(network, array, plan));
  }
}

/// In times of one phase of a micro-batch, on links that take next to no time.
double simulated_phases(std::string const& schedule, partition::Stage::Activations activations =
                                                         partition::Stage::Activations::stored) {
  auto const network = chain();
  auto const array =
      arch::load("hypar-paper", {"accelerators=4", "execution.overlap=communication",
                                 "fabric.link.bandwidth=400 Tb/s", "fabric.link.latency=1 ps"});
  auto plan = one_layer_a_stage(network, schedule);
  for (auto& stage : plan.pipeline->stages) stage.activations = activations;
  auto const& unit = array.accelerator(0);
  auto const macs_per_second =
      static_cast<double>(unit.macs_per_cycle()) * static_cast<double>(unit.clock.value());
  double const phase_s = 8.0 * 512 * 512 / macs_per_second;  // 8 samples
  return seconds(simulated_pipeline(network, array, plan)) / phase_s;
}

// training_at_scale.md's table (Huang et al.; Narayanan et al.; Qi et al.), m = 8, p = 4, F = B = W
// = 1. Each pass costs some clocks of issue, arrival and hops besides.
TEST(PipelineLaws, AStepTakesWhatTheScheduleSays) {
  double const clocks = 0.15;
  EXPECT_NEAR(simulated_phases("gpipe"), (8 + 4 - 1) * 3, clocks);
  EXPECT_NEAR(simulated_phases("1f1b"), (8 + 4 - 1) * 3, clocks);
  EXPECT_NEAR(simulated_phases("zb-h1"), 8 * 3 + (4 - 1) * 1, clocks);
  EXPECT_NEAR(simulated_phases("zb-h2"), 8 * 3 + (4 - 1) * 1, clocks);
}

/// A backward unit is a third longer: four passes for three.
TEST(PipelineLaws, RecomputingTakesAForwardPassMore) {
  double const clocks = 0.15;
  auto const recomputed = partition::Stage::Activations::recomputed;
  EXPECT_NEAR(simulated_phases("gpipe", recomputed), (8 + 4 - 1) * 4, clocks);
  EXPECT_NEAR(simulated_phases("1f1b", recomputed), (8 + 4 - 1) * 4, clocks);
}

TEST(PipelineLaws, RecomputingIsPricedAsItIsSimulated) {
  auto const network = chain();
  auto const array =
      arch::load("hypar-paper", {"accelerators=4", "execution.overlap=communication",
                                 "fabric.link.bandwidth=400 Tb/s", "fabric.link.latency=1 ps"});
  for (auto const* const schedule : {"gpipe", "1f1b", "zb-h1", "2bw"}) {
    SCOPED_TRACE(schedule);
    auto const plan = recomputed(one_layer_a_stage(network, schedule));
    auto const priced = partition::cost({network, array}, plan).time_s();
    EXPECT_NEAR(seconds(simulated_pipeline(network, array, plan)) / priced, 1, 0.005);
  }
}

}  // namespace
}  // namespace tessera

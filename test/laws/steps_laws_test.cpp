// Laws of runs of several steps: steps add up, a steady state is what the stages' orders and times say, and what is in flight is what
// the footprint counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/in_flight_law.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/network_text.hpp"
#include "test/support/pipedream_events.hpp"
#include "test/support/pipeline/staged_chain.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_pipeline.hpp"
#include "test/support/random_plan.hpp"
#include "traces/sink.hpp"

namespace tessera {
namespace {

using partition::Plan;
using test::Draw;
using workloads::Network;

/// What a test needs of a run's summary, as text.
std::string text_of(traces::RunSummary const& summary) {
  auto text =
      std::to_string(summary.time.value()) + ' ' + std::to_string(summary.first_step.value());
  auto const steady = summary.steady.value_or(traces::SteadyState{});
  text.append(" ").append(std::to_string(steady.period.value()));
  text.append(" ").append(std::to_string(steady.micro_batches));
  for (auto const& entry : summary.stages) {
    text.append(" ").append(std::to_string(entry.compute.value()));
  }
  return text;
}

struct Measured {
  std::int64_t time = 0;
  std::int64_t first_step = 0;
  std::int64_t period = 0;  ///< 0: none was found
  std::int64_t micro_batches = 0;
  std::vector<std::int64_t> compute;  ///< by stage and accelerator
};

Measured measured_from(std::string const& text) {
  std::istringstream in{text};
  Measured measured;
  in >> measured.time >> measured.first_step >> measured.period >> measured.micro_batches;
  for (std::int64_t compute = 0; in >> compute;) measured.compute.push_back(compute);
  return measured;
}

/// Runs and checks the laws, that of what is in flight among them.
Measured simulated_steps(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                         std::int64_t steps) {
  return measured_from(test::forked([&] {
    Folding const whole{static_cast<std::size_t>(array.accelerators)};
    auto const tasks = sim::lower(network, array, plan, whole, steps);
    traces::NullSink sink;
    auto const report = sim::run(array, tasks, sink);
    if (!report.stuck.empty()) throw std::runtime_error{report.stuck.front()};
    sim::check_in_flight(plan, steps, tasks, report.summary);
    return text_of(report.summary);
  }));
}

Network random_dag(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.levels = 6;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  return test::random_network(random, options);
}

std::vector<std::string> const all_schedules = {"layerwise", "gpipe",     "1f1b", "zb-h1",
                                                "zb-h2",     "pipedream", "2bw"};

TEST(StepsLaws, StepsAddUpUnderAnyPlanAndSchedule) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  for (std::uint64_t seed = 1; seed <= test::cases(70); ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random);
    auto const& schedule = all_schedules[seed % all_schedules.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule);
    auto const plan = seed % 8 == 0 ? test::random_plan(network, array, random)
                                    : test::random_staged_plan(network, array, random, schedule);
    Folding const whole{16};
    auto const one = sim::lower(network, array, plan, whole, 1);
    auto const three = sim::lower(network, array, plan, whole, 3);
    EXPECT_EQ(transferred_in(three), 3 * partition::cost({network, array}, plan).communication);
    EXPECT_EQ(macs_of(three), 3 * macs_of(one));
    EXPECT_EQ(three.size(), 3 * one.size());
  }
}

TEST(StepsLaws, WhatIsInFlightIsWhatOrdersSayUnderAnySchedule) {
  for (std::uint64_t seed = 1; seed <= test::cases(42); ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random);
    auto const& schedule = all_schedules[seed % all_schedules.size()];
    auto const* const overlap =
        seed % 2 == 0 ? "execution.overlap=none" : "execution.overlap=communication";
    auto const array = arch::load("hypar-paper", {"accelerators=16", overlap});
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule + ", " + overlap);
    auto const plan = test::random_staged_plan(network, array, random, schedule);
    EXPECT_NO_THROW(static_cast<void>(simulated_steps(network, array, plan, 1 + seed % 3)));
  }
}

/// Stages of one operator each on profiled units, without a clock to spare; a clock is 1000 ps.
Measured simulated_chain(std::string const& schedule, partition::PipelineShape const& shape,
                         test::PipelineTimes const& times) {
  test::StagedChain chain;
  chain.schedule = schedule;
  chain.shape = shape;
  chain.times = times;
  auto const network = network_of(chain);
  auto const array = array_of(chain);
  return simulated_steps(network, array, plan_of(chain, network, array), shape.steps);
}

TEST(StepsLaws, TheSteadyPeriodOfAStraightPipelineIsItsSlowestStage) {
  Draw draw{31};
  for (int i = 0; i < 16; ++i) {
    auto const p = draw(1, 5);
    auto const* const schedule = i % 2 == 0 ? "pipedream" : "2bw";
    auto const shape = test::straight(p, p + draw(0, 2), 1, 12);
    auto const times = random_stage_times(shape, draw);
    auto const run = simulated_chain(schedule, shape, times);
    std::int64_t slowest = 0;
    for (auto const& stage : times.stages) slowest = std::max(slowest, stage.sum());
    ASSERT_GT(run.period, 0) << schedule << ", p " << p;
    EXPECT_EQ(run.period, 1000 * slowest * run.micro_batches) << schedule << ", p " << p;
  }
}

TEST(StepsLaws, TheSteadyPeriodOfReplicasIsTheMaximumCycleRatioOfTheirRules) {
  Draw draw{32};
  for (int i = 0; i < 12; ++i) {
    partition::PipelineShape shape{test::random_replicas(draw, 3, 3)};
    auto const times = random_stage_times(shape, draw, 5);
    test::PipeDreamEvents const events{shape.replicas, times};
    shape.micro_batches = static_cast<std::int64_t>(events.round());
    shape.steps = 20 + 60 / shape.micro_batches;
    auto const run = simulated_chain("pipedream", shape, times);
    auto const expected = events.period();
    ASSERT_GT(run.period, 0) << "round of " << events.round();
    EXPECT_EQ(run.period * shape.micro_batches * expected.height,
              1000 * expected.weight * run.micro_batches)
        << "round of " << events.round();
  }
}

TEST(StepsLaws, AScheduleWithAFlushRepeatsItsStep) {
  Draw draw{33};
  for (auto const* const schedule : {"gpipe", "1f1b", "zb-h1", "zb-h2"}) {
    SCOPED_TRACE(schedule);
    auto shape = test::straight(3, 6);
    auto const times = random_stage_times(shape, draw, 5);
    auto const one = simulated_chain(schedule, shape, times);
    shape.steps = 6;
    auto const run = simulated_chain(schedule, shape, times);
    EXPECT_EQ(run.micro_batches, 6);
    EXPECT_EQ(run.first_step, one.time);
    // A stage's next step begins when its own weights are there, whatever others still do: the
    // twin knows.
    auto const twin = [&](std::int64_t steps) {
      shape.steps = steps;
      return 1000 * makespan(run_pipeline(test::program_of(schedule, shape), times));
    };
    EXPECT_EQ(run.time, twin(6));
    EXPECT_EQ(run.period, twin(6) - twin(5));
  }
}

TEST(StepsLaws, WithoutStagesStepsFollowEachOther) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  std::mt19937_64 random{5};
  auto const plan = test::random_plan(network, array, random);
  auto const one = simulated_steps(network, array, plan, 1);
  auto const five = simulated_steps(network, array, plan, 5);
  EXPECT_EQ(one.first_step, one.time);
  EXPECT_EQ(five.first_step, one.time);
  EXPECT_EQ(five.micro_batches, 1);
  EXPECT_EQ(five.time, five.first_step + 4 * five.period);
}

}  // namespace
}  // namespace tessera

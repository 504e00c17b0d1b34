// What a run leaves for the next one changes nothing but how long it takes: plans of one network on one array, one after another with kept
// programs and records, each as it runs alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "arch/array/load.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/simulated_evaluator.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "traces/fingerprint.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using workloads::Dim;

/// Detailed cores and memories, of one kind or of two halves.
arch::ArraySpec detailed_array(std::mt19937_64& random) {
  std::vector<std::string> settings = {
      "accelerators=4",
      "fabric={clock: 1 GHz, topology: htree, link: {bandwidth: 36 Gb/s, latency: 40 ns}}"};
  auto const kind = test::random_between(random, 0, 2);
  if (kind == 0) {
    settings.insert(settings.end(), {"groups.0.count=2", "groups.1.count=2"});
    return arch::load("tpu-v2v3-256", settings);
  }
  settings.push_back(kind == 1 ? "accelerator.memory.dram=hmc-2.1"
                               : "accelerator.memory.dram=tpu-v3");
  return arch::load("hmc-htree-16", settings);
}

workloads::Network network_of_four(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  options.operators = 4;
  options.levels = 4;
  options.map_levels = 2;
  return test::random_network(random, options);
}

/// The fingerprint, and every counter of every resource.
std::string text_of(sim::Report const& report) {
  std::ostringstream text;
  text << traces::to_hex(report.summary.fingerprint) << ' ' << report.summary.time << '\n';
  for (auto const& counter : report.summary.counters) {
    text << counter.resource << ' ' << counter.name << ' ' << counter.value << '\n';
  }
  return text.str();
}

TEST(KeptWork, ChangesNoRun) {
  std::int64_t saved = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(24); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const array = detailed_array(random);
    auto const network = network_of_four(random);
    sim::KeptWork kept;
    sim::RunOptions sharing;
    sharing.kept = &kept;
    std::vector<partition::Plan> plans;
    for (int i = 0; i < 3; ++i) {
      plans.push_back(test::random_plan(network, array, random, {Dim::n, Dim::c, Dim::k, Dim::h}));
    }
    plans.push_back(plans.front());
    for (auto const& plan : plans) {
      auto const tasks =
          sim::lower(network, array, plan, partition::symmetry({network, array}, plan));
      traces::NullSink nobody;
      auto const alone = sim::engine::run(array, tasks, nobody);
      auto const shared = sim::engine::run(array, tasks, nobody, sharing);
      ASSERT_EQ(text_of(shared), text_of(alone)) << network.source_text();
      saved += alone.worked_out_tiles - shared.worked_out_tiles;
      auto const time = alone.summary.time;
      EXPECT_EQ(sim::engine::run_time(array, tasks, sharing, time), time);
      EXPECT_EQ(sim::engine::run_time(array, tasks, sharing, time - Time{1}), std::nullopt);
    }
  }
  EXPECT_GT(saved, 0);
}

TEST(SimulatedEvaluator, SaysWhatSystemCSaysInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= test::cases(12); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const array = detailed_array(random);
    auto const network = network_of_four(random);
    auto const evaluator = sim::by_simulation()({network, array});
    std::vector<std::pair<partition::Plan, Time>> known;
    for (int i = 0; i < 3; ++i) {
      auto const plan = test::random_plan(network, array, random);
      auto const tasks = sim::lower(network, array, plan);
      traces::NullSink nobody;
      auto const by_engine = sim::engine::run(array, tasks, nobody);
      auto const on_systemc = test::forked([&] { return text_of(sim::run(array, tasks, nobody)); });
      ASSERT_EQ(text_of(by_engine), on_systemc) << network.source_text();
      known.emplace_back(plan, by_engine.summary.time);
    }
    for (auto const& [plan, time] : known) EXPECT_EQ(evaluator->evaluate(plan), time);
    std::reverse(known.begin(), known.end());
    for (auto const& [plan, time] : known) {
      EXPECT_EQ(evaluator->evaluate(plan, time), time);
      EXPECT_EQ(evaluator->evaluate(plan, time - Time{1}), std::nullopt);
    }
    EXPECT_EQ(evaluator->evaluations(), 9);
  }
}

}  // namespace
}  // namespace tessera

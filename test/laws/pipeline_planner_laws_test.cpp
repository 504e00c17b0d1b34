// Planners of pipelines on random networks: every plan is valid, moves what it is priced for, and runs to its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "traces/sink.hpp"

namespace tessera {
namespace {

using partition::Plan;
using workloads::Network;

struct PlannerCase {
  std::string planner;
  std::vector<std::pair<std::string, std::string>> options = {};
};

std::vector<PlannerCase> const pipeline_planners = {
    {"pipedream"},
    {"pipedream", {{"rule", "released"}, {"machines", "fewer"}}},
    {"pipedream", {{"schedule", "1f1b"}}},
    {"gpipe"},
    {"pipedream-2bw"},
    {"megatron"},
    {"megatron", {{"fit", "ignore"}, {"activations", "recomputed"}}},
    {"tp"},
};

Plan plan_for(PlannerCase const& one, Network const& network, arch::ArraySpec const& array) {
  auto options = ConfigNode::map();
  for (auto const& [key, value] : one.options) options.add(key, value);
  return partition::make_planner(one.planner, options)->solve({network, array});
}

arch::ArraySpec random_array(std::uint64_t seed) {
  auto const accelerators = std::vector<std::string>{"4", "8", "16", "12"}[seed % 4];
  std::vector<std::string> settings{"accelerators=" + accelerators};
  if (seed % 2 == 0) settings.emplace_back("execution.overlap=communication");
  if (seed % 3 == 0) {
    settings.emplace_back(
        "fabric={clock: 1 GHz, topology: {kind: tree, shape: [" +
        std::to_string(std::stoi(accelerators) / 4) +
        ", 4], links: [{bandwidth: 8 Gb/s, latency: 1 us}, {bandwidth: 80 Gb/s, latency: 0 s}]}}");
  }
  if (settings.size() == 3 && accelerators == "4") settings.pop_back();
  return arch::load("hypar-paper", settings);
}

/// What a run is stuck with, or nothing.
std::string stuck(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  return test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan), sink, {});
    return report.stuck.empty() ? std::string{} : report.stuck.front();
  });
}

TEST(PipelinePlannerLaws, PlansForRandomNetworksAreValidPricedAndRun) {
  for (std::uint64_t seed = 1; seed <= test::cases(60); ++seed) {
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 6;
    options.factor = 3;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const array = random_array(seed);
    auto const& planner = pipeline_planners[seed % pipeline_planners.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + planner.planner);
    auto const plan = plan_for(planner, network, array);
    validate(plan, network, array);
    EXPECT_GT(plan.predicted->time_s, 0);
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)), plan.predicted->communication);
    EXPECT_EQ(stuck(network, array, plan), "");
  }
}

/// Two towers of LSTMs, with a word's product at the end.
TEST(PipelinePlannerLaws, GnmtExpertsPlacementRuns) {
  test::NetworkText text;
  text.input = "{name: words, positions: 3}";
  text.batch = "8";
  auto const network = test::network_of(
      text.with({"{name: source, kind: embedding, input: words, entries: 16, outputs: 8}",
                 "{name: up, kind: lstm, input: source, hidden: 8}",
                 "{name: down, kind: lstm, input: source, hidden: 8}",
                 "{name: both, kind: concat, inputs: [up, down]}",
                 "{name: second, kind: lstm, input: both, hidden: 8}",
                 "{name: words_out, kind: linear, input: second, outputs: 16}"}));
  for (auto const* const accelerators : {"1", "4", "16"}) {
    auto const array = arch::load("hypar-paper", {std::string{"accelerators="} + accelerators});
    auto const plan = plan_for({"gnmt-expert", {{"fit", "ignore"}}}, network, array);
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)), plan.predicted->communication);
    EXPECT_EQ(stuck(network, array, plan), "");
  }
}

}  // namespace
}  // namespace tessera

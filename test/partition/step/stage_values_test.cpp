// What is held while a step goes on, by hand and against a count action by action.
#include "partition/step/stage_values.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/builtin_planners.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"

namespace tessera::partition {
namespace {

/// 4 samples of 8 features to 16 to 2, four bytes each.
workloads::Network two_products() {
  test::NetworkText text;
  text.input = "{name: x, features: 8}";
  text.batch = "4";
  return test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 16}",
                                     "{name: b, kind: linear, input: a, outputs: 2}"}));
}

TEST(StageValues, OfTwoProductsIsWhatTheirPassesRead) {
  auto const network = two_products();
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const plan = make_planner("dp")->solve({network, array});
  auto const step = step_of(network, plan);
  Tiling const tiling{network, plan};
  auto const held = StageValues{step, tiling, StageId{0}}.at(0);
  EXPECT_EQ(held.weights[network.find("a")], Bytes{8 * 16 * 4});
  EXPECT_EQ(held.gradients[network.find("b")], Bytes{16 * 2 * 4});
  Bytes kept{0};
  for (auto const& value : held.values) {
    if (value.is_kept) kept += value.bytes;
  }
  EXPECT_EQ(kept, Bytes{4 * (8 + 16) * 4});
  auto const most = most_alive(step, held, one_by_one(1, 1));
  EXPECT_EQ(most.kept, kept);
  // b goes backward: the errors of its output and of its input.
  EXPECT_EQ(most.all, kept + Bytes{4 * (2 + 16) * 4});
}

/// The first input and the second are not alike, and only the first layer's are worked out.
TEST(StageValues, OfEqualLayersEachHasItsInputsInTheirOrder) {
  test::NetworkText text;
  text.input = "{name: x, positions: 6, features: 8}";
  std::vector<std::string> layers;
  std::string input = "x";
  for (auto const* const layer : {"a", "b"}) {
    auto const name = [layer](std::string const& of) { return layer + of; };
    for (auto const* const product : {"q", "k"}) {
      layers.push_back("{name: " + name(product) + ", kind: linear, input: " + input +
                       ", outputs: 8}");
    }
    layers.push_back("{name: " + name("s") + ", kind: scores, inputs: [" + name("q") + ", " +
                     name("k") + "], heads: 2}");
    layers.push_back("{name: " + name("m") + ", kind: softmax, input: " + name("s") + "}");
    layers.push_back("{name: " + name("c") + ", kind: context, inputs: [" + name("m") + ", " +
                     name("q") + "]}");
    input = name("c");
  }
  auto const network = test::network_of(text.with(layers));
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const plan = make_planner("dp")->solve({network, array});
  auto const step = step_of(network, plan);
  auto const held = StageValues{step, Tiling{network, plan}, StageId{0}}.at(0);
  for (auto const id : step.actions.ids()) {
    auto const& action = step.actions[id];
    auto const& op = network.at(action.op);
    if (!action.is_computation() || action.phase != workloads::Phase::forward) continue;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      auto const value = held.operands[id].at(i);
      ASSERT_TRUE(value.has_value()) << op.name;
      std::int64_t elements = 1;
      for (auto const extent : network.at(op.inputs[i].tensor).extents) elements *= extent;
      EXPECT_EQ(held.values[*value].bytes, Bytes{4 * elements}) << op.name << " input " << i;
    }
  }
}

/// Of every value whether it is there, moment by moment.
Bytes counted(Step const& step, LiveValues const& held, Order const& order) {
  auto const in_units = has_backward_units(order);
  std::map<std::pair<std::int64_t, std::size_t>, std::set<std::size_t>> alive;
  Bytes most{0};
  for (auto const& slot : order) {
    auto& own = alive[{slot.micro_batch, static_cast<std::size_t>(slot.chunk)}];
    for (auto const id : step.actions.ids()) {
      if (slot.pass == Pass::update || pass_of(step.actions[id], in_units) != slot.pass) continue;
      for (std::size_t i = 0; i < held.values.size(); ++i) {
        bool const is_here = held.values[i].chunk == static_cast<std::size_t>(slot.chunk);
        if (is_here && held.values[i].made == id) own.insert(i);
      }
      Bytes sum{0};
      for (auto const& [key, values] : alive) {
        for (auto const i : values) sum += held.values[i].bytes;
      }
      most = std::max(most, sum);
      for (std::size_t i = 0; i < held.values.size(); ++i) {
        if (held.values[i].last == id) own.erase(i);
      }
    }
  }
  return most;
}

TEST(StageValues, MostAliveIsThatOfTheFullestMoment) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  std::vector<std::string> const schedules = {"gpipe", "1f1b",      "zb-h1",
                                              "zb-h2", "pipedream", "2bw"};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 6;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const& schedule = schedules[seed % schedules.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule);
    auto plan = test::random_staged_plan(network, array, random, schedule);
    for (auto& stage : plan.pipeline->stages) {
      if (random() % 2 == 0) stage.activations = Stage::Activations::recomputed;
    }
    auto const step = step_of(network, plan);
    auto const program = program_of(*plan.pipeline, 2);
    for (auto const id : step.stages.ids()) {
      Tiling const tiling{*step.network, plan, step.stages[id]};
      auto const held = StageValues{step, tiling, id}.at(0);
      auto const& order = program.orders[id.index()].front();
      auto const most = most_alive(step, held, order);
      EXPECT_EQ(most.all, counted(step, held, order));
      EXPECT_LE(most.kept, most.all);
    }
  }
}

}  // namespace
}  // namespace tessera::partition

// Addresses that tensors take against what the footprint says.
#include "sim/lower/address_book.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/footprint.hpp"
#include "partition/step/stage_values.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/tied_words.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

workloads::Network random_dag(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.levels = 6;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  return test::random_network(random, options);
}

TEST(AddressBook, TakesWhatTheOrderHoldsAndLittleMore) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  std::vector<std::string> const schedules = {"gpipe",     "1f1b", "zb-h1",
                                              "pipedream", "2bw",  "layerwise"};
  Bytes taken{0};
  Bytes needed{0};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_dag(random);
    auto const& schedule = schedules[seed % schedules.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule);
    auto const plan = test::random_staged_plan(network, array, random, schedule);
    auto const step = step_of(network, plan);
    partition::StageId const first{0};
    auto const order = schedule == partition::Pipeline::layerwise
                           ? partition::one_by_one(plan.pipeline->micro_batches, 1)
                           : order_of(*plan.pipeline, first, 0, 1);
    partition::Tiling const tiling{*step.network, plan, step.stages[first]};
    auto const held = partition::StageValues{step, tiling, first}.at(0);
    AddressBook const book{step, held, order, Bytes{1}, Bytes{100}};
    auto all = most_alive(step, held, order).all;
    for (auto const op : network.operators().ids()) {
      all += held.weights[op] * partition::high_water(order).weight_versions + held.gradients[op];
    }
    EXPECT_GE(book.end(), all + Bytes{100});
    taken += book.end() - Bytes{100};
    needed += all;
  }
  EXPECT_LT(static_cast<double>(taken.value()), 1.02 * static_cast<double>(needed.value()));
}

/// In the report: the footprint, what works beside it, and the alignment of each tensor.
TEST(AddressBook, OfDetailedAcceleratorsEndsWhereTheFootprintSays) {
  for (auto const* const name : {"hypar/alexnet", "hypar/vgg-a", "accpar/resnet-18"}) {
    SCOPED_TRACE(name);
    auto const network = workloads::load(name);
    auto const array = arch::load("hmc-htree-16");
    auto const plan = partition::make_planner("dp")->solve({network, array});
    auto const tasks = lower(network, array, plan, Folding{16, {true, true, true, true}});
    auto const full = partition::fullest({network, array}, plan);
    auto const needed =
        full.footprint.total() + partition::working_memory(network, plan, full.accelerator);
    auto const taken = tasks.addressed(AcceleratorId{0});
    EXPECT_GE(taken, needed);
    EXPECT_LT(static_cast<double>(taken.value()), 1.02 * static_cast<double>(needed.value()));
  }
}

TEST(AddressBook, WeightsOfSeveralVersionsTakeTurns) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=16"});
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const plan = partition::make_planner("dp")->solve({network, array});
  auto const step = step_of(network, plan);
  partition::Tiling const tiling{network, plan};
  auto const held = partition::StageValues{step, tiling, partition::StageId{0}}.at(0);
  partition::Order const two_versions = {
      {partition::Pass::forward, 0},       {partition::Pass::forward, 1},
      {partition::Pass::backward, 0},      {partition::Pass::update, 0, 0, 1},
      {partition::Pass::forward, 2, 0, 1}, {partition::Pass::backward, 1},
      {partition::Pass::update, 0, 0, 2},  {partition::Pass::backward, 2, 0, 1},
      {partition::Pass::update, 0, 0, 3}};
  AddressBook const book{step, held, two_versions, Bytes{64}, Bytes{0}};
  partition::ActionId const first_forward{0};
  auto const weight = [&](std::int64_t micro_batch, std::int64_t version) {
    return book.operands(first_forward, micro_batch, version)[1];
  };
  EXPECT_EQ(weight(0, 0), weight(1, 0));
  EXPECT_NE(weight(0, 0), weight(2, 1));
  EXPECT_NE(book.operands(first_forward, 0, 0)[0], book.operands(first_forward, 1, 0)[0]);
}

TEST(AddressBook, OperatorsThatShareACopyFindItsWeightsAndItsGradientInOnePlace) {
  auto const network = test::words(test::Output::tied);
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const plan = test::whole_array_plan(network, array, workloads::Dim::n, workloads::Dim::n);
  auto const step = step_of(network, plan);
  partition::Tiling const tiling{network, plan};
  AddressBook const book{step, partition::StageValues{step, tiling, partition::StageId{0}}.at(0),
                         partition::one_by_one(1, 1), Bytes{64}, Bytes{0}};
  auto const address = [&](std::string const& op, workloads::Phase phase, std::size_t operand) {
    for (auto const id : step.actions.ids()) {
      auto const& action = step.actions[id];
      bool const is_it = action.op == network.find(op) && action.phase == phase;
      if (is_it && action.is_computation()) return book.operands(id, 0, 0).at(operand);
    }
    throw std::runtime_error{op + " has no such phase"};
  };
  using workloads::Phase;
  EXPECT_EQ(address("words", Phase::forward, 1), address("output", Phase::forward, 1));
  EXPECT_NE(address("words", Phase::forward, 1), address("a", Phase::forward, 1));
  EXPECT_EQ(address("words", Phase::backward_weight, 2),
            address("output", Phase::backward_weight, 2));
}

}  // namespace
}  // namespace tessera::sim

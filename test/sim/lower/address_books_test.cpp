// Who shares a layout of tensors, and that every part has the space that it needs.
#include "sim/lower/address_books.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/stage_values.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

/// By computation, where each of the accelerators finds its operands.
std::map<std::tuple<workloads::OperatorId, workloads::Phase>, std::set<OperandAddresses>>
addresses_of(TaskGraph const& tasks) {
  std::map<std::tuple<workloads::OperatorId, workloads::Phase>, std::set<OperandAddresses>> found;
  for (auto const& task : tasks.tasks()) {
    if (task.kind != TaskKind::compute) continue;
    found[{task.op, task.phase}].insert(tasks.operands(task.operands));
  }
  return found;
}

TaskGraph lowered(std::string const& network, std::string const& planner,
                  arch::ArraySpec const& array) {
  auto const loaded = workloads::load(network);
  return lower(loaded, array, partition::make_planner(planner)->solve({loaded, array}));
}

// Three input channels, a half of which is one on some accelerators and two on others.
TEST(AddressBooks, AcceleratorsOfUnequalPartsLayThemOutAlike) {
  auto const tasks = lowered("hypar/sconv", "mp", arch::load("hmc-htree-16"));
  std::set<PartId> first_parts;
  for (auto const& task : tasks.tasks()) {
    bool const is_first = task.op.index() == 0 && task.phase == workloads::Phase::forward;
    if (is_first && task.kind == TaskKind::compute) first_parts.insert(task.part);
  }
  EXPECT_GT(first_parts.size(), 1U);
  for (auto const& [computation, addresses] : addresses_of(tasks)) {
    EXPECT_EQ(addresses.size(), 1U) << std::get<0>(computation).index();
  }
}

TEST(AddressBooks, KindsOfAcceleratorsHaveLayoutsOfTheirOwn) {
  auto const array = arch::load("tpu-v2v3-256");
  auto const tasks = lowered("accpar/resnet-18", "accpar", array);
  auto const addressed = [&](std::size_t index) { return tasks.addressed(AcceleratorId{index}); };
  EXPECT_EQ(addressed(0), addressed(127));
  EXPECT_EQ(addressed(128), addressed(255));
  EXPECT_LT(addressed(0), addressed(255));
}

TEST(AddressBooks, EndWhereTheLayoutOfTheLargestPartsDoes) {
  auto const array = arch::load("hmc-htree-16");
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    options.extents = test::RandomNetworkOptions::Extents::arbitrary;
    auto const network = test::random_network(random, options);
    auto const plan = test::random_plan(network, array, random);
    auto const step = step_of(network, plan);
    partition::Tiling const tiling{network, plan};
    auto const tasks = lower(network, array, plan);
    Bytes largest{0};
    for (std::size_t i = 0; i < 16; ++i) {
      AddressBook const own{step, partition::StageValues{step, tiling, partition::StageId{0}}.at(i),
                            partition::one_by_one(1, 1), alignment_of(array.accelerator(i).memory),
                            Bytes{0}};
      EXPECT_GE(tasks.addressed(AcceleratorId{i}), own.end()) << "accelerator " << i;
      largest = std::max(largest, own.end());
    }
    EXPECT_GT(2 * largest, tasks.addressed(AcceleratorId{0}));
  }
}

}  // namespace
}  // namespace tessera::sim

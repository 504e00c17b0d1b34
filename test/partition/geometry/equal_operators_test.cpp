#include "partition/geometry/equal_operators.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/geometry/halo.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;

std::vector<IndexSet> parts_of(Tiling const& tiling, OperatorId id, Operator const& op,
                               std::size_t accelerator, Phase phase) {
  std::vector<IndexSet> parts;
  auto const add = [&](Region const& region) {
    parts.insert(parts.end(), region.axes.begin(), region.axes.end());
  };
  auto const& splits = tiling.splits(id, phase);
  for (auto const& input : op.inputs) add(region_read(tiling, id, input, accelerator, phase));
  auto const add_held = [&](TensorAccess const& access) {
    add(tiling.region(access.tensor, layout_read(access, splits), accelerator));
    add(tiling.region(access.tensor, layout_written(access, splits), accelerator));
  };
  if (op.weight) add_held(*op.weight);
  add_held(op.output);
  for (auto const dim : workloads::all_dims) {
    parts.push_back(tiling.loop_part(id, dim, accelerator, phase));
  }
  return parts;
}

/// How many operators are equal to an earlier one.
int expect_equal_parts(Network const& network, Tiling const& tiling) {
  EqualOperators const equal{network, tiling};
  int known = 0;
  for (auto const id : network.operators().ids()) {
    auto const first = equal.first_like(id);
    EXPECT_EQ(equal.first_like(first), first);
    if (first == id) continue;
    ++known;
    auto const& op = network.at(id);
    auto const& other = network.at(first);
    EXPECT_EQ(op.kind, other.kind);
    EXPECT_EQ(op.extents, other.extents);
    for (std::size_t accelerator = 0; accelerator < tiling.accelerators(); ++accelerator) {
      for (auto const phase : workloads::all_phases) {
        auto const parts = parts_of(tiling, id, op, accelerator, phase);
        auto const others = parts_of(tiling, first, other, accelerator, phase);
        EXPECT_EQ(parts.size(), others.size());
        for (std::size_t i = 0; i < std::min(parts.size(), others.size()); ++i) {
          EXPECT_EQ(parts[i].ranges(), others[i].ranges())
              << op.name << " and " << other.name << " on " << accelerator;
        }
      }
    }
  }
  return known;
}

TEST(EqualOperators, HaveEqualParts) {
  int known = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.operators = 12;
    options.levels = 2;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const array = arch::load("hmc-htree-16", {"accelerators=4"});
    auto const plan = test::random_plan(network, array, random, {workloads::Dim::n});
    known += expect_equal_parts(network, Tiling{network, plan});
    auto const other = test::random_plan(network, array, random);
    known += expect_equal_parts(network, Tiling{network, other});
  }
  EXPECT_GT(known, 100);
}

/// Ten products alike, of which phases are split at random: who is split alike beside others that
/// are not may be cut otherwise.
TEST(EqualOperators, HaveEqualPartsWhateverTheirNeighboursAreSplitOver) {
  test::NetworkText text;
  text.input = "{name: x, features: 24}";
  text.batch = "12";
  std::vector<std::string> products;
  for (int i = 0; i < 10; ++i) {
    auto const input = i == 0 ? "x" : "p" + std::to_string(i - 1);
    products.push_back("{name: p" + std::to_string(i) + ", kind: linear, input: " + input +
                       ", outputs: 24}");
  }
  auto const network = test::network_of(text.with(products));
  auto const array = arch::load("hmc-htree-16", {"accelerators=8"});
  int known = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto plan = test::random_plan(network, array, random);
    auto const others = test::random_plan(network, array, random);
    for (auto const id : network.operators().ids()) {
      // Few ways to be split, so that some are alike.
      for (std::size_t level = 1; level < plan.splits[id].size(); ++level) {
        if (random() % 3 > 0) plan.splits[id][level] = plan.splits[id][0];
      }
      if (random() % 4 == 0) plan.phase_splits[{id, Phase::backward_weight}] = others.splits[id];
    }
    known += expect_equal_parts(network, Tiling{network, plan});
  }
  EXPECT_GT(known, 50);
}

TEST(EqualOperators, AreThoseOfEveryLayerOfATransformer) {
  auto const network = workloads::load("gpt-2");
  auto const array = arch::load("tpu-v3-128", {"accelerators=8"});
  auto const plan = make_planner("dp")->solve({network, array});
  Tiling const tiling{network, plan};
  EqualOperators const equal{network, tiling};
  std::size_t of_their_own = 0;
  for (auto const id : network.operators().ids()) {
    if (equal.first_like(id) == id) ++of_their_own;
  }
  // Of twelve layers and what is before and behind them.
  EXPECT_LT(of_their_own, network.operators().size() / 6);
}

}  // namespace
}  // namespace tessera::partition

// Collectives of device groups: who is in one, who follows whom, and that rounds bring what level by level brings.
#include "partition/geometry/group_collective.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "arch/array/load.hpp"
#include "arch/array/topology.hpp"
#include "arch/collective/builtin_collectives.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

/// Of a step: all that is exchanged for each action, on all accelerators.
std::vector<std::vector<ReshardStep>> exchanged(Problem const& problem, Plan const& plan,
                                                Waits waits = Waits::said) {
  Tiling const tiling{problem.network, plan};
  Holders all(tiling.accelerators());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::vector<ReshardStep>> actions;
  auto const step = step_of(problem, plan);
  for (auto const& action : step.actions) {
    if (action.conversion) actions.push_back(exchanges_of(tiling, *action.conversion, all, waits));
  }
  return actions;
}

/// Elements that each accelerator receives and sends.
std::map<std::size_t, std::pair<double, double>> volumes(std::vector<ReshardStep> const& steps) {
  std::map<std::size_t, std::pair<double, double>> volumes;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) {
      volumes[exchange.to].first += static_cast<double>(exchange.elements.value());
      volumes[exchange.from].second += static_cast<double>(exchange.elements.value());
    }
  }
  return volumes;
}

TEST(GroupCollective, PricesSeeTheSameExchangesWithoutWhatTheyWaitFor) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array =
      arch::load("hmc-htree-16", {"fabric.topology=torus", "execution.collectives=direct"});
  auto const plan = make_planner("hypar")->solve({network, array});
  auto whole = exchanged({network, array}, plan);
  std::size_t waits = 0;
  for (auto& steps : whole) {
    for (auto& step : steps) {
      for (auto& exchange : step.exchanges) waits += std::exchange(exchange.after, {}).size();
    }
  }
  EXPECT_GT(waits, 0U);
  auto const priced = exchanged({network, array}, plan, Waits::left_out);
  ASSERT_EQ(priced.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_EQ(priced[i].size(), whole[i].size());
    for (std::size_t j = 0; j < whole[i].size(); ++j) {
      auto const& exchanges = whole[i][j].exchanges;
      auto const& step = priced[i][j];
      EXPECT_EQ(std::tie(step.level, step.reduces, step.is_later_round),
                std::tie(whole[i][j].level, whole[i][j].reduces, whole[i][j].is_later_round));
      ASSERT_EQ(step.exchanges.size(), exchanges.size());
      for (std::size_t k = 0; k < exchanges.size(); ++k) {
        auto const& [from, to, elements, after] = step.exchanges[k];
        EXPECT_EQ(std::tie(from, to, elements),
                  std::tie(exchanges[k].from, exchanges[k].to, exchanges[k].elements));
        EXPECT_TRUE(after.empty());
      }
    }
  }
}

TEST(GroupCollective, BlockWiseAlgorithmsMoveForEveryAcceleratorWhatLevelsDo) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const levels = arch::load("hmc-htree-16", {"fabric.topology=torus"});
  for (auto const* const planner : {"dp", "hypar", "mp"}) {
    auto const plan = make_planner(planner)->solve({network, levels});
    auto const expected = exchanged({network, levels}, plan);
    for (auto const* const name :
         {"ring", "halving-doubling", "direct", "torus", "bidirectional"}) {
      auto array = arch::load(
          "hmc-htree-16", {"fabric.topology=torus", std::string{"execution.collectives="} + name});
      auto const found = exchanged({network, array}, plan);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        auto const theirs = volumes(found[i]);
        // Whole indices: at most an element of each block and round it makes a difference.
        for (auto const& [accelerator, volume] : volumes(expected[i])) {
          EXPECT_NEAR(theirs.at(accelerator).first, volume.first, 64) << planner << ' ' << name;
          EXPECT_NEAR(theirs.at(accelerator).second, volume.second, 64) << planner << ' ' << name;
        }
      }
    }
  }
}

TEST(GroupCollective, RingsGoFromNeighbourToNeighbourOfAGrid) {
  auto const network = workloads::load("hypar/lenet-c");
  std::string const mesh =
      "fabric={clock: 1 GHz, topology: {kind: torus, shape: [4, 4], link: {bandwidth: 1 Gb/s, "
      "latency: 40 ns}}}";
  for (auto const* const name : {"ring", "bidirectional", "torus"}) {
    for (auto const& fabric : {std::string{"fabric.topology=torus"}, mesh}) {
      auto const array =
          arch::load("hmc-htree-16", {fabric, std::string{"execution.collectives="} + name});
      arch::Topology const topology{array};
      auto const plan = make_planner("dp")->solve({network, array});
      std::size_t messages = 0;
      for (auto const& steps : exchanged({network, array}, plan)) {
        for (auto const& step : steps) {
          for (auto const& exchange : step.exchanges) {
            auto const route = topology.route(arch::NodeId{exchange.from},
                                              arch::NodeId{exchange.to}, arch::Turn::positive);
            EXPECT_EQ(route.size(), 1U) << name << ' ' << exchange.from << '>' << exchange.to;
            ++messages;
          }
        }
      }
      EXPECT_GT(messages, 0U);
    }
  }
}

TEST(GroupCollective, AnHTreeOfHalvesIsHalvedInnermostFirstEitherWay) {
  // What a default plan sends is the algorithm `hierarchical` of all ranks.
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("dp")->solve({network, array});
  Tiling const tiling{network, plan};
  Holders all(16);
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto const step = step_of(network, plan);
  for (auto const& action : step.actions) {
    if (!action.conversion || action.conversion->kind != Conversion::Kind::gradient_sum) continue;
    auto const& [tensor, from] = std::tie(action.conversion->tensor, action.conversion->from);
    if (network.at(tensor).elements().value() % 16 != 0) continue;
    auto const by_levels = all_reduce(tiling, tensor, from, all);
    auto const as_group =
        all_reduce(tiling, tensor, from, all, {arch::builtin_collective("hierarchical"), {}});
    ASSERT_EQ(by_levels.size(), as_group.size());
    for (std::size_t i = 0; i < by_levels.size(); ++i) {
      EXPECT_EQ(by_levels[i].reduces, as_group[i].reduces);
      ASSERT_EQ(by_levels[i].exchanges.size(), as_group[i].exchanges.size());
      for (std::size_t j = 0; j < by_levels[i].exchanges.size(); ++j) {
        EXPECT_EQ(by_levels[i].exchanges[j].from, as_group[i].exchanges[j].from);
        EXPECT_EQ(by_levels[i].exchanges[j].to, as_group[i].exchanges[j].to);
        EXPECT_EQ(by_levels[i].exchanges[j].elements, as_group[i].exchanges[j].elements);
      }
    }
  }
}

}  // namespace
}  // namespace tessera::partition

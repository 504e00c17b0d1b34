// Lists of exchanges are those of their conversions, and equal conversions have one.
#include "partition/step/exchange_lists.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/step.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using Sent = std::tuple<std::size_t, bool, bool, std::size_t, std::size_t, Elements,
                        std::vector<std::size_t>>;

std::vector<Sent> flat(std::vector<ReshardStep> const& steps) {
  std::vector<Sent> all;
  for (auto const& step : steps) {
    for (auto const& [from, to, elements, after] : step.exchanges) {
      all.emplace_back(step.level, step.reduces, step.is_later_round, from, to, elements, after);
    }
  }
  return all;
}

struct Lists {
  std::size_t conversions = 0;  ///< that move something
  std::set<ExchangeLists::List> different;
};

/// All lists of a step, each held against what its conversion alone makes.
Lists lists_of(workloads::Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  Tiling const tiling{network, plan};
  ExchangeLists lists{tiling, Folding{tiling.accelerators()}};
  Holders all(tiling.accelerators());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Lists found;
  auto const step = step_of({network, array}, plan);
  for (auto const& action : step.actions) {
    if (!action.conversion) continue;
    auto const list = lists.of(*action.conversion);
    EXPECT_EQ(flat(*list), flat(exchanges_of(tiling, *action.conversion, all)))
        << network.at(action.op).name;
    if (flat(*list).empty()) continue;
    ++found.conversions;
    found.different.insert(list);
  }
  return found;
}

Lists lists_of(std::string const& name, std::string const& planner,
               std::vector<std::string> const& settings = {}) {
  auto const network = workloads::load(name);
  auto const array = arch::load("hypar-paper", settings);
  return lists_of(network, array, make_planner(planner)->solve({network, array}));
}

/// So many layers of 32 features, one like the other.
workloads::Network equal_layers(std::size_t count) {
  test::NetworkText text;
  text.batch = "64";
  text.input = "{name: x, features: 32}";
  std::vector<std::string> operators;
  std::string input = "x";
  for (std::size_t i = 0; i < count; ++i) {
    auto const name = "fc" + std::to_string(i);
    operators.push_back("{name: " + name + ", kind: linear, input: " + input + ", outputs: 32}");
    input = name;
  }
  return test::network_of(text.with(operators));
}

/// Rows and columns of weights by turns, on groups of four.
Lists of_layers(std::size_t count) {
  auto const network = equal_layers(count);
  auto const array = arch::load("hypar-paper");
  auto options = ConfigNode::map();
  options.add("tensor", "4");
  return lists_of(network, array, make_planner("tp", options)->solve({network, array}));
}

TEST(ExchangeLists, OfEqualLayersAreEqualHoweverManyThereAre) {
  auto const few = of_layers(4);
  auto const many = of_layers(12);
  EXPECT_GT(many.conversions, 2 * few.conversions);
  EXPECT_EQ(many.different.size(), few.different.size());
}

TEST(ExchangeLists, AreThoseOfTheirConversionsUnderAnyPlan) {
  for (auto const* const planner : {"dp", "mp", "owt", "hypar", "accpar", "soybean", "optcnn"}) {
    SCOPED_TRACE(planner);
    for (auto const* const network : {"hypar/lenet-c", "accpar/resnet-18", "hypar/vgg-a"}) {
      SCOPED_TRACE(network);
      auto const found = lists_of(network, planner, {"accelerators=8"});
      EXPECT_GT(found.conversions, 0U);
    }
  }
}

TEST(ExchangeLists, OfMapsSplitOverRowsTellWindowsApart) {
  // Both convolutions read maps of one size in rows; the halos of 3 and of 5 rows differ.
  test::NetworkText text;
  text.batch = "16";
  text.input = "{name: x, channels: 4, rows: 32, columns: 32}";
  auto const network = test::network_of(
      text.with({"{name: a, kind: conv, input: x, filters: 4, kernel: 3, padding: 1}",
                 "{name: b, kind: conv, input: a, filters: 4, kernel: 3, padding: 1}",
                 "{name: c, kind: conv, input: b, filters: 4, kernel: 5, padding: 2}"}));
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  Plan plan;
  plan.accelerators = 4;
  for (std::size_t i = 0; i < 3; ++i) plan.splits.push_back(Splits(2, Split{workloads::Dim::h}));
  EXPECT_GT(lists_of(network, array, plan).conversions, 0U);
}

}  // namespace
}  // namespace tessera::partition

// Lists of exchanges are those of their conversions, and equal conversions have one.
#include "partition/step/exchange_lists.hpp"

#include <gtest/gtest.h>

#include <set>

#include "arch/array/load.hpp"
#include "partition/geometry/equal_rounds.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/step.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using Sent = std::tuple<std::size_t, bool, bool, std::size_t, std::size_t, std::size_t, Elements,
                        std::vector<std::size_t>>;

std::vector<Sent> flat(std::vector<ReshardStep> const& steps) {
  std::vector<Sent> all;
  for (auto const& step : steps) {
    for (auto const& [from, to, elements, after] : step.exchanges) {
      all.emplace_back(step.level, step.reduces, step.is_later_round, step.rounds, from, to,
                       elements, after);
    }
  }
  return all;
}

std::vector<ReshardStep> made_of(Tiling const& tiling, Conversion const& conversion) {
  return merge_equal_rounds(exchanges_of(tiling, conversion, everybody(tiling.accelerators())));
}

struct Lists {
  std::size_t conversions = 0;  ///< that move something
  std::set<ExchangeLists::List> different;
};

/// All lists of a step, each held against what its conversion alone makes.
Lists lists_of(workloads::Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  Tiling const tiling{network, plan};
  auto const mesh = hierarchy_mesh(tiling.hierarchy());
  ExchangeLists lists{tiling, mesh, Folding{tiling.accelerators()}};
  Lists found;
  auto const step = step_of({network, array}, plan);
  for (auto const& action : step.actions) {
    if (!action.conversion) continue;
    auto const list = lists.of(*action.conversion);
    EXPECT_EQ(flat(*list), flat(made_of(tiling, *action.conversion))) << network.at(action.op).name;
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
  // All read maps of one size, cut alike; windows of 3 and of 5 rows reach differently far.
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

/// What has to move first of `kind` in a step of two layers.
Conversion first_of(Conversion::Kind kind, Step const& step, Tiling const& tiling) {
  for (auto const& action : step.actions) {
    if (!action.conversion || action.conversion->kind != kind) continue;
    auto const mesh = hierarchy_mesh(tiling.hierarchy());
    ExchangeLists lists{tiling, mesh, Folding{tiling.accelerators()}};
    if (!flat(*lists.of(*action.conversion)).empty()) return *action.conversion;
  }
  throw std::logic_error{"nothing moves"};
}

/// Asks for one list after the other, which differ.
void expect_two_lists(Tiling const& tiling, Conversion const& one, Conversion const& other) {
  auto const mesh = hierarchy_mesh(tiling.hierarchy());
  ExchangeLists lists{tiling, mesh, Folding{tiling.accelerators()}};
  EXPECT_EQ(flat(*lists.of(one)), flat(made_of(tiling, one)));
  EXPECT_EQ(flat(*lists.of(other)), flat(made_of(tiling, other)));
  EXPECT_NE(flat(*lists.of(one)), flat(*lists.of(other)));
}

TEST(ExchangeLists, TellSumsOfGradientsFromSumsThatAreRead) {
  auto const network = equal_layers(2);
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("mp")->solve({network, array});
  Tiling const tiling{network, plan};
  auto const read = first_of(Conversion::Kind::features, step_of({network, array}, plan), tiling);
  auto sum = read;
  sum.kind = Conversion::Kind::gradient_sum;
  expect_two_lists(tiling, read, sum);
}

TEST(ExchangeLists, TellCollectivesFromLevelByLevel) {
  auto const network = equal_layers(2);
  auto const array = arch::load("hypar-paper", {"execution.collectives=ring"});
  auto const plan = make_planner("dp")->solve({network, array});
  Tiling const tiling{network, plan};
  auto const by_ring =
      first_of(Conversion::Kind::gradient_sum, step_of({network, array}, plan), tiling);
  ASSERT_NE(by_ring.collective, nullptr);
  auto by_level = by_ring;
  by_level.collective = nullptr;
  expect_two_lists(tiling, by_ring, by_level);
}

}  // namespace
}  // namespace tessera::partition

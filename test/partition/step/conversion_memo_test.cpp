// Alike conversions are worked out once, others apart.
#include "partition/step/conversion_memo.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/step.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

struct Asked {
  int conversions = 0;
  int worked_out = 0;
};

/// Of all conversions of a step on four accelerators.
Asked asked_for(workloads::Network const& network, Plan const& plan) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  Tiling const tiling{network, plan};
  ConversionMemo<int> memo{tiling};
  Asked asked;
  for (auto const& action : step_of({network, array}, plan).actions) {
    if (!action.conversion) continue;
    ++asked.conversions;
    auto const value = memo.of(*action.conversion, [&] { return ++asked.worked_out; });
    EXPECT_EQ(memo.of(*action.conversion, [&] { return value; }), value);
  }
  return asked;
}

/// Layers of one kind, all split like this.
Asked asked_for_layers(std::string const& kind, int count, workloads::Dim dim) {
  test::NetworkText text;
  text.batch = "16";
  text.input = "{name: x, channels: 32, rows: 32, columns: 32}";
  std::vector<std::string> operators;
  std::string input = "x";
  for (int i = 0; i < count; ++i) {
    auto const name = "layer" + std::to_string(i);
    operators.push_back("{name: " + name + ", input: " + input + ", " + kind + "}");
    input = name;
  }
  auto const network = test::network_of(text.with(operators));
  Plan plan;
  plan.accelerators = 4;
  for (int i = 0; i < count; ++i) plan.splits.push_back(Splits(2, Split{dim}));
  return asked_for(network, plan);
}

TEST(ConversionMemo, AsksOnceHoweverManyEqualLayersThereAre) {
  auto const kind = "kind: conv, filters: 32, kernel: 3, padding: 1";
  auto const few = asked_for_layers(kind, 4, workloads::Dim::c);
  auto const many = asked_for_layers(kind, 12, workloads::Dim::c);
  EXPECT_GT(many.conversions, 2 * few.conversions);
  EXPECT_EQ(many.worked_out, few.worked_out);
}

TEST(ConversionMemo, AsksForEachConversionWhoseWindowsReachAcrossParts) {
  auto const kind = "kind: conv, filters: 32, kernel: 3, padding: 1";
  auto const few = asked_for_layers(kind, 4, workloads::Dim::h);
  auto const many = asked_for_layers(kind, 12, workloads::Dim::h);
  EXPECT_EQ(many.worked_out - few.worked_out, 2 * 8) << "features and errors of eight layers";
}

}  // namespace
}  // namespace tessera::partition

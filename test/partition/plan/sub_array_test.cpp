#include "partition/plan/sub_array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(std::vector<SubArray> const& parts) {
  std::vector<std::string> names;
  for (auto const& part : parts) names.push_back(part.name());
  return names;
}

TEST(SubArray, OfAnArrayOfOneKindAreItsFirstHalves) {
  EXPECT_THAT(names_of(sub_arrays_of(arch::load("hypar-paper", {"accelerators=8"}))),
              ElementsAre("accelerators 0-3", "accelerators 0-1", "accelerator 0"));
  EXPECT_THAT(names_of(sub_arrays_of(arch::load("hypar-paper", {"accelerators=1"}))),
              ElementsAre());
  EXPECT_THAT(names_of(sub_arrays_of(arch::load("hypar-paper", {"accelerators=6"}))),
              ElementsAre("accelerators 0-2"));
}

TEST(SubArray, OfTwoKindsIsEachOfThemToo) {
  auto const parts = sub_arrays_of(test::two_speeds(8, 4, 3));
  EXPECT_THAT(names_of(parts),
              ElementsAre("accelerators 0-3", "accelerators 4-7", "accelerators 0-1",
                          "accelerators 4-5", "accelerator 0", "accelerator 4"));
  for (auto const& part : parts) {
    ASSERT_EQ(part.array.groups.size(), 1U);
    EXPECT_EQ(part.array.groups.front().count, part.array.accelerators);
    EXPECT_EQ(part.array.accelerator(0).macs_per_cycle(),
              (part.first == 0 ? 1 : 3) * parts.front().array.accelerator(0).macs_per_cycle());
  }
}

TEST(SubArray, OfAnArrayWithFasterLinksInOneHalfKeepsThem) {
  auto const whole = arch::load("accpar-paper-256");
  auto const parts = sub_arrays_of(whole);
  ASSERT_GE(parts.size(), 2U);
  EXPECT_EQ(parts[0].array.fabric.link_bandwidth, whole.link_bandwidth(whole.groups[0]));
  EXPECT_EQ(parts[1].array.fabric.link_bandwidth, whole.link_bandwidth(whole.groups[1]));
}

/// A plan on a part moves there what it moves in the whole array, and fills memories alike.
TEST(SubArray, LiftedPlansAreValidAndMoveTheSame) {
  auto const whole = arch::load("hypar-paper");
  for (auto const* const network_name : {"hypar/lenet-c", "hypar/sfc"}) {
    auto const network = workloads::load(network_name);
    for (auto const& part : sub_arrays_of(whole)) {
      for (auto const* const planner : {"dp", "hypar", "gpipe"}) {
        SCOPED_TRACE(std::string{network_name} + " " + planner + " " + part.name());
        Problem const on_part{network, part.array};
        if (part.array.accelerators == 1 && std::string{planner} == "gpipe") continue;
        auto const plan = make_planner(planner)->solve(on_part);
        auto const in_whole = lifted(plan, part, whole, network);
        ASSERT_NO_THROW(validate(in_whole, network, whole));
        auto const predicted = predict({network, whole}, in_whole);
        EXPECT_EQ(predicted.communication, plan.predicted->communication);
        EXPECT_EQ(fullest({network, whole}, in_whole).footprint.total(),
                  fullest(on_part, plan).footprint.total());
      }
    }
  }
}

TEST(SubArray, LiftedPlansUseItsAcceleratorsOnly) {
  auto const whole = test::two_speeds(8, 4, 3);
  auto const network = workloads::load("hypar/lenet-c");
  auto const fast = sub_arrays_of(whole)[1];
  auto const plan =
      lifted(make_planner("hypar")->solve({network, fast.array}), fast, whole, network);
  ASSERT_TRUE(plan.pipeline);
  EXPECT_THAT(plan.pipeline->stages.begin()->mesh.devices, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(plan.array, whole.name);
  EXPECT_EQ(plan.accelerators, 8);
}

}  // namespace
}  // namespace tessera::partition

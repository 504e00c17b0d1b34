#include "partition/price/plan_timeline.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

TimelinePrice price_of(std::string const& planner, workloads::Network const& network,
                       arch::ArraySpec const& array, OperatorTimes const& times = peak_rates()) {
  auto const plan = make_planner(planner)->solve({network, array});
  return timeline_price({network, array}, plan, times).value();
}

std::vector<std::string> const planners{"dp", "mp", "hypar", "optcnn"};

TEST(PlanTimeline, OfOneAcceleratorIsTheSumOfItsPhases) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const sum_s = make_planner("dp")->solve({network, array}).predicted->time_s;
  auto const price = price_of("dp", network, array);
  EXPECT_NEAR(seconds(price.step), sum_s, 20e-12);  // rounded phases
  EXPECT_EQ(price.step, price.busiest_core);
}

// Without latencies, and extents that all divide: what overlaps nothing takes what the sum says.
TEST(PlanTimeline, WhereNothingOverlapsItIsTheSum) {
  auto const network = workloads::load("hypar/sfc");
  auto const array = arch::load("hypar-paper", {"fabric.link.latency=0 ns"});
  ASSERT_EQ(array.execution.overlap, arch::ExecutionSpec::Overlap::none);
  for (auto const& planner : {"dp", "hypar"}) {
    auto const plan = make_planner(planner)->solve({network, array});
    auto const price = timeline_price({network, array}, plan).value();
    EXPECT_NEAR(seconds(price.step), plan.predicted->time_s, 1e-3 * plan.predicted->time_s)
        << planner;
  }
}

TEST(PlanTimeline, OverlapNeverTakesLongerAndNeverLessThanAnyResource) {
  auto const network = workloads::load("hypar/alexnet");
  auto const turns = arch::load("hypar-paper");
  auto const overlapping = arch::load("hypar-paper", {"execution.overlap=communication"});
  for (auto const& planner : planners) {
    auto const alone = price_of(planner, network, turns);
    auto const beside = price_of(planner, network, overlapping);
    EXPECT_LE(beside.step, alone.step) << planner;
    EXPECT_GE(beside.step, beside.busiest_core) << planner;
    EXPECT_GE(beside.step, beside.busiest_lane) << planner;
    EXPECT_EQ(beside.busiest_core, alone.busiest_core) << planner;
    EXPECT_EQ(beside.busiest_lane, alone.busiest_lane) << planner;
  }
}

TEST(PlanTimeline, TimesOfOperatorsMayBeAnybodys) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  int asked = 0;
  auto const price = price_of("dp", network, array, [&](auto const&...) {
    ++asked;
    return 1e-6;
  });
  EXPECT_EQ(seconds(price.step), asked * 1e-6);
  EXPECT_GE(asked, 11);  // of four operators forward and their gradients, of three the errors
}

TEST(PlanTimeline, OfPlansWithStagesThereIsNone) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("gpipe")->solve({network, array});
  EXPECT_FALSE(timeline_price({network, array}, plan).has_value());
}

}  // namespace
}  // namespace tessera::partition

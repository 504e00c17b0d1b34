// Of what an operator takes, whoever prices a pipeline may know better than peak rates.
#include "partition/price/pipeline_cost.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

class PipelineCostTest : public testing::Test {
 protected:
  [[nodiscard]] PipelineCost cost(OperatorTimes const& times = {}) const {
    return pipeline_cost(problem_, plan_, step_of(problem_, plan_), times);
  }

  workloads::Network network_ = workloads::load("hypar/sfc");
  arch::ArraySpec array_ = arch::load("hypar-paper", {"accelerators=4"});
  Problem problem_{network_, array_};
  Plan plan_ = make_planner("gpipe", ConfigNode::map().add("stages", "2").add("micro_batches", "8"))
                   ->solve(problem_);
};

TEST_F(PipelineCostTest, AtPeakRatesIsWhatWorkCounts) {
  auto const counted = cost();
  auto const timed = cost(peak_rates());
  EXPECT_NEAR(timed.time_s, counted.time_s, 1e-12 * counted.time_s);
  EXPECT_NEAR(timed.compute_s, counted.compute_s, 1e-12 * counted.compute_s);
}

TEST_F(PipelineCostTest, SlowerCoresComputeLongerAndSendTheSame) {
  auto const fast = cost(peak_rates());
  auto const slow = cost([at_peak = peak_rates()](auto const& accelerator, auto const& op,
                                                  auto phase, auto const& part) {
    return 3 * at_peak(accelerator, op, phase, part);
  });
  EXPECT_NEAR(slow.compute_s, 3 * fast.compute_s, 1e-12 * slow.compute_s);
  EXPECT_GT(slow.time_s, fast.time_s);
  EXPECT_EQ(slow.level_elements, fast.level_elements);
}

}  // namespace
}  // namespace tessera::partition

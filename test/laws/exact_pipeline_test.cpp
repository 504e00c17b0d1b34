// Pipelines without a clock to spare: on profiled units, free links and ideal memories a simulated step takes what its schedule's closed
// form says, to the clock. p stages, m micro-batches, v chunks; F, B and W are a stage's forward, backward-data and backward-weight
// times, S their sum.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "test/support/draw.hpp"
#include "test/support/pipeline/staged_chain.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::test {
namespace {

constexpr int draws = 12;

StagedChain equal_chain(std::string const& schedule, partition::PipelineShape const& shape,
                        PassTimes const& times) {
  StagedChain chain;
  chain.schedule = schedule;
  chain.shape = shape;
  chain.times = equal_times(shape, times);
  return chain;
}

// Huang et al. (NeurIPS 2019), section 2.3; Narayanan et al. (ICML 2021), section 3.2.
TEST(ExactPipeline, GPipeAndOneForwardOneBackwardTakeTheFillAndDrainOfAllOtherStages) {
  Draw draw{1};
  for (int i = 0; i < draws; ++i) {
    auto const p = draw(1, 6);
    auto const m = draw(1, 10);
    auto const times = random_times(draw);
    for (auto const* const schedule : {"gpipe", "1f1b"}) {
      auto const chain = equal_chain(schedule, straight(p, m), times);
      EXPECT_EQ(simulated_clocks(chain).time, (m + p - 1) * times.sum())
          << schedule << ", p " << p << ", m " << m;
    }
  }
}

// Narayanan et al. (SC 2021), section 2.2. F, B and W are of a chunk here, so that (p - 1) S / v of a stage is (p - 1) S.
TEST(ExactPipeline, InterleavedStagesIdleForTheOtherStagesChunk) {
  Draw draw{2};
  for (int i = 0; i < draws; ++i) {
    auto const p = draw(1, 5);
    auto const m = p * draw(1, 3);
    auto const v = draw(2, 4);
    auto const times = random_times(draw);
    auto const chain = equal_chain("interleaved-1f1b", straight(p, m, v), times);
    EXPECT_EQ(simulated_clocks(chain).time - m * v * times.sum(), (p - 1) * times.sum())
        << "p " << p << ", m " << m << ", v " << v;
  }
}

// Qi et al. (ICLR 2024), Table 1.
TEST(ExactPipeline, ZeroBubbleH1FillsAWeightPassPerStageOfTheIdleTime) {
  Draw draw{3};
  for (int i = 0; i < draws; ++i) {
    auto const p = draw(1, 6);
    auto const m = p + draw(0, 6);
    auto times = random_times(draw);
    auto const [f, b] = std::tuple{times.forward, times.backward_data};
    auto const w = times.backward_weight = draw(1, f);
    auto const clocks = simulated_clocks(equal_chain("zb-h1", straight(p, m), times));
    EXPECT_EQ(clocks.span - m * (f + b + w), (p - 1) * (f + b - w)) << "p " << p << ", m " << m;
    EXPECT_EQ(clocks.time, m * (f + b + w) + (p - 1) * std::max(f + b - w, f))
        << "p " << p << ", m " << m;
  }
}

TEST(ExactPipeline, ZeroBubbleH2FillsTwoWeightPassesPerStageOfTheIdleTime) {
  Draw draw{4};
  for (int i = 0; i < draws; ++i) {
    auto const p = draw(1, 5);
    auto const m = 2 * p - 1 + draw(0, 6);
    auto times = random_times(draw);
    auto const [f, b] = std::tuple{times.forward, times.backward_data};
    auto const w = times.backward_weight = draw(1, std::min(f, (f + b) / 2));
    auto const clocks = simulated_clocks(equal_chain("zb-h2", straight(p, m), times));
    EXPECT_EQ(clocks.span - m * (f + b + w), (p - 1) * (f + b - 2 * w)) << "p " << p << ", m " << m;
    EXPECT_EQ(clocks.time, m * (f + b + w) + (p - 1) * std::max(f + b - 2 * w, f))
        << "p " << p << ", m " << m;
  }
}

TEST(ExactPipeline, BarriersOfStagesThatTakeTurnsWithTheirMessagesTakeNoTimeEither) {
  auto chain = equal_chain("1f1b", straight(4, 8), {5, 4, 3});
  chain.times.transfers = PipelineTimes::Transfers::leaving_before_computation;
  EXPECT_EQ(simulated_clocks(chain).time, (8 + 3) * 12);
}

TEST(ExactPipeline, TakesClocksToIssueUnlessTheArraySaysOtherwise) {
  auto chain = equal_chain("1f1b", straight(2, 2), {50, 40, 30});
  chain.takes_clocks_to_issue = true;
  EXPECT_GT(simulated_clocks(chain).time, 3 * 120);
}

TEST(ExactPipeline, DoesNotDependOnTheOrderOfModulesWhereMessagesTakeNoTime) {
  Draw draw{5};
  for (int i = 0; i < draws; ++i) {
    StagedChain chain;
    chain.schedule = i % 2 == 0 ? "1f1b" : "pipedream";
    chain.shape = {random_replicas(draw, 4, 2), 1, draw(2, 8), 1};
    chain.times = random_stage_times(chain.shape, draw);
    sim::RunOptions shuffled;
    shuffled.module_order = sim::RunOptions::ModuleOrder::reverse;
    shuffled.shuffle_seed = 7 + static_cast<std::uint64_t>(i);
    EXPECT_EQ(simulated_passes(chain, shuffled), simulated_passes(chain));
  }
}

}  // namespace
}  // namespace tessera::test

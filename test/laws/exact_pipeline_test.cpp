// Pipelines without a clock to spare: on profiled units, free links and ideal memories a step takes what its schedule's closed form
// says, to the clock, simulated and by the twin that knows nothing of tasks. p stages, m micro-batches, v chunks; F, B and W are a
// stage's forward, backward-data and backward-weight times, S their sum.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "test/support/draw.hpp"
#include "test/support/pipeline/staged_chain.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::test {
namespace {

constexpr int draws = 12;  ///< where two simulations are compared

StagedChain equal_chain(std::string const& schedule, partition::PipelineShape const& shape,
                        PassTimes const& times) {
  StagedChain chain;
  chain.schedule = schedule;
  chain.shape = shape;
  chain.times = equal_times(shape, times);
  return chain;
}

StepClocks twin_clocks(StagedChain const& chain) {
  auto const timeline = run_pipeline(program_of(chain.schedule, chain.shape), chain.times);
  return {makespan(timeline), longest_span(timeline)};
}

/// What tells how long a step takes.
struct StepClock {
  std::string name;
  StepClocks (*clocks_of)(StagedChain const& chain);
  int draws;  ///< random cases of a law
};

class ClosedForms : public testing::TestWithParam<StepClock> {
 protected:
  [[nodiscard]] static StepClocks clocks(std::string const& schedule,
                                         partition::PipelineShape const& shape,
                                         PassTimes const& times) {
    return GetParam().clocks_of(equal_chain(schedule, shape, times));
  }
};

INSTANTIATE_TEST_SUITE_P(Of, ClosedForms,
                         testing::Values(StepClock{"Simulated", simulated_clocks, 12},
                                         StepClock{"Twin", twin_clocks, 200}),
                         [](auto const& system) { return system.param.name; });

// Huang et al. (NeurIPS 2019), section 2.3; Narayanan et al. (ICML 2021), section 3.2.
TEST_P(ClosedForms, GPipeAndOneForwardOneBackwardTakeTheFillAndDrainOfAllOtherStages) {
  Draw draw{1};
  for (int i = 0; i < GetParam().draws; ++i) {
    auto const p = draw(1, 6);
    auto const m = draw(1, 10);
    auto const times = random_times(draw);
    for (auto const* const schedule : {"gpipe", "1f1b"}) {
      EXPECT_EQ(clocks(schedule, straight(p, m), times).time, (m + p - 1) * times.sum())
          << schedule << ", p " << p << ", m " << m;
    }
  }
}

// Narayanan et al. (SC 2021), section 2.2. F, B and W are of a chunk here, so that (p - 1) S / v of a stage is (p - 1) S.
TEST_P(ClosedForms, InterleavedStagesIdleForTheOtherStagesChunk) {
  Draw draw{2};
  for (int i = 0; i < GetParam().draws; ++i) {
    auto const p = draw(1, 5);
    auto const m = p * draw(1, 3);
    auto const v = draw(2, 4);
    auto const times = random_times(draw);
    auto const time = clocks("interleaved-1f1b", straight(p, m, v), times).time;
    EXPECT_EQ(time - m * v * times.sum(), (p - 1) * times.sum())
        << "p " << p << ", m " << m << ", v " << v;
  }
}

// Qi et al. (ICLR 2024), Table 1.
TEST_P(ClosedForms, ZeroBubbleH1FillsAWeightPassPerStageOfTheIdleTime) {
  Draw draw{3};
  for (int i = 0; i < GetParam().draws; ++i) {
    auto const p = draw(1, 6);
    auto const m = p + draw(0, 6);
    auto times = random_times(draw);
    auto const [f, b] = std::tuple{times.forward, times.backward_data};
    auto const w = times.backward_weight = draw(1, f);
    auto const step = clocks("zb-h1", straight(p, m), times);
    EXPECT_EQ(step.span - m * (f + b + w), (p - 1) * (f + b - w)) << "p " << p << ", m " << m;
    EXPECT_EQ(step.time, m * (f + b + w) + (p - 1) * std::max(f + b - w, f))
        << "p " << p << ", m " << m;
  }
}

// The same, appendix H: with m <= p, (m + p - 1) (F + B) + W; of this order where W is the shortest pass.
TEST_P(ClosedForms, ZeroBubbleH1HidesAllWeightPassesButOneOfFewMicroBatches) {
  Draw draw{8};
  for (int i = 0; i < GetParam().draws; ++i) {
    auto const p = draw(1, 8);
    auto const m = draw(1, p);
    auto times = random_times(draw);
    auto const [f, b] = std::tuple{times.forward, times.backward_data};
    auto const w = times.backward_weight = draw(1, std::min(f, b));
    EXPECT_EQ(clocks("zb-h1", straight(p, m), times).time, (m + p - 1) * (f + b) + w)
        << "p " << p << ", m " << m;
  }
}

TEST_P(ClosedForms, ZeroBubbleH2FillsTwoWeightPassesPerStageOfTheIdleTime) {
  Draw draw{4};
  for (int i = 0; i < GetParam().draws; ++i) {
    auto const p = draw(1, 5);
    auto const m = 2 * p - 1 + draw(0, 6);
    auto times = random_times(draw);
    auto const [f, b] = std::tuple{times.forward, times.backward_data};
    auto const w = times.backward_weight = draw(1, std::min(f, (f + b) / 2));
    auto const step = clocks("zb-h2", straight(p, m), times);
    EXPECT_EQ(step.span - m * (f + b + w), (p - 1) * (f + b - 2 * w)) << "p " << p << ", m " << m;
    EXPECT_EQ(step.time, m * (f + b + w) + (p - 1) * std::max(f + b - 2 * w, f))
        << "p " << p << ", m " << m;
  }
}

// A flush is each stage's own (partition/schedule/schedule.hpp). The last gradient of a step of GPipe or 1F1B is the input stage's, which
// has the first forward pass of the next one: nothing overlaps. Of the zero-bubble schedules, stages begin the next step while others
// end theirs, and a step takes its span.
TEST_P(ClosedForms, OfSeveralStepsAreAStepsTimeEachOrItsSpan) {
  PassTimes const times{5, 4, 3};
  auto const time = [&](std::string const& schedule, std::int64_t steps) {
    return clocks(schedule, straight(4, 8, 1, steps), times).time;
  };
  for (std::int64_t const steps : {1, 2, 3}) {
    EXPECT_EQ(time("gpipe", steps), steps * (8 + 3) * 12);
    EXPECT_EQ(time("1f1b", steps), steps * (8 + 3) * 12);
    EXPECT_EQ(time("zb-h1", steps), steps * (8 * 12 + 3 * (5 + 4 - 3)));
    EXPECT_EQ(time("zb-h2", steps), steps * (8 * 12 + 3 * (5 + 4 - 2 * 3)) + 3 * (2 * 3 - 4));
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

// Steps of an instant are numbered, and have an end.
TEST(ExactPipeline, WithoutAnyTimeSaysSo) {
  auto const chain = equal_chain("1f1b", straight(1, 300), {0, 0, 0});
  try {
    ADD_FAILURE() << simulated_clocks(chain).time;
  } catch (std::runtime_error const& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("arch.accelerator.dispatch: lets 1000 messages "
                                   "follow each other at 0 ps without time going by"));
  }
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

// How long schedules without a flush take per micro-batch once they are under way: exactly, as a ratio of whole numbers.
#include <gtest/gtest.h>

#include "test/support/pipedream_events.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::partition {
namespace {

using test::Draw;
using test::PipelineTimes;
using test::Ratio;
using test::Timeline;

/// Ends of a replica's backward passes.
std::vector<std::int64_t> backward_ends(std::vector<test::TimedSlot> const& slots) {
  std::vector<std::int64_t> ends;
  for (auto const& timed : slots) {
    if (timed.slot.pass == Pass::backward) ends.push_back(timed.end);
  }
  return ends;
}

/// Do `passes` of a replica's backward passes always take `time`? Looked at in the last part of the
/// run before it drains.
bool repeats(std::vector<std::int64_t> const& ends, std::size_t passes, std::int64_t time) {
  for (auto i = ends.size() / 2; i + passes < ends.size() * 9 / 10; ++i) {
    if (ends[i + passes] - ends[i] != time) return false;
  }
  return true;
}

/// The steady time of `round` micro-batches, over as many rounds as it takes to repeat itself.
Ratio period_of(Timeline const& timeline, std::size_t round) {
  for (std::size_t rounds = 1; rounds <= 12; ++rounds) {
    auto const input = backward_ends(timeline.front().front());
    auto const passes = [&](std::vector<std::vector<test::TimedSlot>> const& stage) {
      return rounds * round / stage.size();
    };
    auto const middle = input.size() / 2;
    auto const time = input[middle + passes(timeline.front())] - input[middle];
    bool is_steady = true;
    for (auto const& stage : timeline) {
      for (auto const& slots : stage) {
        is_steady = is_steady && repeats(backward_ends(slots), passes(stage), time);
      }
    }
    if (is_steady) return {time, static_cast<std::int64_t>(rounds)};
  }
  return {-1, 1};
}

TEST(SteadyState, OfAStraightPipelineIsItsSlowestStage) {
  Draw draw{21};
  for (int i = 0; i < 60; ++i) {
    auto const p = draw(1, 6);
    for (auto const* const name : {"pipedream", "2bw"}) {
      auto const shape = test::straight(p, p + draw(0, 3), 1, 400 / p);
      auto const times = random_stage_times(shape, draw);
      std::int64_t slowest = 0;
      for (auto const& stage : times.stages) slowest = std::max(slowest, stage.sum());
      auto const period = period_of(run_pipeline(test::program_of(name, shape), times), 1);
      EXPECT_EQ(period.weight, slowest * period.height) << name << ", p " << p;
    }
  }
}

TEST(SteadyState, OfPipeDreamIsTheMaximumCycleRatioOfItsRules) {
  Draw draw{22};
  int slower_than_any_stage = 0;
  for (int i = 0; i < 60; ++i) {
    PipelineShape shape{test::random_replicas(draw, 4, 4)};
    auto times = random_stage_times(shape, draw, 5);
    times.transfer = draw(0, 1) * draw(0, 15);
    test::PipeDreamEvents const events{shape.replicas, times};
    auto const round = static_cast<std::int64_t>(events.round());
    shape.micro_batches = 120 * round;
    auto const timeline = run_pipeline(test::program_of("pipedream", shape), times);
    auto const period = period_of(timeline, events.round());
    auto const expected = events.period();
    EXPECT_EQ(period.weight * expected.height, expected.weight * period.height)
        << "round of " << round << ": " << period.weight << " / " << period.height << ", not "
        << expected.weight << " / " << expected.height;
    std::int64_t slowest = 0;  // stage, of its replicas' share of a round
    for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
      auto const turns = round / static_cast<std::int64_t>(shape.replicas[stage]);
      slowest = std::max(slowest, turns * (times.stages[stage].sum() + times.stages[stage].update));
    }
    EXPECT_GE(expected.weight, slowest * expected.height);
    if (expected.weight > slowest * expected.height) ++slower_than_any_stage;
  }
  EXPECT_GT(slower_than_any_stage, 5);  // else the test could do without cycles
}

}  // namespace
}  // namespace tessera::partition

// The orders of schedules, and what follows from them without a machine: activations in flight, weight versions, refusals. How long their
// steps take is in test/laws/exact_pipeline_test.cpp. p stages, m micro-batches, v chunks; F, B and W are a stage's forward,
// backward-data and backward-weight times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "partition/schedule/order_check.hpp"
#include "test/support/error_message.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::partition {
namespace {

using test::Draw;
using test::equal_times;
using test::makespan;
using test::PassTimes;
using test::PipelineTimes;
using test::program_of;
using test::random_stage_times;
using test::random_times;
using test::run_pipeline;
using test::straight;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int draws = 200;

std::int64_t step_time(PipelineProgram const& program, PassTimes const& times) {
  return makespan(run_pipeline(program, equal_times(program.shape, times)));
}

TEST(Schedules, WaitForTransfersBesideComputationOrAfterIt) {
  // Two stages, two micro-batches; F, B and W take 1, a transfer 2.
  //   beside   stage 0  F0 0-1, F1 1-2, B0 8-10, B1 11-13        (the first error arrives at 8, the second at 11)
  //            stage 1  F0 3-4, B0 4-6, F1 6-7, B1 7-9
  //   before   stage 0  F0 0-1 -3, F1 3-4 -6, B0 8-10, B1 13-15
  //            stage 1  F0 3-4, B0 4-6 -8, F1 8-9, B1 9-11 -13
  auto const program = program_of("1f1b", straight(2, 2));
  auto times = equal_times(program.shape, {1, 1, 1});
  times.transfer = 2;
  EXPECT_EQ(makespan(run_pipeline(program, times)), 13);
  times.transfers = PipelineTimes::Transfers::before_computation;
  EXPECT_EQ(makespan(run_pipeline(program, times)), 15);
}

TEST(Schedules, ASplitBackwardPassOfOneForwardOneBackwardLetsTheErrorLeaveBeforeTheGradient) {
  // Two stages, two micro-batches, F = B = W = 1. Stage 1 ends F0 at 2 and its error at 3 instead of 4.
  auto program = program_of("1f1b", straight(2, 2));
  PassTimes const times{1, 1, 1};
  EXPECT_EQ(step_time(program, times), (2 + 2 - 1) * 3);
  for (auto& stage : program.orders) stage.front() = with_split_backward(stage.front());
  EXPECT_EQ(problem_of(program), std::nullopt);
  // Stage 1: F0 B0 W0 F1 B1 W1 from 1 to 7; stage 0 has the last error at 6 and ends at 8.
  EXPECT_EQ(step_time(program, times), 8);
}

std::vector<std::int64_t> activations_of(PipelineProgram const& program) {
  std::vector<std::int64_t> most;
  for (auto const& stage : program.orders) most.push_back(high_water(stage.front()).activations);
  return most;
}

std::vector<std::int64_t> versions_of(PipelineProgram const& program) {
  std::vector<std::int64_t> most;
  for (auto const& stage : program.orders)
    most.push_back(high_water(stage.front()).weight_versions);
  return most;
}

// The papers' memory: GPipe m, 1F1B at most p - s, interleaved 2 (p - 1 - s) + (v - 1) p + 1 chunks (SC 2021's warm-up and one),
// ZB-H1 p and ZB-H2 2 p - 1 (ICLR 2024, Table 1; until the weight pass), PipeDream W_s + 1 = p - s, 2BW p - s.
TEST(Schedules, KeepTheActivationsThatTheirPapersSay) {
  Draw draw{5};
  for (int i = 0; i < draws; ++i) {
    auto const p = draw(1, 8);
    auto const m = draw(1, 24);
    auto const v = draw(2, 4);
    auto const groups = p * draw(1, 4);
    auto const gpipe = activations_of(program_of("gpipe", straight(p, m)));
    auto const one = activations_of(program_of("1f1b", straight(p, m, 1, 2)));
    auto const chunks = activations_of(program_of("interleaved-1f1b", straight(p, groups, v)));
    auto const h1 = activations_of(program_of("zb-h1", straight(p, m)));
    auto const h2 = activations_of(program_of("zb-h2", straight(p, m)));
    auto const pipedream = activations_of(program_of("pipedream", straight(p, m)));
    auto const two = activations_of(program_of("2bw", straight(p, p + m, 1, 3)));
    for (std::int64_t s = 0; s < p; ++s) {
      auto const at = static_cast<std::size_t>(s);
      EXPECT_EQ(gpipe[at], m);
      EXPECT_EQ(one[at], std::min(m, p - s));
      EXPECT_EQ(chunks[at], std::min(groups * v, 2 * (p - 1 - s) + (v - 1) * p + 1));
      EXPECT_EQ(h1[at], std::min(m, p));
      EXPECT_EQ(h2[at], std::min(m, 2 * p - 1));
      EXPECT_EQ(pipedream[at], std::min(m, p - s));
      EXPECT_EQ(two[at], p - s);
    }
  }
}

TEST(Schedules, WithAFlushHaveOneVersionOfTheWeightsAndPassEachStepOnItsOwn) {
  for (auto const* const name : {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2"}) {
    auto const v = std::string{name} == "interleaved-1f1b" ? 2 : 1;
    auto const program = program_of(name, straight(3, 6, v, 4));
    EXPECT_THAT(versions_of(program), ElementsAre(1, 1, 1)) << name;
    for (auto const& stage : program.orders) {
      for (auto const& slot : stage.front()) {
        if (slot.pass == Pass::update) continue;
        EXPECT_EQ(slot.version, slot.micro_batch / 6) << name;
      }
    }
  }
}

// Narayanan et al. (SOSP 2019), section 3.3: w(t+1) = w(t) - v grad f(w1(t-n+1), w2(t-n+2) ... wn(t)).
TEST(PipeDream, PassesAMicroBatchOnWeightsThatAreAsManyUpdatesOldAsStagesFollow) {
  auto const program = program_of("pipedream", straight(4, 40));
  EXPECT_THAT(versions_of(program), ElementsAre(4, 3, 2, 1));
  for (std::int64_t stage = 0; stage < 4; ++stage) {
    for (auto const& slot : program.orders[static_cast<std::size_t>(stage)].front()) {
      if (slot.pass == Pass::update) continue;
      EXPECT_EQ(slot.version, std::max<std::int64_t>(0, slot.micro_batch - (3 - stage)));
    }
  }
}

// The same: with vertical sync grad f(w1(t-n+1), w2(t-n+1) ... wn(t-n+1)).
TEST(PipeDream, WithVerticalSyncPassesAMicroBatchOnTheSameWeightsEverywhere) {
  ScheduleOptions options;
  options.vertical_sync = ScheduleOptions::VerticalSync::on;
  auto const program = program_of("pipedream", straight(4, 40), options);
  EXPECT_EQ(problem_of(program), std::nullopt);
  EXPECT_THAT(versions_of(program), ElementsAre(4, 4, 4, 4));
  for (auto const& stage : program.orders) {
    for (auto const& slot : stage.front()) {
      if (slot.pass == Pass::update) continue;
      EXPECT_EQ(slot.version, std::max<std::int64_t>(0, slot.micro_batch - 3));
    }
  }
}

// Its runtime's warm-up is W_s = floor((R - 1 - r_0 - ... - r_(s-1)) / r_s); NOAM = ceil(R / r_0), section 3.2. VGG-16's 15-1 and
// GNMT-16's 12 x 1-3-1, as its repository deploys them.
TEST(PipeDream, KeepsAsManyMicroBatchesInFlightAsItsRuntimeWarmsUpWithAndOne) {
  auto const vgg = program_of("pipedream", {{15, 1}, 1, 600, 1});
  EXPECT_THAT(activations_of(vgg), ElementsAre(2, 1));
  EXPECT_THAT(versions_of(vgg), ElementsAre(2, 1));
  auto const gnmt =
      program_of("pipedream", {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1}, 1, 600, 1});
  EXPECT_THAT(activations_of(gnmt), ElementsAre(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 2, 1));
  EXPECT_EQ(versions_of(gnmt), activations_of(gnmt));

  Draw draw{6};
  for (int i = 0; i < draws; ++i) {
    auto const replicas = test::random_replicas(draw, 5, 5);
    auto const program = program_of("pipedream", {replicas, 1, 120, 1});
    std::size_t workers = 0;
    for (auto const count : replicas) workers += count;
    auto const noam = (workers + replicas.front() - 1) / replicas.front();
    EXPECT_EQ(activations_of(program).front(), static_cast<std::int64_t>(noam));
    EXPECT_EQ(versions_of(program), activations_of(program));
  }
}

TEST(PipeDream, UpdatesAStageOncePerRoundOfItsReplicas) {
  auto const program = program_of("pipedream", {{3, 2}, 1, 7, 1});
  auto const updates = [&](std::size_t stage, std::size_t replica) {
    auto const& order = program.orders[stage][replica];
    return std::count_if(order.begin(), order.end(),
                         [](Slot const& slot) { return slot.pass == Pass::update; });
  };
  for (std::size_t replica = 0; replica < 3; ++replica) EXPECT_EQ(updates(0, replica), 3);  // 7 / 3
  for (std::size_t replica = 0; replica < 2; ++replica) EXPECT_EQ(updates(1, replica), 4);  // 7 / 2
}

// Narayanan et al. (ICML 2021), section 3.1: W(t+1) = W(t) - v grad f(W(t-1)).
TEST(TwoBufferedWeights, PassesAStepOnTheWeightsOfTheStepBeforeAndKeepsTwoVersions) {
  auto const program = program_of("2bw", straight(4, 6, 1, 5));
  EXPECT_THAT(versions_of(program), ElementsAre(2, 2, 2, 2));
  for (auto const& stage : program.orders) {
    std::int64_t updates = 0;
    std::int64_t gradients = 0;
    for (auto const& slot : stage.front()) {
      if (slot.pass == Pass::update) {
        EXPECT_EQ(slot.version, ++updates);
        EXPECT_EQ(gradients, 6 * updates);  // of all micro-batches so far
        continue;
      }
      EXPECT_EQ(slot.version, std::max<std::int64_t>(0, slot.micro_batch / 6 - 1));
      if (slot.pass == Pass::backward) ++gradients;
    }
    EXPECT_EQ(updates, 5);
  }
}

TEST(Schedules, CanBeRunToTheirEndWithAnyReplicasThatTheyDoNotRefuse) {
  Draw draw{7};
  auto const schedules = builtin_schedules();
  for (int i = 0; i < 500; ++i) {
    PipelineShape shape{test::random_replicas(draw, 6, 4), 1, draw(1, 30), draw(1, 3)};
    ScheduleOptions options;
    if (draw(0, 1) == 1) options.vertical_sync = ScheduleOptions::VerticalSync::on;
    if (draw(0, 1) == 1) shape.replicas.assign(shape.stages(), shape.replicas.front());
    for (auto const& entry : schedules.entries()) {
      auto const schedule = entry.factory(options);
      shape.chunks = entry.name == "interleaved-1f1b" ? draw(2, 4) : 1;
      if (refusal_of(*schedule, shape)) continue;
      auto const problem = problem_of(partition::program_of(*schedule, shape));
      EXPECT_FALSE(problem) << entry.name << ": " << problem->problem;
    }
  }
}

TEST(Schedules, OfManyReplicasAreManyPipelinesWhereStagesHaveEquallyMany) {
  // Two replicas of every stage, 8 micro-batches: each column passes every second one, as a pipeline of its own would 4.
  PassTimes const times{3, 2, 2};
  for (auto const* const name : {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "2bw"}) {
    auto const v = std::string{name} == "interleaved-1f1b" ? 2 : 1;
    EXPECT_EQ(step_time(program_of(name, {{2, 2, 2, 2}, v, 8, 3}), times),
              step_time(program_of(name, straight(4, 4, v, 3)), times))
        << name;
  }
}

std::string refusal(std::string const& schedule, PipelineShape const& shape) {
  return test::error_message([&] { return program_of(schedule, shape); });
}

TEST(Schedules, AreRefusedWhereTheyCannotBe) {
  EXPECT_EQ(
      refusal("2bw", straight(4, 3)),
      "micro_batches: 3 are too few for 2bw on 4 stages (with fewer than a replica has stages, "
      "two versions of the weights are not enough); use at least 4");
  EXPECT_EQ(refusal("2bw", {{2, 2}, 1, 3, 1}),
            "micro_batches: 3 are too few for 2bw on 2 stages of 2 replicas (with fewer than a "
            "replica has stages, two versions of the weights are not enough); use at least 4");
  EXPECT_EQ(
      refusal("interleaved-1f1b", straight(4, 6, 2)),
      "micro_batches: 6 is not a multiple of 4 (interleaved-1f1b takes as many through a chunk "
      "as there are stages, in each replica); use 4 or 8");
  EXPECT_THAT(refusal("interleaved-1f1b", straight(4, 3, 2)), HasSubstr("; use 4"));
  EXPECT_EQ(refusal("interleaved-1f1b", straight(4, 8)),
            "chunks: interleaved-1f1b has at least 2 chunks per stage; use 1f1b for one");
  for (auto const* const name : {"gpipe", "1f1b", "zb-h1", "zb-h2", "pipedream", "2bw"}) {
    EXPECT_EQ(refusal(name, straight(2, 8, 3)),
              "chunks: this schedule has one chunk per stage; use interleaved-1f1b for 3");
  }
  for (auto const* const name : {"zb-h1", "zb-h2", "2bw"}) {
    EXPECT_EQ(
        refusal(name, {{2, 2, 1}, 1, 8, 1}),
        "replicas: stage 2 has 1 and stage 0 has 2 (this schedule's stages have equally many); "
        "use gpipe, 1f1b or pipedream for unequal ones");
  }
  EXPECT_THAT(refusal("zigzag", straight(2, 8)), HasSubstr("zigzag"));
}

TEST(Schedules, AreRefusedWithoutStagesReplicasOrMicroBatches) {
  EXPECT_THAT(refusal("gpipe", {}), HasSubstr("stages: "));
  EXPECT_THAT(refusal("gpipe", {{1, 0}, 1, 1, 1}), HasSubstr("replicas: "));
  EXPECT_THAT(refusal("gpipe", {{1, 1}, 0, 1, 1}), HasSubstr("chunks: "));
  EXPECT_THAT(refusal("gpipe", {{1, 1}, 1, 0, 1}), HasSubstr("micro_batches: "));
  EXPECT_THAT(refusal("gpipe", {{1, 1}, 1, 1, 0}), HasSubstr("steps: "));
}

}  // namespace
}  // namespace tessera::partition

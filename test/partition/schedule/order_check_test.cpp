// Orders that cannot be run are found before anything runs, and the circle is named.
#include "partition/schedule/order_check.hpp"

#include <gtest/gtest.h>

#include "test/support/random_pipeline.hpp"

namespace tessera::partition {
namespace {

using test::program_of;
using test::straight;

/// F0, B0, D0 (backward_data), W0 and U, with blanks between; one string per stage.
PipelineProgram program_from(PipelineShape const& shape,
                             std::vector<std::vector<char const*>> const& orders) {
  PipelineProgram program{shape, {}};
  for (auto const& stage : orders) {
    program.orders.emplace_back();
    for (std::string const text : stage) {
      Order order;
      for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ' ') continue;
        if (text[at] == 'U') {
          order.push_back({Pass::update});
          continue;
        }
        auto const pass = text[at] == 'F'   ? Pass::forward
                          : text[at] == 'B' ? Pass::backward
                          : text[at] == 'D' ? Pass::backward_data
                                            : Pass::backward_weight;
        order.push_back({pass, text[++at] - '0'});
      }
      program.orders.back().push_back(on_newest_weights(order));
    }
  }
  return program;
}

std::string problem(PipelineProgram const& program) {
  auto const found = problem_of(program);
  return found ? found->problem : "none";
}

TEST(OrderCheck, LetsOrdersThroughThatCanBeRun) {
  EXPECT_EQ(problem(program_from(straight(2, 2), {{"F0 F1 B0 B1 U"}, {"F0 B0 F1 B1 U"}})), "none");
  EXPECT_EQ(problem(program_from(straight(2, 2), {{"F0 F1 D1 D0 W0 W1 U"}, {"F1 B1 F0 B0 U"}})),
            "none");
}

TEST(OrderCheck, NamesTheCircleInWhichStagesWaitForEachOther) {
  // Stage 1 wants both micro-batches before it gives an error back, stage 0 an error before the second.
  auto const program = program_from(straight(2, 2), {{"F0 B0 F1 B1 U"}, {"F0 F1 B0 B1 U"}});
  EXPECT_EQ(problem(program),
            "the orders deadlock: stage 0 waits at backward of micro-batch 0 for backward_data of "
            "micro-batch 0 on stage 1, which waits at forward of micro-batch 1 for forward of "
            "micro-batch 1 on stage 0; let every pass come after those that it needs");
  auto const found = problem_of(program);
  EXPECT_EQ(found->stage, 0U);
  EXPECT_EQ(found->slot, 1U);
}

TEST(OrderCheck, NamesAPassThatComesBeforeWhatItNeedsInTheSameOrder) {
  EXPECT_EQ(
      problem(program_from(straight(1, 1), {{"B0 F0 U"}})),
      "the orders deadlock: stage 0 waits at backward of micro-batch 0 for its own forward of "
      "micro-batch 0, which comes later in its order");
  EXPECT_EQ(problem(program_from(straight(1, 1), {{"F0 W0 D0 U"}})),
            "the orders deadlock: stage 0 waits at backward_weight of micro-batch 0 for its own "
            "backward_data of micro-batch 0, which comes later in its order");
}

/// Two stages, with weights tied over them.
PipelineProgram tied_program(char const* first, char const* second) {
  auto program = program_from(straight(2, 2), {{first}, {second}});
  program.shape.tied = {{1}, {0}};
  return program;
}

TEST(OrderCheck, NamesStagesWithTiedWeightsThatWaitForEachOther) {
  // Stage 0 wants the weights after an update that stage 1 comes to behind the next micro-batch.
  auto const* const first = "F0 B0 U F1 B1 U";
  auto const* const second = "F0 B0 F1 U B1 U";
  EXPECT_EQ(problem(program_from(straight(2, 2), {{first}, {second}})), "none");
  EXPECT_EQ(problem(tied_program(first, second)),
            "the orders deadlock: stage 0 waits at forward of micro-batch 1 for update 1 on stage "
            "1, which waits at forward of micro-batch 1 for forward of micro-batch 1 on stage 0; "
            "let every pass come after those that it needs");
  EXPECT_EQ(problem(tied_program("F0 F1 B0 U B1 U", "F0 B0 U F1 B1 U")), "none");
}

TEST(OrderCheck, NamesStagesWithTiedWeightsThatUpdateAfterOtherMicroBatches) {
  EXPECT_EQ(problem(tied_program("F0 F1 B0 B1 U", "F0 B0 U F1 B1 U")),
            "weights are tied over stage 0 and stage 1, whose updates are not of the same "
            "micro-batches; update both after the same ones");
}

TEST(OrderCheck, NamesReplicasThatWaitForEachOthersUpdates) {
  // Replica 0 updates before micro-batch 2, which replica 1's first gradient waits for by way of stage 1.
  auto const program = program_from(
      {{2, 1}, 1, 4, 1}, {{"F0 B0 U F2 B2 U", "F1 B1 U F3 B3 U"}, {"F0 B0 F2 B2 F1 B1 F3 B3 U"}});
  EXPECT_EQ(
      problem(program),
      "the orders deadlock: stage 0, replica 0 waits at update 1 for update 1 on stage 0, "
      "replica 1, which waits at backward of micro-batch 1 for backward_data of micro-batch 1 "
      "on stage 1, which waits at forward of micro-batch 2 for forward of micro-batch 2 on "
      "stage 0, replica 0; let every pass come after those that it needs");
}

TEST(OrderCheck, NamesWhatIsMissingOrTooMuch) {
  auto const of_one = [](char const* order) {
    return problem(program_from(straight(1, 2), {{order}}));
  };
  EXPECT_EQ(of_one("F0 B0 F1 U"), "stage 0: there is no backward of micro-batch 1");
  EXPECT_EQ(of_one("F0 B0 F1 D1 U"), "stage 0: there is no backward_weight of micro-batch 1");
  EXPECT_EQ(of_one("F0 B0 B1 U"), "stage 0: there is no forward of micro-batch 1");
  EXPECT_EQ(of_one("F0 B0 F0 F1 B1 U"), "stage 0: forward of micro-batch 0 has been done before");
  EXPECT_EQ(of_one("F0 B0 F1 B1 W1 U"),
            "stage 0: backward_weight of micro-batch 1 has been done before");
  EXPECT_EQ(of_one("F0 B0 F1 B1 F2 B2 U"),
            "stage 0: there is no micro-batch 2 (they are numbered from 0 to 1)");
  EXPECT_EQ(
      of_one("F0 B0 U F1 B1"),
      "stage 0: no update takes the gradients of backward of micro-batch 1; end the order with "
      "an update");
}

TEST(OrderCheck, NamesTheReplicaOfAMicroBatchAndUnequalUpdates) {
  PipelineShape const shape{{2}, 1, 2, 1};
  EXPECT_EQ(
      problem(program_from(shape, {{"F1 B1 U", "F0 B0 U"}})),
      "stage 0, replica 0: micro-batch 1 belongs to replica 1 (a stage's replicas take turns)");
  EXPECT_EQ(problem(program_from(shape, {{"F0 B0 U", "F1 B1 U U"}})),
            "stage 0, replica 1: there are 2 updates, and 1 in replica 0 (an update takes the "
            "gradients of all replicas)");
}

TEST(OrderCheck, NamesWeightsThatHaveNotBeenMadeOrAreNotThoseOfTheForwardPass) {
  auto program = program_from(straight(1, 2), {{"F0 F1 B0 U B1 U"}});
  EXPECT_EQ(problem(program), "none");
  auto& order = program.orders.front().front();
  order[4].version = 1;
  EXPECT_EQ(problem(program),
            "stage 0: backward of micro-batch 1 is on the weights after 1 update, but its forward "
            "pass on those after 0 updates");
  order[1].version = 1;
  EXPECT_EQ(
      problem(program),
      "stage 0: forward of micro-batch 1 is on the weights after 1 update, but only 0 updates "
      "come before it");
}

TEST(OrderCheck, CountsAVersionUntilItsLastPass) {
  // F0 F1 on version 0, B0, then version 1 beside 0 for B1; F2 on 1; version 2 in place of 1 once B2 is done.
  auto const program = program_from(straight(1, 3), {{"F0 F1 B0 U B1 F2 B2 U"}});
  auto const most = high_water(program.orders.front().front());
  EXPECT_EQ(most.activations, 2);
  EXPECT_EQ(most.weight_versions, 2);
  EXPECT_EQ(high_water(program_from(straight(1, 1), {{"F0 B0 U"}}).orders.front().front())
                .weight_versions,
            1);
}

// What the clocked twin cannot finish is what the checker calls a deadlock, and nothing else.
TEST(OrderCheck, FindsADeadlockExactlyWhereTheTwinStandsStill) {
  test::Draw draw{11};
  int deadlocks = 0;
  int runs = 0;
  for (int i = 0; i < 2000; ++i) {
    auto const schedules = builtin_schedules();
    auto const& entries = schedules.entries();
    auto const& entry =
        entries[static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(entries.size()) - 1))];
    PipelineShape shape{test::random_replicas(draw, 4, 2), 1, 4 * draw(1, 3), draw(1, 2)};
    if (entry.name == "interleaved-1f1b") shape.chunks = 2;
    auto const schedule = entry.factory({});
    if (refusal_of(*schedule, shape)) continue;
    auto program = partition::program_of(*schedule, shape);
    for (auto changes = draw(1, 3); changes > 0; --changes) {  // a slot goes some places back
      auto& stage = program.orders[static_cast<std::size_t>(
          draw(0, static_cast<std::int64_t>(shape.stages()) - 1))];
      auto& order =
          stage[static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(stage.size()) - 1))];
      auto const end = draw(1, static_cast<std::int64_t>(order.size()) - 1);
      auto const begin = std::max<std::int64_t>(0, end - draw(1, 6));
      std::rotate(order.begin() + begin, order.begin() + end, order.begin() + end + 1);
      order = on_newest_weights(order);
    }
    if (incomplete_order(program)) continue;
    auto const timeline = test::run_pipeline(program, test::random_stage_times(shape, draw));
    bool is_finished = true;
    for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
      for (std::size_t replica = 0; replica < shape.replicas[stage]; ++replica) {
        is_finished &= timeline[stage][replica].size() == program.orders[stage][replica].size();
      }
    }
    EXPECT_EQ(!deadlock(program), is_finished) << entry.name << ": " << problem(program);
    ++(is_finished ? runs : deadlocks);
  }
  EXPECT_GT(runs, 200);
  EXPECT_GT(deadlocks, 200);
}

}  // namespace
}  // namespace tessera::partition

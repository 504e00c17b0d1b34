// Orders of passes as words, and plans that have them.
#include "partition/plan/explicit_orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::partition {
namespace {

using testing::HasSubstr;

Order order_of(std::string const& words) {
  return order_from(read_config_text("[" + words + "]", "order.yaml"));
}

TEST(ExplicitOrders, AreReadWithChunksAndVersions) {
  EXPECT_EQ(order_of("F0, F1.1, D0, W0, U, B1.1, F2, B2@0"),
            (Order{{Pass::forward, 0, 0, 0},
                   {Pass::forward, 1, 1, 0},
                   {Pass::backward_data, 0, 0, 0},
                   {Pass::backward_weight, 0, 0, 0},
                   {Pass::update, 0, 0, 1},
                   {Pass::backward, 1, 1, 0},
                   {Pass::forward, 2, 0, 1},
                   {Pass::backward, 2, 0, 0}}));
}

TEST(ExplicitOrders, OfEveryScheduleAreReadAsTheyWereWritten) {
  for (auto const& [schedule, chunks] :
       std::vector<std::pair<std::string, std::int64_t>>{{"gpipe", 1},
                                                         {"1f1b", 1},
                                                         {"interleaved-1f1b", 2},
                                                         {"zb-h2", 1},
                                                         {"pipedream", 1},
                                                         {"2bw", 1}}) {
    auto const program = test::program_of(schedule, test::straight(3, 6, chunks, 2));
    for (auto const& stage : program.orders) {
      EXPECT_EQ(order_from(to_config(stage.front())), stage.front()) << schedule;
    }
  }
}

TEST(ExplicitOrders, AWordThatIsNoPassIsNamedWithItsPlace) {
  for (auto const* const word : {"X0", "F", "F-1", "F0.", "F0@", "U1", "F0 "}) {
    try {
      static_cast<void>(order_of("F0, \"" + std::string{word} + "\""));
      ADD_FAILURE() << word;
    } catch (ConfigError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("order.yaml:1:6")) << word;
      EXPECT_THAT(error.what(), HasSubstr("' is no pass")) << word;
    }
  }
}

workloads::Network two_layers() {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  text.batch = "16";
  return test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 64}",
                                     "{name: b, kind: linear, input: a, outputs: 64}"}));
}

/// Stages begin in lines 11 and 12.
std::string text_with_orders(std::string const& first, std::string const& second,
                             std::string const& schedule = "explicit",
                             std::string const& more = "") {
  return "schema: tessera.plan/2\nplanner: hand\nnetwork: test\narray: hypar-paper\nbatch: 16\n"
         "accelerators: 2\npipeline:\n  schedule: " +
         schedule + "\n  micro_batches: 2\n  stages:\n" +
         "    - {accelerators: [0], operators: [a]" + first + "}\n" +
         "    - {accelerators: [1], operators: [b]" + second + "}\n" + more +
         "operators: {a: [], b: []}\n";
}

Plan plan_with_orders(std::string const& text) {
  return plan_from(read_config_text(text, "plan.yaml"), two_layers(),
                   arch::load("hypar-paper", {"accelerators=2"}));
}

std::string error_in_orders(std::string const& text) {
  try {
    static_cast<void>(plan_with_orders(text));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(ExplicitOrders, OfAPlanAreWhatItsStagesDoInEveryStep) {
  auto const text = text_with_orders(", orders: [[F0, F1, B1, B0, U]]",
                                     ", orders: [[F0, F1, D1, W1, D0, W0, U]]");
  auto const plan = plan_with_orders(text);
  auto const program = program_of(*plan.pipeline, 2);
  EXPECT_EQ(program.orders[0][0], order_of("F0, F1, B1, B0, U, F2, F3, B3, B2, U"));
  EXPECT_EQ(program.orders[1][0], order_of("F0, F1, D1, W1, D0, W0, U, F2, F3, D3, W3, D2, W2, U"));
  EXPECT_EQ(problem_of(program).has_value(), false);
  auto const written = write_config(to_config(plan, two_layers()));
  EXPECT_THAT(written, HasSubstr("F0, F1, B1, B0, U"));
  EXPECT_EQ(write_config(to_config(plan_with_orders(written), two_layers())), written);
}

TEST(ExplicitOrders, OfAPlanAreRefusedWhereTheyAreWrong) {
  auto const good = std::string{", orders: [[F0, B0, F1, B1, U]]"};
  EXPECT_THAT(error_in_orders(text_with_orders("", good)),
              HasSubstr("plan.yaml:11:7: pipeline.stages.0: stage 0 has 1 replica, but 0 orders"));
  EXPECT_THAT(error_in_orders(text_with_orders(good, ", orders: [[F0, B0, F1, U]]")),
              HasSubstr("plan.yaml:12:52: pipeline.stages.1.orders.0: stage 1: there is no "
                        "backward of micro-batch 1"));
  EXPECT_THAT(error_in_orders(text_with_orders(good, ", orders: [[F0, B0, F2, B1, U]]")),
              HasSubstr("plan.yaml:12:61: pipeline.stages.1.orders.0.2: stage 1: there is no "
                        "micro-batch 2"));
  EXPECT_THAT(error_in_orders(text_with_orders(good, ", orders: [F0, B0]")),
              HasSubstr("is not a list of passes"));
  EXPECT_THAT(error_in_orders(text_with_orders(good, good, "1f1b")),
              HasSubstr("stage 0 has orders, which are for schedule explicit"));
}

// Stage 0 wants the error of micro-batch 0 before it sends micro-batch 1, stage 1 the other way round.
TEST(ExplicitOrders, OfAPlanThatDeadlockNameTheCircle) {
  auto const error = error_in_orders(
      text_with_orders(", orders: [[F0, B0, F1, B1, U]]", ", orders: [[F0, F1, B0, B1, U]]"));
  EXPECT_THAT(error, HasSubstr("plan.yaml:1"));
  EXPECT_THAT(error, HasSubstr("stage 0"));
  EXPECT_THAT(error, HasSubstr("forward of micro-batch 1"));
}

TEST(Pipeline, BackwardPassesAreSplitWhereThePlanSaysSo) {
  auto text = text_with_orders("", "", "1f1b");
  text.replace(text.find("  stages:"), 0, "  backward: split\n");
  auto const plan = plan_with_orders(text);
  EXPECT_EQ(program_of(*plan.pipeline, 1).orders[1][0], order_of("F0, D0, W0, F1, D1, W1, U"));
  auto const written = write_config(to_config(plan, two_layers()));
  EXPECT_EQ(write_config(to_config(plan_with_orders(written), two_layers())), written);
  EXPECT_THAT(written, HasSubstr("backward: split"));
  text.replace(text.find("1f1b"), 4, "layerwise");
  EXPECT_THAT(error_in_orders(text), HasSubstr("pipeline.backward: is for a schedule with"));
}

TEST(Pipeline, StagesOfPipeDreamAreSyncedWhereThePlanSaysSo) {
  auto text = text_with_orders("", "", "pipedream");
  auto const free = plan_with_orders(text);
  text.replace(text.find("  stages:"), 0, "  vertical_sync: true\n");
  auto const synced = plan_with_orders(text);
  auto const shape = test::straight(2, 2);
  ScheduleOptions options;
  EXPECT_EQ(program_of(*free.pipeline, 1).orders,
            test::program_of("pipedream", shape, options).orders);
  options.vertical_sync = ScheduleOptions::VerticalSync::on;
  EXPECT_EQ(program_of(*synced.pipeline, 1).orders,
            test::program_of("pipedream", shape, options).orders);
  EXPECT_THAT(write_config(to_config(synced, two_layers())), HasSubstr("vertical_sync: true"));
  text.replace(text.find("pipedream"), 9, "gpipe");
  EXPECT_THAT(error_in_orders(text),
              HasSubstr("pipeline.vertical_sync: is for schedule pipedream"));
}

}  // namespace
}  // namespace tessera::partition

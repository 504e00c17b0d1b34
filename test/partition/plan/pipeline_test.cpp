// Plans with stages, as files and as what they make accelerators hold.
#include "partition/plan/pipeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"
#include "partition/price/footprint.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

using testing::HasSubstr;

workloads::Network three_layers() {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  text.batch = "16";
  return test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 64}",
                                     "{name: b, kind: linear, input: a, outputs: 64}",
                                     "{name: c, kind: linear, input: b, outputs: 64}"}));
}

arch::ArraySpec eight() { return arch::load("hypar-paper", {"accelerators=8"}); }

/// The pipeline begins in line 7.
std::string plan_text(std::string const& pipeline, std::string const& operators) {
  return "schema: tessera.plan/2\nplanner: hand\nnetwork: test\narray: hypar-paper\nbatch: 16\n"
         "accelerators: 8\n" +
         pipeline + "operators: " + operators + "\n";
}

std::string const two_stages =
    "pipeline:\n"
    "  schedule: 1f1b\n"
    "  micro_batches: 4\n"
    "  stages:\n"
    "    - {accelerators: [0-3], replicas: 2, operators: [a, b]}\n"
    "    - {accelerators: [6, 7], operators: [c]}\n";
std::string const of_two_stages = "{a: [n], b: [k], c: [c]}";

Plan plan_of(std::string const& text) {
  return plan_from(read_config_text(text, "plan.yaml"), three_layers(), eight());
}

std::string error_of(std::string const& text) {
  try {
    static_cast<void>(plan_of(text));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(Pipeline, IsReadWithItsStages) {
  auto const plan = plan_of(plan_text(two_stages, of_two_stages));
  ASSERT_TRUE(plan.pipeline.has_value());
  auto const& first = plan.pipeline->stages[StageId{0}];
  EXPECT_EQ(first.mesh, (DeviceMesh{{0, 1, 2, 3}, {2, 2}}));
  EXPECT_EQ(first.replicas, 2U);
  EXPECT_EQ(plan.pipeline->stages[StageId{1}].mesh, (DeviceMesh{{6, 7}, {2}}));
  EXPECT_EQ(plan.pipeline->schedule, "1f1b");
  EXPECT_EQ(plan.pipeline->micro_batches, 4);
  // The outermost axis is the replicas', who share nothing of a micro-batch.
  EXPECT_EQ(plan.splits[workloads::OperatorId{0}],
            (Splits{std::nullopt, Split{workloads::Dim::n}}));
}

TEST(Pipeline, IsReadAsItWasWritten) {
  auto const network = three_layers();
  auto const plan = plan_of(plan_text(two_stages, of_two_stages));
  auto const text = write_config(to_config(plan, network));
  EXPECT_EQ(write_config(to_config(plan_of(text), network)), text);
}

TEST(Pipeline, PlansOfTheFirstSchemaHaveNone) {
  auto text = plan_text("", "{a: [n, n, n], b: [n, n, n], c: [n, n, n]}");
  text.replace(text.find("plan/2"), 6, "plan/1");
  EXPECT_FALSE(plan_of(text).pipeline.has_value());
  auto with_stages = plan_text(two_stages, of_two_stages);
  with_stages.replace(with_stages.find("plan/2"), 6, "plan/1");
  EXPECT_THAT(error_of(with_stages),
              HasSubstr("pipeline: stages are of a newer schema; write 'schema: tessera.plan/2'"));
}

struct Refused {
  std::string stages;     ///< of the file
  std::string operators;  ///< likewise
  std::string error;
};

class PipelineError : public testing::TestWithParam<Refused> {};

TEST_P(PipelineError, SaysWhereAndWhat) {
  auto const& [stages, operators, error] = GetParam();
  auto const text = plan_text("pipeline:\n  schedule: 1f1b\n  micro_batches: 4\n" + stages,
                              operators.empty() ? of_two_stages : operators);
  EXPECT_THAT(error_of(text), HasSubstr(error));
}

INSTANTIATE_TEST_SUITE_P(
    Files, PipelineError,
    testing::Values(
        Refused{"  stages: [{accelerators: [0-8], operators: [a, b, c]}]\n", "",
                "plan.yaml:10:28: pipeline.stages.0.accelerators.0: there is no accelerator 8"},
        Refused{"  stages: [{accelerators: [0, 0], operators: [a, b, c]}]\n", "",
                "accelerator 0 is in this stage already"},
        Refused{"  stages: [{accelerators: [0], operators: [a, b]}]\n", "",
                "operator 'c' is in no stage"},
        Refused{"  stages: [{accelerators: [0], operators: [a, b]}, {accelerators: [1], "
                "operators: [b, c]}]\n",
                "", "operator 'b' is in stage 0 and in stage 1"},
        Refused{"  stages: [{accelerators: [0], operators: [a, c]}, {accelerators: [1], "
                "operators: [b]}]\n",
                "", "operator 'c' in stage 0 reads what 'b' in stage 1 computes"},
        Refused{"  stages: [{accelerators: [0], operators: [a, b]}, {accelerators: [0], "
                "operators: [c]}]\n",
                "", "accelerator 0 is in stage 0 and in stage 1"},
        Refused{"  stages: [{accelerators: [0-2], replicas: 2, operators: [a, b, c]}]\n", "",
                "3 accelerators cannot be dealt out to 2 replicas"},
        Refused{"  stages: [{accelerators: [0-3], arity: [2, 3], operators: [a, b, c]}]\n", "",
                "the parts along the axes do not make the stage's 4 accelerators"},
        Refused{"  stages: [{accelerators: [0, 1], operators: [a, b, c]}]\n",
                "{a: [n], b: [n, n], c: [n]}", "the mesh of stage 0 has 1"},
        Refused{"  stages: [{accelerators: [0-7], operators: [a, b, c]}]\n",
                "{a: [n, n, n], b: [n, n, n], c: [n, n, n]}",
                "micro-batches of 4 samples cannot be cut in 8 equal parts"},
        Refused{
            "  stages: [{accelerators: [0], operators: [a, b, c], activations: kept}]\n", "",
            "plan.yaml:10:67: pipeline.stages.0.activations: unknown activations 'kept'; known: "
            "stored, recomputed"}));

TEST(Pipeline, OneMicroBatchAtATimeRecomputesNothing) {
  auto const text = plan_text(
      "pipeline:\n  micro_batches: 4\n  stages:\n"
      "    - {accelerators: [0], operators: [a, b, c], activations: recomputed}\n",
      "{a: [], b: [], c: []}");
  EXPECT_THAT(
      error_of(text),
      HasSubstr("stage 0 recomputes activations (schedule layerwise has one micro-batch at a "
                "time, so that this would save nothing); write 'activations: stored'"));
}

TEST(Pipeline, AnUnknownScheduleIsNamedWithTheKnownOnes) {
  auto const text = plan_text(
      "pipeline:\n  stages: [{accelerators: [0], operators: [a, b, c]}]\n  schedule: 1b1f\n",
      "{a: [], b: [], c: []}");
  EXPECT_THAT(error_of(text), HasSubstr(":9:13: pipeline.schedule: unknown schedule '1b1f'"));
  EXPECT_THAT(error_of(text), HasSubstr("1f1b"));
}

TEST(Pipeline, KeepsAnActivationForEachMicroBatchInFlight) {
  auto const network = three_layers();
  auto const plan = plan_of(plan_text(
      "pipeline:\n  schedule: 1f1b\n  micro_batches: 4\n  stages:\n"
      "    - {accelerators: [0], operators: [a]}\n    - {accelerators: [1], operators: [b]}\n"
      "    - {accelerators: [2], operators: [c]}\n",
      "{a: [], b: [], c: []}"));
  Bytes const weights{64 * 64 * 4};
  Bytes const input_of_micro_batch{4 * 64 * 4};  // 16 samples in 4 micro-batches
  for (std::size_t stage = 0; stage < 3; ++stage) {
    auto const held = footprints(network, plan, stage)[workloads::OperatorId{stage}];
    EXPECT_EQ(held.weights, weights);
    EXPECT_EQ(held.gradients, weights);
    EXPECT_EQ(held.activations, input_of_micro_batch * static_cast<std::int64_t>(3 - stage));
  }
  EXPECT_EQ(footprints(network, plan, 7)[workloads::OperatorId{0}].total(), Bytes{0});
}

TEST(Pipeline, StashesAVersionOfTheWeightsForEachMicroBatchInFlight) {
  auto const plan = plan_of(plan_text(
      "pipeline:\n  schedule: pipedream\n  micro_batches: 4\n  stages:\n"
      "    - {accelerators: [0], operators: [a]}\n    - {accelerators: [1], operators: [b]}\n"
      "    - {accelerators: [2], operators: [c]}\n",
      "{a: [], b: [], c: []}"));
  for (std::size_t stage = 0; stage < 3; ++stage) {
    auto const copies = copies_of(*plan.pipeline, StageId{stage}, 0);
    EXPECT_EQ(copies.versions, static_cast<std::int64_t>(3 - stage));  // W_s + 1 (SOSP'19, 3.3)
    EXPECT_EQ(copies.activations, static_cast<std::int64_t>(3 - stage));
  }
}

/// A stack of equal blocks of three layers, one block to a stage.
struct Stack {
  std::int64_t depth;
  std::int64_t micro_batches;
  workloads::Network network;
  Plan plan;
};

Stack stack_of(std::int64_t depth, std::string const& schedule) {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  text.batch = "16";
  std::vector<std::string> layers;
  std::string stages;
  std::string operators;
  std::string input = "x";
  for (std::int64_t stage = 0; stage < depth; ++stage) {
    std::string names;
    for (auto const* const letter : {"a", "b", "c"}) {
      auto const name = letter + std::to_string(stage);
      layers.push_back("{name: " + name + ", kind: linear, input: " + input + ", outputs: 64}");
      names.append(names.empty() ? "" : ", ").append(name);
      operators.append(operators.empty() ? "" : ", ").append(name).append(": []");
      input = name;
    }
    stages.append("    - {accelerators: [").append(std::to_string(stage));
    stages.append("], operators: [").append(names).append("], activations: recomputed}\n");
  }
  auto network = test::network_of(text.with(layers));
  auto plan = plan_from(read_config_text(plan_text("pipeline:\n  schedule: " + schedule +
                                                       "\n  micro_batches: 8\n  stages:\n" + stages,
                                                   "{" + operators + "}"),
                                         "plan.yaml"),
                        network, eight());
  return {depth, 8, std::move(network), std::move(plan)};
}

Footprint first_of(Stack const& stack) {
  Footprint sum;
  for (auto const& held : footprints(stack.network, stack.plan, 0)) sum += held;
  return sum;
}

// Narayanan et al., ICML 2021, section 3.3: with |W|, |A_total(b)| of the network and |A_in(b)| of
// a stage,
//   2BW    2|W|/d + |A_total(b)|/d + d |A_in(b)|
//   GPipe   |W|/d + |A_total(b)|/d + m |A_in(b)|
// where what is made anew is the inputs of a block's second and third layer.
TEST(Pipeline, RecomputingKeepsInputsOfMicroBatchesInFlightOnly) {
  Bytes const weights{3 * 64 * 64 * 4};   // |W| / d
  Bytes const input{2 * 64 * 4};          // A_in of 2 samples
  Bytes const made_anew{2 * 2 * 64 * 4};  // |A_total| / d
  for (std::int64_t const depth : {1, 2, 4, 8}) {
    SCOPED_TRACE(depth);
    auto const two_versions = first_of(stack_of(depth, "2bw"));
    EXPECT_EQ(two_versions.weights, weights * 2);
    EXPECT_EQ(two_versions.activations, made_anew + input * depth);
    auto const gpipe = first_of(stack_of(depth, "gpipe"));
    EXPECT_EQ(gpipe.weights, weights);
    EXPECT_EQ(gpipe.activations, made_anew + input * 8);
    EXPECT_EQ(first_of(stack_of(depth, "1f1b")).activations, made_anew + input * depth);
  }
}

TEST(Pipeline, SaysWhichStagesRecompute) {
  auto const stack = stack_of(2, "1f1b");
  auto const text = write_config(to_config(stack.plan, stack.network));
  EXPECT_THAT(text, HasSubstr("activations: recomputed"));
  auto const plan = plan_from(read_config_text(text, "plan.yaml"), stack.network, eight());
  EXPECT_TRUE(plan.pipeline->stages[StageId{1}].recomputes());
}

}  // namespace
}  // namespace tessera::partition

// Planners of pipelines beside PipeDream's: gpipe, pipedream-2bw, gnmt-expert, megatron; and tp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/footprint.hpp"
#include "test/support/error_message.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using workloads::Dim;
using Settings = std::vector<std::pair<std::string, std::string>>;

Plan planned_by(std::string const& planner, workloads::Network const& network,
                arch::ArraySpec const& array, Settings const& options = {}) {
  auto map = ConfigNode::map();
  for (auto const& [key, value] : options) map.add(key, value);
  return make_planner(planner, map)->solve({network, array});
}

std::string complaint_of(std::string const& planner, workloads::Network const& network,
                         arch::ArraySpec const& array, Settings const& options) {
  return test::error_message([&] { return planned_by(planner, network, array, options); });
}

std::vector<std::size_t> devices(Plan const& plan, std::size_t stage) {
  return plan.pipeline->stages[StageId{stage}].mesh.devices;
}

/// Names of a stage's first and last operators.
std::pair<std::string, std::string> ends(Plan const& plan, workloads::Network const& network,
                                         std::size_t stage) {
  auto const& operators = plan.pipeline->stages[StageId{stage}].chunks.front();
  return {network.at(operators.front()).name, network.at(operators.back()).name};
}

std::string letters(Plan const& plan, workloads::Network const& network, std::string const& op) {
  std::string text;
  for (auto const& split : plan.splits[network.find(op)]) {
    text += split ? workloads::name(split->dim) : "-";
  }
  return text;
}

TEST(GPipePlanner, ReplicatesAPipelineOfAsManyStagesAsThereAre) {
  auto const network = workloads::load("hypar/vgg-a");  // 11 layers
  auto const array = arch::load("hypar-paper");         // 16 accelerators
  auto const plan = planned_by("gpipe", network, array);
  EXPECT_EQ(plan.pipeline->schedule, "gpipe");
  EXPECT_EQ(plan.pipeline->stages.size(), 8U);
  EXPECT_THAT(devices(plan, 1), ElementsAre(2, 3));
  EXPECT_EQ(plan.pipeline->micro_batches, 4 * 16);
}

TEST(GPipePlanner, TakesStagesAndMicroBatchesFromItsOptions) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  auto const plan = planned_by("gpipe", network, array, {{"stages", "4"}, {"micro_batches", "32"}});
  EXPECT_EQ(plan.pipeline->stages.size(), 4U);
  EXPECT_EQ(plan.pipeline->micro_batches, 32);
  EXPECT_THAT(complaint_of("gpipe", network, array, {{"stages", "12"}}),
              HasSubstr("planner.stages: 16 accelerators cannot be 12 stages of hypar/vgg-a (each "
                        "has equally many replicas and an operator at least); use 8"));
  EXPECT_THAT(complaint_of("gpipe", network, array, {{"micro_batches", "48"}}),
              HasSubstr("planner.micro_batches: batch 256 cannot be cut in 48 equal micro-batches; "
                        "use 32"));
}

/// Balanced to the last, conv5_1 to fc1 are one stage of 975 MB; fc1 alone needs 835 MB.
TEST(GPipePlanner, ASearchFindsStagesThatHoldLess) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper", {"accelerator.memory.capacity=870 MB"});
  Settings const balanced{{"imbalance", "0"}, {"activations", "stored"}};
  auto const own = planned_by("gpipe", network, array, balanced);
  EXPECT_FALSE(fullest({network, array}, own).fits());
  auto with_search = balanced;
  with_search.emplace_back("fit", "search");
  auto const found = planned_by("gpipe", network, array, with_search);
  EXPECT_TRUE(fullest({network, array}, found).fits());
}

/// The memory is a byte too small for what two stages keep of 32 micro-batches.
TEST(GPipePlanner, RecomputesActivationsWhereTheyDoNotFit) {
  auto const network = workloads::load("hypar/vgg-a");
  auto array = arch::load("hypar-paper");
  Settings const two{{"stages", "2"}};
  auto const own = planned_by("gpipe", network, array, two);
  EXPECT_FALSE(own.pipeline->stages[StageId{0}].recomputes());
  array.groups.front().accelerator.memory_capacity =
      Bytes{fullest({network, array}, own).footprint.total().value() - 1};
  auto const found = planned_by("gpipe", network, array, {{"stages", "2"}, {"fit", "search"}});
  EXPECT_TRUE(found.pipeline->stages[StageId{0}].recomputes());
  EXPECT_TRUE(fullest({network, array}, found).fits());
}

arch::ArraySpec tree(std::int64_t accelerators, std::string const& capacity = "32 GiB") {
  return arch::load("hypar-paper", {"accelerators=" + std::to_string(accelerators),
                                    "accelerator.memory.capacity=" + capacity});
}

TEST(PipeDream2bw, GivesEveryStageEquallyManyBlocks) {
  auto const network = workloads::load("gpt-355m");  // 24 layers
  auto const plan = planned_by("pipedream-2bw", network, tree(16), {{"depth", "4"}});
  ASSERT_EQ(plan.pipeline->stages.size(), 4U);
  EXPECT_EQ(ends(plan, network, 0), std::make_pair(std::string{"token"}, std::string{"layer6"}));
  EXPECT_EQ(ends(plan, network, 2),
            std::make_pair(std::string{"layer13/norm1"}, std::string{"layer18"}));
  EXPECT_EQ(ends(plan, network, 3),
            std::make_pair(std::string{"layer19/norm1"}, std::string{"output"}));
  EXPECT_EQ(plan.pipeline->schedule, "2bw");
  EXPECT_GE(plan.pipeline->micro_batches, 4 * 4);
}

/// With less memory it has deeper pipelines; the plan fits as long as there is one.
TEST(PipeDream2bw, ChoosesAmongWhatFits) {
  auto const network = workloads::load("gpt-355m");
  auto const wide = planned_by("pipedream-2bw", network, tree(16));
  auto const small = tree(16, "1200 MB");
  auto const deep = planned_by("pipedream-2bw", network, small);
  EXPECT_TRUE(fullest({network, small}, deep).fits());
  EXPECT_FALSE(fullest({network, small}, wide).fits());
  EXPECT_GT(deep.pipeline->stages.size(), wide.pipeline->stages.size());
  auto const ignoring = planned_by("pipedream-2bw", network, small, {{"fit", "ignore"}});
  EXPECT_EQ(ignoring.pipeline->stages.size(), wide.pipeline->stages.size());
}

/// One stage on every accelerator: what is kept of 16 samples at once does not fit, but what comes
/// in does.
TEST(PipeDream2bw, RecomputesWhereThatPays) {
  auto const network = workloads::load("gpt-355m");
  Settings const one{{"depth", "4"}, {"width", "1"}, {"micro_batches", "16"}};
  auto const roomy = planned_by("pipedream-2bw", network, tree(16, "64 GB"), one);
  auto const tight = tree(16, "8 GB");
  auto const recomputing = planned_by("pipedream-2bw", network, tight, one);
  EXPECT_FALSE(roomy.pipeline->stages[StageId{0}].recomputes());
  EXPECT_TRUE(recomputing.pipeline->stages[StageId{0}].recomputes());
  EXPECT_TRUE(fullest({network, tight}, recomputing).fits());
  auto const stored = planned_by("pipedream-2bw", network, tree(16), {{"activations", "stored"}});
  EXPECT_FALSE(stored.pipeline->stages[StageId{0}].recomputes());
}

TEST(PipeDream2bw, BalancesStagesWhereNothingRepeats) {
  auto const network = workloads::load("hypar/alexnet");
  auto const plan = planned_by("pipedream-2bw", network, arch::load("hypar-paper"),
                               {{"depth", "3"}, {"width", "2"}, {"micro_batches", "16"}});
  EXPECT_EQ(plan.pipeline->stages.size(), 3U);
  EXPECT_EQ(plan.pipeline->stages[StageId{0}].replicas, 2U);
  EXPECT_EQ(plan.pipeline->micro_batches, 16);
}

TEST(PipeDream2bw, RefusesGridsThatCannotBe) {
  auto const network = workloads::load("gpt-355m");
  EXPECT_THAT(complaint_of("pipedream-2bw", network, tree(16), {{"depth", "7"}}),
              HasSubstr("no grid of depth, width and micro_batches as asked for"));
  EXPECT_THAT(complaint_of("pipedream-2bw", network, tree(16), {{"depth", "0"}}),
              HasSubstr("a grid has at least one; use 1 or more"));
  EXPECT_THAT(
      complaint_of("pipedream-2bw", network, tree(16), {{"depth", "4"}, {"micro_batches", "2"}}),
      HasSubstr("2bw needs depth times width"));
}

TEST(GnmtExpert, PutsALayerOnEachAcceleratorOfANode) {
  auto const network = workloads::load("gnmt-16");
  auto const array = arch::load("hypar-paper");
  auto const plan = planned_by("gnmt-expert", network, array);
  EXPECT_EQ(plan.pipeline->schedule, "layerwise");
  auto const parts = parts_of(*plan.pipeline, network);
  auto const accelerators_of = [&](std::string const& op) {
    return plan.pipeline->stages[parts[network.find(op)].stage].mesh.devices;
  };
  EXPECT_THAT(accelerators_of("encoder1/onward"), ElementsAre(0, 8));
  EXPECT_THAT(accelerators_of("encoder1/backward"), ElementsAre(1, 9));
  EXPECT_THAT(accelerators_of("encoder3/cells"), ElementsAre(2, 10));
  EXPECT_THAT(accelerators_of("encoder8"), ElementsAre(7, 15));
  EXPECT_THAT(accelerators_of("decoder1"), ElementsAre(0, 8));
  EXPECT_THAT(accelerators_of("attention"), ElementsAre(0, 8));  // with the lowest layer
  EXPECT_THAT(accelerators_of("decoder8/cells"), ElementsAre(7, 15));
  EXPECT_EQ(letters(plan, network, "decoder8/cells"), "n");
  EXPECT_EQ(accelerators_of("output").size(), 16U);
  EXPECT_EQ(letters(plan, network, "output"), "nkkk");
}

TEST(GnmtExpert, RefusesWhatIsNoStackOfLstms) {
  auto const array = arch::load("hypar-paper");
  EXPECT_THAT(complaint_of("gnmt-expert", workloads::load("hypar/vgg-a"), array, {}),
              HasSubstr("gnmt-expert places layers of LSTM cells, and hypar/vgg-a has none"));
  EXPECT_THAT(complaint_of("gnmt-expert", workloads::load("gnmt-16"), array, {{"node_size", "6"}}),
              HasSubstr("planner.node_size: 16 accelerators are not nodes of 6; use 4"));
}

TEST(Megatron, SplitsSamplesBetweenTheGroupsOfAStage) {
  auto const network = workloads::load("gpt-355m");
  auto const plan = planned_by("megatron", network, tree(16),
                               {{"stages", "2"}, {"tensor", "4"}, {"micro_batches", "8"}});
  ASSERT_EQ(plan.pipeline->stages.size(), 2U);
  EXPECT_EQ(plan.pipeline->schedule, "1f1b");
  EXPECT_EQ(plan.pipeline->micro_batches, 8);
  EXPECT_THAT(devices(plan, 1), ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_EQ(plan.pipeline->stages[StageId{1}].replicas, 1U);
  EXPECT_EQ(ends(plan, network, 0), std::make_pair(std::string{"token"}, std::string{"layer12"}));
  EXPECT_EQ(letters(plan, network, "layer13/query"), "nkk");
  EXPECT_EQ(letters(plan, network, "layer13/projection"), "ncc");
  EXPECT_EQ(letters(plan, network, "layer13/attended"), "n--");
}

TEST(Megatron, InterleavesTheChunksOfAStage) {
  auto const network = workloads::load("gpt-355m");
  auto const plan = planned_by("megatron", network, tree(16),
                               {{"stages", "4"}, {"chunks", "3"}, {"micro_batches", "8"}});
  EXPECT_EQ(plan.pipeline->schedule, "interleaved-1f1b");
  auto const& chunks = plan.pipeline->stages[StageId{1}].chunks;
  ASSERT_EQ(chunks.size(), 3U);
  EXPECT_EQ(network.at(chunks[0].front()).name, "layer3/norm1");  // two of 24 layers each
  EXPECT_EQ(network.at(chunks[1].front()).name, "layer11/norm1");
}

/// Every grid by itself, one after another.
TEST(Megatron, NoGridThatFitsIsPredictedFasterThanItsChoice) {
  auto const network = workloads::with_batch(workloads::load("gpt-355m"), 32);
  auto const array = tree(8, "2600 MB");
  auto const chosen = planned_by("megatron", network, array);
  EXPECT_TRUE(fullest({network, array}, chosen).fits());
  double least_s = 1e9;
  int slower = 0;
  for (auto const* const stages : {"1", "2", "4", "8"}) {
    for (auto const* const tensor : {"1", "2", "4", "8"}) {
      for (auto const* const micro_batches : {"1", "2", "4", "8", "16", "32"}) {
        for (auto const* const activations : {"stored", "recomputed"}) {
          auto const is_parted = std::stoi(stages) * std::stoi(tensor) <= 8;
          auto const a_sample_each = 32 / std::stoi(micro_batches) % (8 / std::stoi(stages)) == 0;
          if (!is_parted || !a_sample_each) continue;
          auto const plan = planned_by("megatron", network, array,
                                       {{"stages", stages},
                                        {"tensor", tensor},
                                        {"micro_batches", micro_batches},
                                        {"activations", activations}});
          if (!fullest({network, array}, plan).fits()) continue;
          least_s = std::min(least_s, plan.predicted->time_s);
          if (plan.predicted->time_s > chosen.predicted->time_s) ++slower;
        }
      }
    }
  }
  EXPECT_EQ(chosen.predicted->time_s, least_s);
  EXPECT_GT(slower, 10);
}

TEST(Megatron, KeepsGroupsWithinANode) {
  auto const network = workloads::load("gpt-355m");
  auto const within = [&](std::string const& node_size) {
    return planned_by("megatron", network, tree(16),
                      {{"stages", "1"},
                       {"micro_batches", "1"},
                       {"node_size", node_size},
                       {"fit", "ignore"}})
        .evaluations;
  };
  EXPECT_LT(within("1"), within("8"));
}

TEST(Megatron, RefusesGridsThatCannotBe) {
  auto const network = workloads::load("gpt-355m");
  EXPECT_THAT(complaint_of("megatron", network, tree(16), {{"stages", "5"}}),
              HasSubstr("planner: no grid of tensor, stages, chunks and micro_batches as asked for "
                        "divides 16 accelerators, the blocks of gpt-355m and its batch of 256 (a "
                        "micro-batch has a sample at least for every accelerator of a stage); "
                        "leave one of them out"));
  EXPECT_THAT(complaint_of("megatron", network, tree(16), {{"stages", "1"}, {"chunks", "2"}}),
              HasSubstr("chunks need two stages and micro-batches that they divide"));
  EXPECT_THAT(complaint_of("megatron", network, tree(16), {{"node_size", "0"}}),
              HasSubstr("node_size: a grid has at least one; use 1 or more"));
}

TEST(TensorParallel, SplitsColumnsThenRows) {
  auto const network = workloads::load("bert-355m");  // 16 heads
  auto const plan = planned_by("tp", network, tree(16));
  auto const of = [&](std::string const& op) { return letters(plan, network, "layer3/" + op); };
  for (auto const* const op : {"query", "key", "value", "scores", "probabilities", "context"}) {
    EXPECT_EQ(of(op), "kkkk") << op;
  }
  EXPECT_EQ(of("projection"), "cccc");
  EXPECT_EQ(of("attended"), "----");
  EXPECT_EQ(of("inner"), "kkkk");
  EXPECT_EQ(of("outer"), "cccc");
}

TEST(TensorParallel, SplitsSamplesWhereItRunsOutOfHeads) {
  auto const network = workloads::load("bert-355m");
  auto const plan = planned_by("tp", network, tree(64));
  EXPECT_EQ(letters(plan, network, "layer3/query"), "kkkkkk");
  EXPECT_EQ(letters(plan, network, "layer3/scores"), "kkkknn");
  auto const recurrent = workloads::load("gnmt-16");
  EXPECT_EQ(letters(planned_by("tp", recurrent, tree(16)), recurrent, "decoder1"), "nnnn");
}

TEST(TensorParallel, OfGroupsSplitsSamplesBetweenThem) {
  auto const network = workloads::load("bert-355m");
  auto const plan = planned_by("tp", network, tree(16), {{"tensor", "4"}});
  EXPECT_EQ(letters(plan, network, "layer3/query"), "nnkk");
  EXPECT_EQ(letters(plan, network, "layer3/projection"), "nncc");
  EXPECT_EQ(letters(plan, network, "layer3/attended"), "nn--");
  EXPECT_EQ(letters(plan, network, "layer3/scores"), "nnkk");
}

TEST(TensorParallel, OfGroupsOfOneIsDataParallelism) {
  auto const network = workloads::load("bert-355m");
  auto const plan = planned_by("tp", network, tree(16), {{"tensor", "1"}});
  auto const data_parallel = planned_by("dp", network, tree(16));
  for (auto const& op : network.operators()) {
    EXPECT_EQ(letters(plan, network, op.name), letters(data_parallel, network, op.name));
  }
}

arch::ArraySpec torus(std::int64_t accelerators, std::string const& collectives) {
  return arch::load("tpu-v3-128", {"accelerators=" + std::to_string(accelerators),
                                   "execution.collectives=" + collectives});
}

/// A torus of 8 x 8, whose levels 1, 3 and 5 are the column: of groups of eight a row's sums go
/// round, a block's do not; halved level by level, they have shorter ways in a block of 2 x 4.
TEST(TensorParallel, GroupsAreRowsOfATorusWhereThesePromiseToBeQuicker) {
  auto const network = workloads::load("bert-355m");
  auto const query = [&](std::string const& collectives, Settings options) {
    options.emplace_back("tensor", "8");
    auto const plan = planned_by("tp", network, torus(64, collectives), options);
    return letters(plan, network, "layer3/query");
  };
  EXPECT_EQ(query("torus", {}), "knknkn");
  EXPECT_EQ(query("torus", {{"groups", "block"}}), "nnnkkk");
  EXPECT_EQ(query("hierarchical", {}), "nnnkkk");
  EXPECT_EQ(query("hierarchical", {{"groups", "rows"}}), "knknkn");
}

TEST(TensorParallel, GroupsLargerThanARowAreSeveralSideBySide) {
  auto const network = workloads::load("bert-355m");
  Settings const rows{{"tensor", "16"}, {"groups", "rows"}};
  auto const plan = planned_by("tp", network, torus(64, "torus"), rows);
  EXPECT_EQ(letters(plan, network, "layer3/query"), "knknkk");
}

TEST(TensorParallel, GroupsThatAreNoRowsAreRefused) {
  auto const network = workloads::load("bert-355m");
  Settings const rows{{"tensor", "4"}, {"groups", "rows"}};
  for (auto const& array : {torus(64, "torus"), tree(16)}) {
    EXPECT_THAT(complaint_of("tp", network, array, rows),
                HasSubstr("planner.groups: no whole rows of the array make groups of 4 "
                          "accelerators; leave it out, or use block"));
  }
  EXPECT_THAT(complaint_of("tp", network, torus(4, "torus"), {{"tensor", "2"}, {"groups", "rows"}}),
              HasSubstr("no whole rows of the array make groups of 2"))
      << "pairs";
}

TEST(TensorParallel, OfGroupsThatNoLevelHasSaysWhichThereAre) {
  auto const network = workloads::load("bert-355m");
  EXPECT_THAT(complaint_of("tp", network, tree(12), {{"tensor", "3"}}),
              HasSubstr("planner.tensor: no level of the array has groups of 3 accelerators; "
                        "use one of 12, 4, 2, 1"));
  EXPECT_THAT(complaint_of("tp", network, tree(16), {{"tensor", "0"}}),
              HasSubstr("tensor: a group has an accelerator at least; use 1 or more"));
}

}  // namespace
}  // namespace tessera::partition

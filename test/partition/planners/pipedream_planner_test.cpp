// PipeDream's planner: which accelerators its stages are on, and what its options do. (search/pipedream_test.cpp holds the
// recurrence against enumeration, sim/validation the released optimizer against its published results.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/footprint.hpp"
#include "test/support/error_message.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// 2 ms without weights, then 1 ms with 1 MB, of 9 samples.
workloads::Network two_layers() {
  test::NetworkText text{"{name: x, features: 1}"};
  text.batch = "81";
  return test::network_of(
      text.with({"{name: a, kind: profiled, input: x, outputs: 1}",
                 "{name: b, kind: profiled, input: a, outputs: 1, weights: 250000}"}));
}

arch::ArraySpec tree_of_nine(std::string const& outer, std::string const& inner) {
  auto array = arch::load(
      "hypar-paper", {"accelerators=9",
                      "fabric={clock: 1 GHz, topology: {kind: tree, shape: [3, 3], links: "
                      "[{bandwidth: " +
                          outer + ", latency: 0 s}, {bandwidth: " + inner + ", latency: 0 s}]}}"});
  array.groups.front().accelerator.processing_unit = arch::ProfileUnitSpec{arch::profile_from(
      read_config_text("schema: tessera.profile/1\nname: test\nbatch: 9\noperators:\n"
                       "  - {name: a, forward: 1 ms, backward: 1 ms}\n"
                       "  - {name: b, forward: 0.5 ms, backward: 0.5 ms}\n",
                       "times.yaml"))};
  return array;
}

Plan planned(workloads::Network const& network, arch::ArraySpec const& array,
             std::vector<std::pair<std::string, std::string>> const& options = {}) {
  auto map = ConfigNode::map();
  for (auto const& [key, value] : options) map.add(key, value);
  return make_planner("pipedream", map)->solve({network, array});
}

std::vector<std::size_t> replicas(Plan const& plan) {
  std::vector<std::size_t> all;
  for (auto const& stage : plan.pipeline->stages) all.push_back(stage.replicas);
  return all;
}

/// Inner links of 1 GB/s: sharing b's weights between three would take 4 MB / (1 GB/s) = 4 ms, so a
/// server runs 2-1, 1 ms each; outer ones of 8 GB/s: three servers' sum takes 0.5 ms of the 3 ms
/// that they have for it.
TEST(PipeDreamPlanner, DealsMicroBatchesToServersFirst) {
  auto const network = two_layers();
  auto const plan = planned(network, tree_of_nine("64 Gb/s", "8 Gb/s"));
  ASSERT_EQ(plan.pipeline->stages.size(), 2U);
  EXPECT_THAT(plan.pipeline->stages[StageId{0}].mesh.devices, ElementsAre(0, 3, 6, 1, 4, 7));
  EXPECT_THAT(plan.pipeline->stages[StageId{1}].mesh.devices, ElementsAre(2, 5, 8));
  EXPECT_EQ(plan.pipeline->schedule, "pipedream");
  EXPECT_EQ(plan.pipeline->micro_batches, 9);
}

TEST(PipeDreamPlanner, HasAsManySamplesInAMicroBatchAsDataParallelismOnAnAccelerator) {
  auto const array = arch::load("hypar-paper");
  EXPECT_EQ(planned(workloads::load("hypar/lenet-c"), array).pipeline->micro_batches, 16);
  auto const odd = workloads::load("hypar/lenet-c", {"batch=18"});
  EXPECT_EQ(planned(odd, array).pipeline->micro_batches, 9);
  EXPECT_EQ(planned(odd, array, {{"micro_batches", "6"}}).pipeline->micro_batches, 6);
  EXPECT_THAT(test::error_message([&] {
                return planned(odd, array, {{"micro_batches", "5"}});
              }),
              HasSubstr("planner.micro_batches: batch 18 cannot be cut in 5 equal micro-batches; "
                        "use 3 or another divisor of 18"));
}

TEST(PipeDreamPlanner, StraightStagesHaveOneAcceleratorEach) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  EXPECT_EQ(replicas(planned(network, array, {{"straight", "true"}})),
            std::vector<std::size_t>(8, 1));
  EXPECT_NE(replicas(planned(network, array)), std::vector<std::size_t>(8, 1));
  auto const large = arch::load("hypar-paper");
  EXPECT_THAT(test::error_message([&] {
                return planned(network, large, {{"straight", "true"}});
              }),
              HasSubstr("no partition of hypar/vgg-a into stages uses all of 16 accelerators"));
  EXPECT_LE(replicas(planned(network, large, {{"straight", "true"}, {"machines", "fewer"}})).size(),
            11U);
}

TEST(PipeDreamPlanner, TheReleasedRuleIsAnother) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  EXPECT_NE(replicas(planned(network, array)),
            replicas(planned(network, array, {{"rule", "released"}})));
}

TEST(PipeDreamPlanner, AnotherScheduleIsForTheSameStages) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  auto const plan = planned(network, array, {{"schedule", "1f1b"}});
  EXPECT_EQ(plan.pipeline->schedule, "1f1b");
  EXPECT_EQ(replicas(plan), replicas(planned(network, array)));
  EXPECT_THAT(
      test::error_message([&] {
        return planned(network, array, {{"schedule", "2bw"}});
      }),
      HasSubstr("(this schedule's stages have equally many); use gpipe, 1f1b or pipedream"));
}

/// By the released rule fc1 has a stage of its own before the last, with two versions of its 411
/// MB.
TEST(PipeDreamPlanner, ASearchFindsStagesThatFit) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper", {"accelerator.memory.capacity=1.1 GB"});
  auto const own = planned(network, array, {{"rule", "released"}});
  EXPECT_FALSE(fullest({network, array}, own).fits());
  auto const found = planned(network, array, {{"rule", "released"}, {"fit", "search"}});
  EXPECT_TRUE(fullest({network, array}, found).fits());
  auto const limited = planned(network, array, {{"rule", "released"}, {"memory", "400 MB"}});
  EXPECT_NE(replicas(limited), replicas(own));
}

TEST(PipeDreamPlanner, RefusesWhatCannotBe) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const mixed = arch::load("tpu-v2v3-256");
  EXPECT_THAT(test::error_message([&] { return planned(network, mixed); }),
              HasSubstr("planners of pipelines know accelerators of one kind only"));
  auto const array = arch::load("hypar-paper");
  for (auto const& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"micro_batches", "0"},
                                                        {"activation_compression_ratio", "0"},
                                                        {"schedule", "layerwise"}}) {
    EXPECT_THAT(test::error_message([&, &key = key, &value = value] {
                  return planned(network, array, {{key, value}});
                }),
                AnyOf(HasSubstr("use"), HasSubstr("known: gpipe, 1f1b")))
        << key;
  }
}

}  // namespace
}  // namespace tessera::partition

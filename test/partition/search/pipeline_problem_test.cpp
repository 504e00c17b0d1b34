// Networks and arrays as a planner of pipelines sees them.
#include "partition/search/pipeline_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/price/work.hpp"
#include "test/support/error_message.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::HasSubstr;
using workloads::Phase;

/// Two profiled operators of 4 samples, measured for 8.
workloads::Network network() {
  return test::network_of(test::NetworkText{"{name: x, features: 3}"}.with(
      {"{name: a, kind: profiled, input: x, outputs: 10, weights: 100}",
       "{name: b, kind: profiled, input: a, outputs: 1, weights: 7}"}));
}

arch::ArraySpec profiled_array(std::string const& operators) {
  auto array = arch::load("hypar-paper");
  array.groups.front().accelerator.processing_unit = arch::ProfileUnitSpec{arch::profile_from(
      read_config_text("schema: tessera.profile/1\nname: test\nbatch: 8\noperators:\n" + operators,
                       "times.yaml"))};
  return array;
}

arch::ArraySpec profiled_array() {
  return profiled_array(
      "  - {name: a, forward: 2 ms, backward: 6 ms}\n"
      "  - {name: b, forward: 1 ms, backward: 3 ms, output: 4 B}\n");
}

TEST(PipelineProblem, TakesTimesFromTheProfileAndSizesFromTheNetwork) {
  auto const graph = pipeline_graph(network(), profiled_array().accelerator(0));
  ASSERT_EQ(graph.nodes.size(), 2U);
  EXPECT_NEAR(graph.nodes[0].compute_s, 8e-3 / 2, 1e-15);  // 4 samples of 8
  EXPECT_EQ(graph.nodes[0].activation_bytes, 4 * 10 * 4);
  EXPECT_EQ(graph.nodes[0].parameter_bytes, 100 * 4);
  EXPECT_EQ(graph.nodes[1].activation_bytes, 4.0 / 2);  // measured, not a whole element each
  ASSERT_EQ(graph.edges.size(), 1U);
  EXPECT_EQ(graph.edges[0].from, 0U);
  EXPECT_EQ(graph.edges[0].to, 1U);
}

TEST(PipelineProblem, TakesTimesAtPeakRateWhereNothingWasMeasured) {
  auto const lenet = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const graph = pipeline_graph(lenet, array.accelerator(0));
  auto const& accelerator = array.accelerator(0);
  auto const rate = static_cast<double>(accelerator.macs_per_cycle()) *
                    static_cast<double>(accelerator.clock.value());
  for (auto const id : lenet.operators().ids()) {
    double macs = 0;
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      macs += static_cast<double>(macs_charged(accelerator, lenet.at(id), phase).value());
    }
    EXPECT_NEAR(graph.nodes[id.index()].compute_s, macs / rate, 1e-12 * macs / rate);
  }
}

TEST(PipelineProblem, AnHTreeHasTheLevelsOfItsHierarchy) {
  auto const array = arch::load("hypar-paper");  // 16 accelerators, links halved at every level
  auto const levels = pipeline_levels(array);
  ASSERT_EQ(levels.size(), 4U);
  auto const own = static_cast<double>(array.fabric.link_bandwidth.value()) / 8;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(levels[i].machines, 2);
    EXPECT_EQ(levels[i].bytes_per_second, own * static_cast<double>(1 << i)) << i;
  }
}

TEST(PipelineProblem, ATreeHasTheLevelsOfItsShapeAndAnyOtherNetworkOne) {
  auto const with = [](std::string const& topology) {
    return pipeline_levels(
        arch::load("hypar-paper", {"fabric={clock: 1 GHz, topology: " + topology + "}"}));
  };
  auto const tree = with(
      "{kind: tree, shape: [2, 8], links: [{bandwidth: 10 Gb/s, latency: 0 s}, "
      "{bandwidth: 80 Gb/s, latency: 0 s}]}");
  ASSERT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[0].machines, 8);
  EXPECT_EQ(tree[0].bytes_per_second, 10e9);
  EXPECT_EQ(tree[1].machines, 2);
  EXPECT_EQ(tree[1].bytes_per_second, 1.25e9);
  auto const mesh = with("{kind: mesh, shape: [4, 4], link: {bandwidth: 8 Gb/s, latency: 0 s}}");
  ASSERT_EQ(mesh.size(), 1U);
  EXPECT_EQ(mesh[0].machines, 16);
  EXPECT_EQ(mesh[0].bytes_per_second, 1e9);
}

TEST(PipelineProblem, StagesThatDoNotFitAreRefused) {
  auto const array = profiled_array();
  auto const two = network();
  auto const states = pipeline_states(pipeline_graph(Problem{two, array}));
  PipeDreamOptions options;
  EXPECT_FALSE(pipedream_stages({two, array}, states, options).stages.empty());
  options.shape = PipeDreamOptions::Shape::straight;
  EXPECT_THAT(test::error_message([&] {
                return pipedream_stages({two, array}, states, options);
              }),
              HasSubstr("no partition of test into stages uses all of 16 accelerators"));
}

TEST(Times, AnOperatorWithoutTimesIsRefused) {
  auto const two = network();
  auto const lacking = profiled_array("  - {name: a, forward: 2 ms, backward: 6 ms}\n");
  EXPECT_THAT(test::error_message([&] {
                check_times({two, lacking});
                return 0;
              }),
              HasSubstr("times.yaml:5:3: operators: has no operator 'b'"));
  auto const rated = arch::load("hypar-paper");
  EXPECT_THAT(test::error_message([&] {
                check_times({two, rated});
                return 0;
              }),
              HasSubstr("cannot compute operator 'a' of network 'test' (it is profiled"));
}

/// 16 accelerators with a sixteenth of the samples each.
TEST(Times, APriceIsTheProfilesShare) {
  auto text = test::NetworkText{"{name: x, features: 3}"};
  text.batch = "32";
  auto const large = test::network_of(
      text.with({"{name: a, kind: profiled, input: x, outputs: 10, weights: 100}"}));
  auto const array = profiled_array();
  Splits const all(4, Split{workloads::Dim::n});
  auto const work = work_of({large, array}, workloads::OperatorId{0}, all, Phase::forward);
  EXPECT_NEAR(work.slowest_s, 2e-3 * (32.0 / 8) / 16, 1e-15);
}

}  // namespace
}  // namespace tessera::partition

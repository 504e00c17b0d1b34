// Where a plan treats the two halves of a level alike, and where not.
#include "partition/step/symmetry.hpp"
#include "partition/planners/planner.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/network_text.hpp"
#include "test/support/small_grid.hpp"

namespace tessera::partition {
namespace {

using test::grid_array;
using test::network_of;
using test::NetworkText;

Folding folded(workloads::Network const& network, arch::ArraySpec const& array,
               std::string const& planner = "dp") {
  auto const plan = make_planner(planner)->solve({network, array});
  return symmetry({network, array}, plan);
}

/// One linear layer of `inputs` x `outputs` weights.
workloads::Network layer(std::string const& batch, std::int64_t inputs, std::int64_t outputs) {
  NetworkText text;
  text.batch = batch;
  text.input = "{name: x, features: " + std::to_string(inputs) + "}";
  return network_of(
      text.with({"{name: fc, kind: linear, input: x, outputs: " + std::to_string(outputs) + "}"}));
}

TEST(Symmetry, OfEqualPartsLeavesOneAccelerator) {
  EXPECT_EQ(folded(layer("16", 32, 32), arch::load("hypar-paper")).representatives(), 1U);
  EXPECT_EQ(folded(layer("16", 32, 32), arch::load("hypar-paper"), "mp").representatives(), 1U);
}

TEST(Symmetry, EndsWhereSamplesDoNotDivide) {
  // 4 samples over 16: levels 1 and 2 halve them, below it is one or none.
  auto const network = layer("4", 32, 32);
  auto const array = arch::load("hypar-paper");
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  auto const folding = symmetry({network, array}, plan);
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_TRUE(folding.is_folded(0) && folding.is_folded(1));  // levels 1 and 2
  EXPECT_EQ(explained_symmetry({network, array}, plan, step_of({network, array}, plan)).unfolded,
            (UnfoldedReasons{{2, "unequal shards or accelerators"},
                             {3, "unequal shards or accelerators"}}));
}

TEST(Symmetry, EndsWhereAGradientDoesNotDivide) {
  // 12 weights: halves of 6 at the innermost level, of 3 at the next, then 2 and 1.
  auto const folding = folded(layer("16", 3, 4), arch::load("hypar-paper"));
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_TRUE(folding.is_folded(3) && folding.is_folded(2));  // levels 4 and 3
}

TEST(Symmetry, OfPaddedGradientsIsThatOfTheirParts) {
  auto const tree = arch::load("hypar-paper", {"execution.sums=padded"});
  EXPECT_EQ(folded(layer("16", 3, 4), tree).representatives(), 1U);
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  EXPECT_EQ(symmetry({layer("4", 3, 4), tree}, plan).representatives(), 4U) << "by samples";
}

TEST(Symmetry, OfPaddedGradientsIsThatOfExactOnesWherePartsDiffer) {
  // 3 x 4 weights: the top level cuts 3 outputs in 1 and 2, the others halve 4 and 8 summands.
  auto const tree = arch::load("hypar-paper", {"execution.sums=padded"});
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  plan.splits[workloads::OperatorId{0}][0] = Split{workloads::Dim::k};
  auto const network = layer("16", 4, 3);
  auto const step = step_of({network, tree}, plan);
  for (auto const& action : step.actions) {
    if (!action.conversion || action.conversion->kind != Conversion::Kind::gradient_sum) continue;
    EXPECT_EQ(action.conversion->pieces, arch::SumPieces::exact);
  }
  auto const folding = symmetry({network, tree}, plan);
  EXPECT_EQ(folding.representatives(), 4U);
  EXPECT_FALSE(folding.is_folded(0) || folding.is_folded(1));
}

TEST(Symmetry, KeepsUnequalHalvesApartAndFoldsThoseFurtherIn) {
  auto const network = layer("64", 32, 32);
  auto const array = arch::load("hypar-paper");
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  plan.splits[workloads::OperatorId{0}][1] = Split{workloads::Dim::n, 0.25};
  // Samples: 32, then 8 and 24, then halved twice.
  auto const folding = symmetry({network, array}, plan);
  EXPECT_EQ(folding.representatives(), 2U);
  EXPECT_FALSE(folding.is_folded(1));  // level 2
}

TEST(Symmetry, SplitsAnArrayOfTwoKindsAtTheTop) {
  auto const array =
      arch::load("tpu-v2v3-256", {"accelerators=8", "groups.0.count=4", "groups.1.count=4",
                                  "fabric.topology=htree", "fabric.link.bandwidth=64 Gb/s"});
  auto const folding = folded(layer("16", 32, 32), array);
  EXPECT_EQ(folding.representatives(), 2U);
  EXPECT_FALSE(folding.is_folded(0));
}

arch::ArraySpec torus(std::string const& collectives, std::string const& shape = "") {
  auto const link = "link: {bandwidth: 8 Gb/s, latency: 5 ns}";
  auto const fabric = shape.empty() ? std::string{"topology: torus, "} + link
                                    : "topology: {" + shape + ", " + link + "}";
  return arch::load("hypar-paper", {"fabric={clock: 1 GHz, " + fabric + "}",
                                    "execution.collectives=" + collectives});
}

TEST(Symmetry, OfATorusIsThatOfShiftsIfItsGradientsGoFromNeighbourToNeighbour) {
  EXPECT_EQ(folded(layer("16", 32, 32), torus("torus")).representatives(), 1U);
  // Of halves of halves, partners lie further on or further back by where they are: half a ring on
  // it is the same, and the other way round.
  EXPECT_EQ(folded(layer("16", 32, 32), torus("hierarchical")).representatives(), 1U);
  // A ring through all rows goes there and back: every second row is like the first.
  EXPECT_EQ(folded(layer("16", 32, 32), torus("ring")).representatives(), 8U);
}

TEST(Symmetry, OfATorusFoldsRingsOfEverySecondAccelerator) {
  // Halves of the inputs are summed by neighbours in a column, gradients by every second row: their
  // messages share links. Neighbours are reflections of each other.
  auto const network = layer("16", 32, 32);
  auto const array = torus("torus");
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  plan.splits[workloads::OperatorId{0}][3] = Split{workloads::Dim::c};
  auto const folding = symmetry({network, array}, plan);
  EXPECT_EQ(folding.representatives(), 1U);
  ASSERT_EQ(folding.reflections().size(), 1U);
  EXPECT_EQ(folding.reflections().front().level, 3U);  // level 4: in a column, next to each other
}

TEST(Symmetry, OfAGridWithPortsIsThatOfItsRouters) {
  std::string const port = ", port: {bandwidth: 8 Gb/s, latency: 1 ns}";
  auto const on = [&](std::string const& collectives, std::string const& grid) {
    return folded(layer("16", 32, 32), torus(collectives, grid + port)).representatives();
  };
  EXPECT_EQ(on("torus", "kind: torus, shape: [4, 4]"), 1U);
  EXPECT_EQ(on("ring", "kind: torus, shape: [4, 4]"), 8U);
  EXPECT_EQ(on("hierarchical", "kind: mesh, shape: [4, 4]"), 4U);
}

TEST(Symmetry, OfARingIsThatOfAllItsShifts) {
  auto const* const ring = "kind: torus, shape: [16]";
  EXPECT_EQ(folded(layer("16", 32, 32), torus("ring", ring)).representatives(), 1U);
  EXPECT_EQ(folded(layer("16", 32, 32), torus("bidirectional", ring)).representatives(), 1U);
}

TEST(Symmetry, OfAMeshIsThatOfItsReflections) {
  auto const* const mesh = "kind: mesh, shape: [4, 4]";
  EXPECT_EQ(folded(layer("16", 32, 32), torus("hierarchical", mesh)).representatives(), 4U);
  EXPECT_EQ(folded(layer("16", 32, 32), torus("hierarchical", "kind: mesh, shape: [16]"))
                .representatives(),
            8U);
  // Rings go one way.
  EXPECT_TRUE(folded(layer("16", 32, 32), torus("torus", mesh)).is_trivial());
}

TEST(Symmetry, OfAMeshKeepsUnequalPartsApart) {
  auto const network = layer("64", 32, 32);
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  // Level 4 cuts neighbours in a row: who computes more sends as much.
  plan.splits[workloads::OperatorId{0}][3] = Split{workloads::Dim::n, 0.25};
  auto const array = torus("hierarchical", "kind: mesh, shape: [4, 4]");
  auto const folding = symmetry({network, array}, plan);
  EXPECT_EQ(folding.representatives(), 8U);
  EXPECT_FALSE(folding.is_folded(3) || folding.is_folded(2));
}

TEST(Symmetry, OfAMeshTakesHalvesForReflectionsOnly) {
  // Everybody has outputs of his own, of which nothing is sent; 6 are three pairs.
  auto const network = layer("2", 4, 12);
  Plan plan;
  plan.accelerators = 6;
  plan.splits.push_back(Splits(2, Split{workloads::Dim::k}));
  EXPECT_EQ(symmetry({network, grid_array("kind: torus", "6", 6)}, plan).representatives(), 1U);
  EXPECT_EQ(symmetry({network, grid_array("kind: mesh", "6", 6)}, plan).representatives(), 6U);
}

TEST(Symmetry, ByReflectionsTakesTwiceWhatShiftsLeaveOfALongRing) {
  // Level by level partners are 16, 8, 4, 2 and 1 away.
  auto const network = layer("32", 32, 32);
  auto const both_ways = grid_array("kind: torus, half_way: both", "32", 32);
  EXPECT_EQ(folded(network, both_ways).representatives(), 8U);
  auto const one_way = grid_array("kind: torus", "32", 32);
  EXPECT_EQ(folded(network, one_way).representatives(), 8U) << "even and odd ones go opposite ways";
}

TEST(Symmetry, OfATorusKeepsAsManyPlacesApartAsItsBlocksHaveSizes) {
  // 24 weights in 16 blocks along rows of 4 and then columns: of 1 and 2 in turn.
  auto const folding = folded(layer("16", 4, 6), torus("torus"));
  EXPECT_EQ(folding.representatives(), 2U);

  auto padded = torus("torus");
  padded.execution.sums = arch::SumPieces::padded;
  EXPECT_EQ(folded(layer("16", 4, 6), padded).representatives(), 1U);
}

/// A torus by its shape, summed along its dimensions; `more` of its links.
arch::ArraySpec torus_of(std::string const& shape, std::string const& accelerators,
                         std::string const& more = "", std::string const& packets = "") {
  return arch::load("hypar-paper",
                    {"accelerators=" + accelerators,
                     "fabric={clock: 1 GHz, topology: {kind: torus, shape: [" + shape +
                         "], link: {bandwidth: 8 Gb/s, latency: 5 ns" + more + "}}" + packets + "}",
                     "execution.collectives=torus"});
}

TEST(Symmetry, OfATorusWhoseLevelsDoNotFollowItsDimensionsIsNone) {
  // Fifteen are cut in five parts of three, which are rows of three but no parts of rows of five.
  EXPECT_EQ(folded(layer("15", 15, 15), torus_of("3, 5", "15")).representatives(), 1U);
  EXPECT_TRUE(folded(layer("15", 15, 15), torus_of("5, 3", "15")).is_trivial());
}

TEST(Symmetry, OfATorusIsNoneWhereALevelSkipsRows) {
  // Three parts of four, in rows of six: every fourth place along a row is no part's first.
  auto const network = layer("48", 12, 12);
  Plan plan;
  plan.accelerators = 12;
  plan.splits.push_back(Splits(3, Split{workloads::Dim::n}));
  plan.splits[workloads::OperatorId{0}][1] = Split{workloads::Dim::n, 0.25};
  EXPECT_TRUE(symmetry({network, torus_of("6, 2", "12")}, plan).is_trivial());
  EXPECT_EQ(symmetry({network, torus_of("2, 6", "12")}, plan).representatives(), 2U);
}

TEST(Symmetry, OfATorusKeepsUnequalPartsApart) {
  auto const network = layer("64", 32, 32);
  Plan plan;
  plan.accelerators = 16;
  plan.splits.push_back(Splits(4, Split{workloads::Dim::n}));
  EXPECT_EQ(symmetry({network, torus_of("4, 4", "16")}, plan).representatives(), 1U);
  // Level 2 cuts columns in quarters, inside the halves of level 1.
  plan.splits[workloads::OperatorId{0}][1] = Split{workloads::Dim::n, 0.25};
  auto const folding = symmetry({network, torus_of("4, 4", "16")}, plan);
  EXPECT_EQ(folding.representatives(), 2U);
  EXPECT_FALSE(folding.is_folded(1));
}

/// Two layers in a stage of four accelerators each, samples split.
struct TwoStages {
  TwoStages() {
    NetworkText text;
    text.batch = "64";
    text.input = "{name: x, features: 32}";
    network = network_of(text.with({"{name: a, kind: linear, input: x, outputs: 32}",
                                    "{name: b, kind: linear, input: a, outputs: 32}"}));
    plan.accelerators = 8;
    plan.batch = 64;
    auto& pipeline = plan.pipeline.emplace();
    pipeline.schedule = "1f1b";
    pipeline.micro_batches = 4;
    for (std::size_t i = 0; i < 2; ++i) {
      DeviceMesh const mesh{{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, {2, 2}};
      pipeline.stages.push_back({mesh, 1, {{workloads::OperatorId{i}}}});
      plan.splits.push_back(Splits(2, Split{workloads::Dim::n}));
    }
  }

  [[nodiscard]] std::size_t simulated_on(std::string const& shape,
                                         std::string const& more = "") const {
    return simulated("torus", "kind: torus, shape: [" + shape + "], " + more);
  }
  [[nodiscard]] std::size_t simulated_on_a_star(std::string const& collectives) const {
    return simulated(collectives, "kind: star, shape: [8], ");
  }

  workloads::Network network;
  Plan plan;

 private:
  [[nodiscard]] std::size_t simulated(std::string const& collectives,
                                      std::string const& topology) const {
    auto const array =
        arch::load("hypar-paper", {"accelerators=8", "execution.collectives=" + collectives,
                                   "fabric={clock: 1 GHz, topology: {" + topology +
                                       "link: {bandwidth: 8 Gb/s, latency: 5 ns}}}"});
    return symmetry({network, array}, plan).representatives();
  }
};

TEST(Symmetry, OfAPipelineOnATreeIsThatOfTheChildrenWithinItsStages) {
  TwoStages const stages;
  EXPECT_EQ(stages.simulated_on_a_star("ring"), 2U) << "children of a switch are all alike";
  EXPECT_EQ(stages.simulated_on_a_star("hierarchical"), 2U);
}

TEST(Symmetry, OfAPipelineOnATorusIsThatOfRingsWithinItsStages) {
  TwoStages const stages;
  EXPECT_EQ(stages.simulated_on("4, 2"), 2U) << "each on a ring";
  EXPECT_EQ(stages.simulated_on("2, 4"), 4U) << "each on two rings of two, half of rings of four";
  EXPECT_EQ(stages.simulated_on("8"), 8U) << "each on half a ring";
}

TEST(Symmetry, OfAPipelineWhoseStagesSendFromAllToAllIsTheSame) {
  // Everybody has summands of all, of which he sends his samples to everybody of the next stage.
  TwoStages stages;
  for (auto& splits : stages.plan.splits) splits = Splits(2, Split{workloads::Dim::c});
  EXPECT_EQ(stages.simulated_on("4, 2", "half_way: both, "), 2U);
  EXPECT_EQ(stages.simulated_on("4, 2"), 4U) << "half-way neighbours go opposite ways";
}

TEST(Symmetry, OfAPipelineKeepsApartWhatOneOfItsStagesDoes) {
  TwoStages stages;
  stages.plan.splits[workloads::OperatorId{1}][1] = Split{workloads::Dim::n, 0.25};
  EXPECT_EQ(stages.simulated_on("4, 2"), 4U);
  EXPECT_EQ(stages.simulated_on("2, 2, 2"), 4U);
  stages.plan.splits[workloads::OperatorId{1}][0] = Split{workloads::Dim::n, 0.25};
  EXPECT_EQ(stages.simulated_on("4, 2"), 8U);
}

TEST(Symmetry, OfAPipelineKeepsApartWhoComputesMoreAndSendsTheSame) {
  // One stage: samples stay where they are, and gradients have one size.
  TwoStages stages;
  auto& pipeline = *stages.plan.pipeline;
  auto const both = stages.network.operators().ids().list();
  DeviceMesh const mesh{{0, 1, 2, 3}, {2, 2}};
  pipeline.stages = {};
  pipeline.stages.push_back({mesh, 1, {{both.begin(), both.end()}}});
  EXPECT_EQ(stages.simulated_on("4, 2"), 2U) << "and what has nothing to do";
  for (auto& splits : stages.plan.splits) splits[1] = Split{workloads::Dim::n, 0.25};
  EXPECT_EQ(stages.simulated_on("4, 2"), 4U);
}

TEST(Symmetry, OfAPipelineIsNoneWhereReplicasTakeTurns) {
  TwoStages stages;
  auto& pipeline = *stages.plan.pipeline;
  for (auto const id : pipeline.stages.ids()) {
    pipeline.stages[id].replicas = 2;
    stages.plan.splits[workloads::OperatorId{id.index()}][0].reset();
  }
  EXPECT_EQ(stages.simulated_on("4, 2"), 8U);
}

TEST(Symmetry, SaysWhyLevelsAreNotFolded) {
  auto const unfolded = [](workloads::Network const& network, arch::ArraySpec const& array) {
    Problem const problem{network, array};
    auto const plan = make_planner("dp")->solve(problem);
    return explained_symmetry(problem, plan, step_of(problem, plan)).unfolded;
  };
  auto const all = [](std::string const& because) {
    return UnfoldedReasons{{0, because}, {1, because}, {2, because}, {3, because}};
  };
  auto const network = layer("16", 32, 32);
  EXPECT_EQ(unfolded(network, torus("torus")), UnfoldedReasons{});
  EXPECT_EQ(unfolded(network, torus("ring")),
            (UnfoldedReasons{{0, "communication of fc.backward_weight"},
                             {2, "communication of fc.backward_weight"},
                             {3, "communication of fc.backward_weight"}}));
  EXPECT_EQ(unfolded(network, torus("ring", "kind: dragonfly, shape: [4, 4, 1]")),
            all("a network that is neither grid nor tree"));
  EXPECT_EQ(unfolded(network, torus("ring", "kind: mesh, shape: [16]")).at(3), "topology");
  EXPECT_EQ(unfolded(layer("16", 3, 4), arch::load("hypar-paper")),
            (UnfoldedReasons{{0, "communication of fc.backward_weight"},
                             {1, "communication of fc.backward_weight"}}))
      << "halves of three weights, and of one";
}

TEST(Symmetry, OfATorusIsNoneWithLanesOrPackets) {
  auto const network = layer("16", 32, 32);
  // A sender's number tells its lane, and routers choose by ports.
  EXPECT_TRUE(folded(network, torus_of("4, 4", "16", ", lanes: 2")).is_trivial());
  auto const* const packets =
      ", packet: 512 B, router: {pipeline: 1 ns, virtual_channels: 2, buffer_packets: 2}";
  EXPECT_TRUE(folded(network, torus_of("4, 4", "16", "", packets)).is_trivial());
}

TEST(Symmetry, OfAGridIsNotUsedWhereTransfersContendForTheMemory) {
  auto const array = arch::load(
      "tpu-v3-128", {"accelerators=16", "execution.collectives=torus", "execution.kernels=free",
                     "accelerator.transfers={path: through-memory, block: 64 KiB}"});
  EXPECT_TRUE(folded(layer("16", 32, 32), array).is_trivial());
}

}  // namespace
}  // namespace tessera::partition

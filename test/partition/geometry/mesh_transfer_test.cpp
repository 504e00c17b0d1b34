#include "partition/geometry/mesh_transfer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "arch/array/load.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

using testing::ElementsAre;
using workloads::Dim;
using workloads::OperatorId;

/// From, to, elements.
using Sent = std::tuple<std::size_t, std::size_t, std::int64_t>;

/// Two layers in a stage each: y of 8 samples and 64 features goes from one to the other.
struct TwoStages {
  TwoStages(DeviceMesh const& first, Splits const& writes, DeviceMesh const& second,
            Splits const& reads)
      : network{test::network_of(test::NetworkText{"{name: x, features: 64}", "8"}.with(
            {"{name: y, kind: linear, input: x, outputs: 64}",
             "{name: z, kind: linear, input: y, outputs: 64}"}))} {
    plan.splits.push_back(writes);
    plan.splits.push_back(reads);
    auto& pipeline = plan.pipeline.emplace();
    pipeline.stages.push_back({first, 1, {{OperatorId{0}}}});
    pipeline.stages.push_back({second, 1, {{OperatorId{1}}}});
  }

  [[nodiscard]] std::vector<Sent> sent() const {
    auto const& stages = plan.pipeline->stages;
    Tiling const from{network, plan, stages[StageId{0}]};
    Tiling const to{network, plan, stages[StageId{1}]};
    auto const& output = network.at(OperatorId{0}).output;
    auto const& input = network.at(OperatorId{1}).inputs.front();
    std::vector<Sent> sent;
    for (auto const& [sender, receiver, elements, after] :
         mesh_transfer(Hierarchy{8}, output.tensor, all_holders(from, stages[StageId{0}].mesh),
                       layout_written(output, plan.splits[OperatorId{0}]),
                       all_holders(to, stages[StageId{1}].mesh),
                       layout_read(input, plan.splits[OperatorId{1}]))) {
      sent.emplace_back(sender, receiver, elements.value());
    }
    return sent;
  }

  workloads::Network network;
  Plan plan;
};

TEST(MeshTransfer, CrossesHalvesOfSamplesWithHalvesOfChannels) {
  TwoStages const stages{{{0, 1}, {2}}, {Dim::n}, {{2, 3}, {2}}, {Dim::c}};
  std::int64_t const quarter = 8 * 64 / 4;
  EXPECT_THAT(stages.sent(), ElementsAre(Sent{0, 2, quarter}, Sent{1, 2, quarter},
                                         Sent{0, 3, quarter}, Sent{1, 3, quarter}));
}

TEST(MeshTransfer, EveryCopyIsSentByAHolderOfItsOwn) {
  TwoStages const stages{{{0, 1}, {2}}, {std::nullopt}, {{2, 3}, {2}}, {std::nullopt}};
  EXPECT_THAT(stages.sent(), ElementsAre(Sent{0, 2, 512}, Sent{1, 3, 512}));
}

TEST(MeshTransfer, TheNearestHolderSends) {
  // 6 is next to 7, and 0 and 4 are farther away.
  TwoStages const stages{{{0, 4, 6}, {3}}, {std::nullopt}, {{7}, {}}, {}};
  EXPECT_THAT(stages.sent(), ElementsAre(Sent{6, 7, 512}));
}

TEST(MeshTransfer, OfEquallyNearHoldersTheOneAtTheReceiversPlaceSends) {
  // Halves of the features, each held twice; who is in the first pair asks the first pair.
  TwoStages const stages{{{0, 1, 2, 3}, {2, 2}},
                         {std::nullopt, Dim::k},
                         {{4, 5, 6, 7}, {2, 2}},
                         {std::nullopt, std::nullopt}};
  EXPECT_THAT(stages.sent(),
              ElementsAre(Sent{0, 4, 256}, Sent{1, 4, 256}, Sent{0, 5, 256}, Sent{1, 5, 256},
                          Sent{2, 6, 256}, Sent{3, 6, 256}, Sent{2, 7, 256}, Sent{3, 7, 256}));
}

TEST(MeshTransfer, WhatTheReceiverHoldsIsNotSent) {
  TwoStages const stages{{{0, 1}, {2}}, {Dim::n}, {{1, 2}, {2}}, {Dim::n}};
  EXPECT_THAT(stages.sent(), ElementsAre(Sent{0, 1, 256}, Sent{1, 2, 256}));
  TwoStages const same{{{0, 1}, {2}}, {Dim::n}, {{0, 1}, {2}}, {Dim::n}};
  EXPECT_THAT(same.sent(), testing::IsEmpty());
}

}  // namespace
}  // namespace tessera::partition

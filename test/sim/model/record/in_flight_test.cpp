// What is in flight, of passes whose times are written down.
#include "sim/model/record/in_flight.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using workloads::Phase;

/// One accelerator's passes in stage 0, each a computation.
class Passes {
 public:
  Passes& add(Phase phase, Passage const& passage, std::int64_t begin, std::int64_t end) {
    Task task;
    task.phase = phase;
    task.passage = graph_.add_passage(passage);
    graph_.add(task, {});
    times_.emplace_back(begin, end);
    return *this;
  }
  Passes& forward(std::int64_t micro_batch, std::int64_t version, std::int64_t begin) {
    return add(Phase::forward, {0, 0, micro_batch, 0, version}, begin, begin + 10);
  }
  Passes& backward(std::int64_t micro_batch, std::int64_t version, std::int64_t begin) {
    return add(Phase::backward_weight, {0, 0, micro_batch, 0, version}, begin, begin + 10);
  }
  Passes& update(std::int64_t version, std::int64_t begin) {
    return add(Phase::update, {0, 0, 0, 0, version}, begin, begin + 10);
  }

  [[nodiscard]] InFlight most(std::size_t stage = 0) const {
    Schedule const schedule{graph_};
    Journal journal{graph_.size()};
    for (auto const id : graph_.tasks().ids()) {
      journal.start(id, Time{times_[id.index()].first});
      journal.complete(id, Time{times_[id.index()].second});
    }
    return in_flight(schedule, journal, AcceleratorId{0}, stage);
  }

 private:
  TaskGraph graph_{1};
  std::vector<std::pair<std::int64_t, std::int64_t>> times_;
};

TEST(InFlight, IsFromTheForwardPassToTheEndOfTheBackwardPass) {
  Passes passes;
  passes.forward(0, 0, 0).forward(1, 0, 10).backward(0, 0, 20).forward(2, 0, 30);
  passes.backward(1, 0, 40).backward(2, 0, 50);
  EXPECT_EQ(passes.most().activations, 2);
}

TEST(InFlight, CountsChunksOfAMicroBatchOneByOne) {
  Passes passes;
  passes.add(Phase::forward, {0, 0, 5, 0, 0}, 0, 10).add(Phase::forward, {0, 1, 5, 0, 0}, 10, 20);
  passes.add(Phase::backward_weight, {0, 1, 5, 0, 0}, 20, 30);
  passes.add(Phase::backward_weight, {0, 0, 5, 0, 0}, 30, 40);
  EXPECT_EQ(passes.most().activations, 2);
}

TEST(InFlight, VersionsLiveUntilTheirLastPass) {
  Passes passes;
  passes.forward(0, 0, 0).forward(1, 0, 10).backward(0, 0, 20).update(1, 30).forward(2, 1, 40);
  passes.backward(1, 0, 50).update(2, 60).backward(2, 1, 70);
  EXPECT_EQ(passes.most().weight_versions, 2);  // 0 and 1, then 1 and 2
}

TEST(InFlight, AnUpdateInPlaceIsNoSecondVersion) {
  Passes passes;
  passes.forward(0, 0, 0).backward(0, 0, 10).update(1, 20).forward(1, 1, 30).backward(1, 1, 40);
  EXPECT_EQ(passes.most().weight_versions, 1);
}

TEST(InFlight, WhatTakesNoTimeIsInTheOrderOfTasks) {
  Passes passes;
  for (std::int64_t i = 0; i < 3; ++i) {
    passes.add(Phase::forward, {0, 0, i, 0, i}, 5, 5);
    passes.add(Phase::backward_weight, {0, 0, i, 0, i}, 5, 5)
        .add(Phase::update, {0, 0, i, 0, i + 1}, 5, 5);
  }
  EXPECT_EQ(passes.most().activations, 1);
  EXPECT_EQ(passes.most().weight_versions, 1);
}

TEST(InFlight, OfAnotherStageIsNothing) {
  Passes passes;
  passes.forward(0, 0, 0);
  EXPECT_EQ(passes.most(1).activations, 0);
  EXPECT_EQ(passes.most(1).weight_versions, 0);
}

}  // namespace
}  // namespace tessera::sim

#include "sim/lower/done_actions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using partition::ActionId;
using partition::Pass;
using partition::Step;

/// A step on two accelerators.
struct Lenet {
  workloads::Network network = workloads::load("hypar/lenet-c");
  arch::ArraySpec array = arch::load("hypar-paper", {"accelerators=2"});
  partition::Plan plan = partition::make_planner("dp")->solve({network, array});
  Step step = partition::step_of(network, plan);
};

/// Of two accelerators, a task that tells the action and the micro-batch.
Frontier frontier_of(ActionId id, std::int64_t micro_batch) {
  return {{TaskId{2 * id.index() + static_cast<std::size_t>(micro_batch)}}, {}};
}

TEST(DoneActions, AnActionWaitsForAllThatItReadsOfItsMicroBatch) {
  Lenet const lenet;
  DoneActions done{lenet.step};
  for (auto const id : lenet.step.actions.ids()) {
    auto const& action = lenet.step.actions[id];
    if (action.pass == Pass::update) continue;
    for (std::int64_t micro_batch = 0; micro_batch < 2; ++micro_batch) {
      Frontier expected(2);
      for (auto const before : action.after) {
        expected = both(std::move(expected), frontier_of(before, micro_batch));
      }
      EXPECT_EQ(done.before(action, micro_batch, Frontier(2)), expected);
      done.add(id, micro_batch, frontier_of(id, micro_batch));
    }
  }
}

TEST(DoneActions, NothingIsKeptThatNobodyWillRead) {
  Lenet const lenet;
  DoneActions done{lenet.step};
  std::size_t most = 0;
  for (std::int64_t micro_batch = 0; micro_batch < 10; ++micro_batch) {
    for (auto const id : lenet.step.actions.ids()) {
      auto const& action = lenet.step.actions[id];
      if (action.pass == Pass::update) continue;
      static_cast<void>(done.before(action, micro_batch, Frontier(2)));
      done.add(id, micro_batch, frontier_of(id, micro_batch));
      most = std::max(most, done.kept());
    }
    EXPECT_EQ(done.kept(), 0U) << "after micro-batch " << micro_batch;
  }
  EXPECT_LT(most, lenet.step.actions.size());
}

}  // namespace
}  // namespace tessera::sim

// Which arrivals go without saying: by hand, and in a ring's sum.
#include "sim/lower/sent_rounds.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/network_text.hpp"

namespace tessera::sim {
namespace {

struct Sent {
  std::size_t from;
  std::size_t to;
  std::vector<std::size_t> after;
};

/// Of transfers 0, 1, 2..., what is passed on by the last.
std::optional<TaskId> passed_on(std::size_t accelerators, std::vector<Sent> const& all) {
  SentRounds sent{accelerators};
  for (std::size_t i = 0; i < all.size(); ++i) {
    sent.add(TaskId{i}, AcceleratorId{all[i].from}, AcceleratorId{all[i].to}, all[i].after);
  }
  return sent.passed_on_by_last();
}

TEST(SentRounds, InARingWhatComesBackIsBehindWhatCameARoundBefore) {
  std::vector<Sent> const ring = {{2, 0, {}}, {0, 1, {0}}, {1, 2, {1}}, {2, 0, {2}}};
  EXPECT_EQ(passed_on(3, ring), TaskId{0});
  EXPECT_EQ(passed_on(3, {ring.begin(), ring.end() - 1}), std::nullopt);
}

TEST(SentRounds, WhatARepresentativeSendsToItselfIsBehindWhatItSentBefore) {
  EXPECT_EQ(passed_on(1, {{0, 0, {}}, {0, 0, {0}}, {0, 0, {1}}}), TaskId{1});
}

TEST(SentRounds, WhoWaitsUntilATransferHasLeftDoesNotKnowWhetherItHasArrived) {
  EXPECT_EQ(passed_on(2, {{0, 1, {}}, {0, 1, {0}}}), std::nullopt);
}

TEST(SentRounds, RingsOfLargeGraphsAreNotFollowed) {
  EXPECT_EQ(passed_on(17, {{0, 0, {}}, {0, 0, {0}}}), std::nullopt);
}

/// For how many tasks the updates of a layer wait that is summed in a ring of eight, at most.
std::size_t most_before_updates(bool folds, std::string const& inputs = "15") {
  test::NetworkText text;
  text.batch = "8";
  text.input = "{name: x, features: " + inputs + "}";
  auto const network =
      test::network_of(text.with({"{name: fc, kind: linear, input: x, outputs: 15}"}));
  auto const array =
      arch::load("hypar-paper",
                 {"accelerators=8", "execution.collectives=ring", "execution.overlap=communication",
                  "fabric={clock: 1 GHz, topology: {kind: torus, shape: [8], link: "
                  "{bandwidth: 8 Gb/s, latency: 5 ns}}}"});
  auto const plan = partition::make_planner("dp")->solve({network, array});
  auto const folding = folds ? partition::symmetry({network, array}, plan) : Folding{8};
  auto const tasks = lower(network, array, plan, folding);
  std::size_t most = 0;
  for (auto const id : tasks.tasks().ids()) {
    auto const& task = tasks.at(id);
    bool const is_first = task.phase == workloads::Phase::update && task.kind == TaskKind::load;
    if (is_first) most = std::max(most, tasks.after(id).size());
  }
  return most;
}

TEST(SentRounds, AnUpdateWaitsForTheLastArrivalsOfARing) {
  // 14 rounds of unequal pieces, of which the last eight come behind the six before; and its own
  // gradient.
  EXPECT_EQ(most_before_updates(false), 9U);
  // Of equal ones two transfers.
  EXPECT_EQ(most_before_updates(false, "16"), 3U);
  EXPECT_EQ(most_before_updates(true, "16"), 2U);
}

}  // namespace
}  // namespace tessera::sim

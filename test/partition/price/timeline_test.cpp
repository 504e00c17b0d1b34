#include "partition/price/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "test/support/random_network.hpp"

namespace tessera::partition {
namespace {

using test::random_between;

TEST(Timeline, TasksOfOneResourceFollowEachOtherByWhenTheyAreReady) {
  Timeline timeline{2};
  ResourceId const core{0};
  ResourceId const link{1};
  auto const first = timeline.add(Time{10}, core);
  auto const second = timeline.add(Time{5}, core);
  auto const sent = timeline.add(Time{20}, link);
  timeline.connect(first, sent);
  auto const last = timeline.add(Time{1}, core);
  timeline.connect(sent, last);
  timeline.simulate();
  EXPECT_EQ(timeline.start(second), Time{10});  // both ready at 0
  EXPECT_EQ(timeline.start(sent), Time{10});    // beside the second task
  EXPECT_EQ(timeline.start(last), Time{30});
  EXPECT_EQ(timeline.length(), Time{31});
}

TEST(Timeline, ATaskThatBecomesReadyEarlierOvertakes) {
  Timeline timeline{2};
  ResourceId const core{0};
  auto const slow = timeline.add(Time{10}, ResourceId{1});
  auto const waiting = timeline.add(Time{3}, core);
  timeline.connect(slow, waiting);
  auto const early = timeline.add(Time{4}, core);
  auto const other = timeline.add(Time{7}, std::nullopt);
  timeline.connect(other, early);
  timeline.simulate();
  EXPECT_EQ(timeline.start(early), Time{7});
  EXPECT_EQ(timeline.start(waiting), Time{11});
  timeline.set_duration(slow, Time{2});
  timeline.update();
  EXPECT_EQ(timeline.start(waiting), Time{2});
  EXPECT_EQ(timeline.start(early), Time{7});
  timeline.remove(waiting);
  timeline.set_duration(other, Time{1});
  timeline.update();
  EXPECT_EQ(timeline.start(early), Time{1});
  EXPECT_EQ(timeline.size(), 3U);
}

/// A graph whose tasks only wait for ones of lower rank, and changes to it.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : random_{seed} {
    auto const count = random_between(random_, 5, 60);
    for (std::int64_t i = 0; i < count; ++i) add();
    timeline.simulate();
  }

  /// What a proposal does: operators' tasks come and go, elsewhere and with other durations.
  void change() {
    for (auto left = random_between(random_, 1, 4); left > 0; --left) {
      switch (random_between(random_, 0, 5)) {
        case 0:
          add();
          break;
        case 1:
          remove();
          break;
        case 2:
          toggle_edge();
          break;
        case 3:
          timeline.set_duration(any(), duration());
          break;
        default: {
          auto const task = any();
          timeline.set_duration(task, duration());
          timeline.set_resource(task, resource());
        }
      }
    }
  }

  Timeline timeline{resources};

  /// What change() does, and then does not.
  void try_change() {
    auto const order = order_;
    auto const edges = edges_;
    timeline.begin_trial();
    change();
    timeline.update();
    timeline.undo_trial();
    order_ = order;
    edges_ = edges;
  }

 private:
  static constexpr std::size_t resources = 4;

  /// Few different ones, so that many tasks are ready at once.
  Time duration() { return Time{random_between(random_, 1, 6)}; }

  std::optional<ResourceId> resource() {
    auto const one = static_cast<std::size_t>(random_between(random_, 0, resources));
    return one < resources ? std::optional{ResourceId{one}} : std::nullopt;
  }

  std::size_t any_index() {
    return static_cast<std::size_t>(
        random_between(random_, 0, static_cast<std::int64_t>(order_.size()) - 1));
  }
  TimelineTaskId any() { return order_[any_index()]; }

  void add() {
    auto const on = resource();
    auto const task = timeline.add(on ? duration() : Time{random_between(random_, 0, 6)}, on);
    auto const rank = order_.empty() ? 0 : any_index();
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(rank), task);
    for (int edge = 0; edge < 3; ++edge) toggle_edge();
  }

  void remove() {
    if (order_.size() < 3) return;
    auto const index = any_index();
    auto const task = order_[index];
    timeline.remove(task);
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(index));
    edges_.erase(
        std::remove_if(edges_.begin(), edges_.end(),
                       [&](auto const& edge) { return edge.first == task || edge.second == task; }),
        edges_.end());
  }

  void toggle_edge() {
    auto const one = any_index();
    auto const other = any_index();
    if (one == other) return;
    std::pair const edge{order_[std::min(one, other)], order_[std::max(one, other)]};
    auto const known = std::find(edges_.begin(), edges_.end(), edge);
    if (known != edges_.end()) {
      timeline.disconnect(edge.first, edge.second);
      edges_.erase(known);
    } else {
      timeline.connect(edge.first, edge.second);
      edges_.push_back(edge);
    }
  }

  std::mt19937_64 random_;
  std::vector<TimelineTaskId> order_;
  std::vector<std::pair<TimelineTaskId, TimelineTaskId>> edges_;
};

void expect_equal(Timeline const& delta, Timeline const& full) {
  for (std::size_t slot = 0; slot < full.slots(); ++slot) {
    TimelineTaskId const task{slot};
    if (!full.exists(task)) continue;
    ASSERT_EQ(delta.start(task), full.start(task)) << slot;
    ASSERT_EQ(delta.end(task), full.end(task)) << slot;
  }
  ASSERT_EQ(delta.length(), full.length());
}

/// TESSERA_TIMELINE_GRAPHS=1000 is the long run.
TEST(Timeline, UpdatesEqualWholeSimulationsInEveryStartAndEnd) {
  auto const* const asked = std::getenv("TESSERA_TIMELINE_GRAPHS");
  auto const graphs = asked == nullptr ? 60U : static_cast<unsigned>(std::stoul(asked));
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    RandomGraph graph{seed};
    for (int change = 0; change < 100; ++change) {
      graph.timeline.begin_trial();
      graph.change();
      graph.timeline.update();
      graph.timeline.keep_trial();
      auto full = graph.timeline;
      full.simulate();
      expect_equal(graph.timeline, full);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", change " << change;
    }
  }
}

TEST(Timeline, ATrialThatIsUndoneLeavesNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomGraph graph{seed};
    for (int change = 0; change < 50; ++change) {
      auto const before = graph.timeline;
      graph.try_change();
      expect_equal(graph.timeline, before);
      ASSERT_EQ(graph.timeline.size(), before.size());
      graph.change();
      graph.timeline.update();
      auto full = graph.timeline;
      full.simulate();
      expect_equal(graph.timeline, full);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", change " << change;
    }
  }
}

TEST(Timeline, OfTasksThatAreReadyAtOnceTheOneOfLowerRankIsFirst) {
  Timeline timeline{1};
  ResourceId const core{0};
  auto const second = timeline.add(Time{10}, core, 7);
  auto const first = timeline.add(Time{5}, core, 3);
  timeline.simulate();
  EXPECT_EQ(timeline.start(first), Time{0});
  EXPECT_EQ(timeline.start(second), Time{5});
}

// A meeting point is passed before the resource chooses, though the other task is of lower rank.
TEST(Timeline, WhatTakesNoTimeMakesTasksReadyBeforeAResourceChooses) {
  Timeline timeline{1};
  ResourceId const core{0};
  auto const other = timeline.add(Time{10}, core, 5);
  auto const meeting = timeline.add(Time{0}, std::nullopt, 9);
  auto const first = timeline.add(Time{5}, core, 3);
  timeline.connect(meeting, first);
  timeline.simulate();
  EXPECT_EQ(timeline.start(first), Time{0});
  EXPECT_EQ(timeline.start(other), Time{5});
}

}  // namespace
}  // namespace tessera::partition

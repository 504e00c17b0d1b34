#include "workloads/graph_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::workloads {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TopologicalSort, KeepsAnOrderThatIsTopologicalAlready) {
  // A diamond and a vertex of its own.
  auto const sorted = topological_sort({{}, {0}, {0}, {}, {1, 2}});
  EXPECT_THAT(sorted.order, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(sorted.cycle, IsEmpty());
}

TEST(TopologicalSort, PutsWhatAVertexDependsOnBeforeIt) {
  EXPECT_THAT(topological_sort({{1}, {2}, {}}).order, ElementsAre(2, 1, 0));
  EXPECT_THAT(topological_sort({{3}, {}, {1}, {2}}).order, ElementsAre(1, 2, 3, 0));
}

TEST(TopologicalSort, OfNothingIsNothing) {
  auto const sorted = topological_sort({});
  EXPECT_THAT(sorted.order, IsEmpty());
  EXPECT_THAT(sorted.cycle, IsEmpty());
}

TEST(TopologicalSort, NamesACycleInTheOrderInWhichItFeeds) {
  // 0 feeds 3, 3 feeds 1, 1 feeds 0; 2 is fed by the cycle and 4 feeds it.
  auto const sorted = topological_sort({{1, 4}, {3}, {0}, {0}, {}});
  EXPECT_THAT(sorted.cycle, ElementsAre(0, 3, 1));
  EXPECT_THAT(sorted.order, IsEmpty());
}

TEST(TopologicalSort, FindsACycleOfOne) {
  EXPECT_THAT(topological_sort({{}, {1}}).cycle, ElementsAre(1));
}

TEST(TopologicalSort, LeavesOutWhatOnlyLeadsToTheCycle) {
  EXPECT_THAT(topological_sort({{1}, {2}, {1}}).cycle, ElementsAre(1, 2));
}

TEST(TopologicalSort, IsNotLimitedByTheStack) {
  std::size_t const length = 100'000;
  std::vector<std::vector<std::size_t>> chain(length);
  for (std::size_t vertex = 0; vertex + 1 < length; ++vertex) chain[vertex] = {vertex + 1};
  auto const sorted = topological_sort(chain);
  EXPECT_EQ(sorted.order.size(), length);
  EXPECT_EQ(sorted.order.front(), length - 1);
}

}  // namespace
}  // namespace tessera::workloads

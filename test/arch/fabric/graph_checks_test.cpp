#include "arch/fabric/graph_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::arch::detail {

namespace {

TEST(GraphChecks, ACircleIsFoundAndNamedInOrder) {
  // 0 > 1 > 2 > 3 > 1: a ring without a dateline, entered from outside.
  EXPECT_THAT(find_cycle({{1}, {2}, {3}, {1}}), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(find_cycle({{1, 2}, {2}, {3}, {}}), testing::IsEmpty());
}

TEST(GraphChecks, OneWayIsNotConnected) {
  EXPECT_TRUE(is_strongly_connected({{1}, {2}, {0}}));
  EXPECT_FALSE(is_strongly_connected({{1}, {2}, {}}));
  EXPECT_FALSE(is_strongly_connected({{1}, {0}, {}}));
}

TEST(GraphChecks, DistancesCountHops) {
  EXPECT_THAT(distances_from_first({{1, 2}, {3}, {3}, {}, {}}),
              testing::ElementsAre(0, 1, 1, 2, 5));
}

}  // namespace

}  // namespace tessera::arch::detail

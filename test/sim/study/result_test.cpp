// Results as JSON and back.
#include "sim/study/result.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tessera::sim {
namespace {

Point some_point() {
  Point point;
  point.result.workload = "hypar/vgg-a";
  point.result.predicted = {1.0 / 3.0, 9'007'199'254'740'993, 1e-300};  // 2^53 + 1: no double
  point.result.simulated = {0.1, 25'000'000, 42, 0.25, "00ff"};
  point.details.breakdown.total = {1, 2, 3, 4};
  point.details.breakdown.layers = {{"zeta", {1, 0, 0, 0}}, {"alpha", {0, 1, 0, 0}}};
  point.details.energy = {{"memory", 0.5}};
  point.details.links = {{"a>b", {0.5, 100}}};
  point.details.levels = {{1, {{"zeta", "I"}, {"alpha", "II"}}, {{"zeta", 0.5}}, 10, 11}};
  return point;
}

TEST(Result, SurvivesTheWayThroughAPipeExactly) {
  auto const bytes = archived(some_point());
  EXPECT_EQ(archived(point_from(bytes)), bytes);
  auto const point = point_from(bytes);
  EXPECT_EQ(point.result.predicted.time_s, 1.0 / 3.0);
  EXPECT_EQ(point.result.predicted.communication_bytes, 9'007'199'254'740'993);
}

TEST(Result, LayersKeepTheirOrder) {
  auto const point = point_from(archived(some_point()));
  EXPECT_EQ(point.details.breakdown.layers.front().first, "zeta");
  EXPECT_EQ(point.details.levels.front().types.back().second, "II");
}

TEST(Result, WhatWasNotComputedStaysAbsent) {
  auto const point = point_from(archived(some_point()));
  EXPECT_FALSE(point.result.timeline);
  EXPECT_FALSE(point.details.what_if);
  EXPECT_EQ(point.details.levels.front().simulated_bytes, 11);
}

TEST(Result, BytesThatEndTooEarlyAreAnError) {
  auto const bytes = archived(some_point());
  EXPECT_ANY_THROW(static_cast<void>(point_from(bytes.substr(0, bytes.size() - 1))));
  EXPECT_ANY_THROW(static_cast<void>(point_from("")));
}

TEST(Document, BytesThatAreNoTextDoNotStopIt) {
  Json json = {{"name", "\xff"}};
  EXPECT_NE(document(json).find("\xEF\xBF\xBD"), std::string::npos);  // U+FFFD instead
}

}  // namespace
}  // namespace tessera::sim

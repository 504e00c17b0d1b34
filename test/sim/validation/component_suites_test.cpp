// The suites of components: every reference is there, and what must hold beyond a row's own tolerance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/model/compute/row_stationary.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {
namespace {

std::vector<Row> rows_of(std::string const& suite) { return make_suite(suite)->run({}); }

std::vector<Row> select(std::vector<Row> rows, std::string const& title,
                        std::string const& metric) {
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](Row const& row) {
                              return row.title.find(title) == std::string::npos ||
                                     row.metric != metric;
                            }),
             rows.end());
  return rows;
}

class ComponentSuite : public testing::TestWithParam<char const*> {};

TEST_P(ComponentSuite, EveryRowPassesAndNamesItsSource) {
  for (auto const& row : rows_of(GetParam())) {
    EXPECT_TRUE(row.pass) << row.title << ' ' << row.metric << ": " << row.value.text
                          << " instead of " << row.reference.text;
    EXPECT_EQ(row.suite, GetParam());
    EXPECT_FALSE(row.source.empty() || row.title.empty() || row.metric.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, ComponentSuite,
                         testing::Values("systolic", "eyeriss", "tpu-v3", "collectives"));

TEST(SystolicSuite, MeetsEveryRecordedCycle) {
  auto const rows = rows_of("systolic");
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](Row const& row) { return row.within; }),
            3 + 201);  // golden traces and layers
}

TEST(EyerissSuite, MeetsTheChipsTotalTimesWithinAPercent) {
  for (auto const* const network : {"AlexNet/all", "VGG-16/all"}) {
    auto const rows = select(rows_of("eyeriss"), network, "processing time");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_LT(std::abs(rows.front().error), 0.01) << network;
  }
}

TEST(EyerissSuite, HasEveryLayerOfBothTables) {
  for (auto const* const metric : {"processing time", "chip power"}) {
    EXPECT_EQ(select(rows_of("eyeriss"), "AlexNet/CONV", metric).size(), 5U);
    EXPECT_EQ(select(rows_of("eyeriss"), "VGG-16/CONV", metric).size(), 13U);
  }
}

TEST(TpuV3Suite, ExplainsEveryMeasuredRow) {
  auto const rows = select(rows_of("tpu-v3"), "", "cycles");
  EXPECT_EQ(rows.size(), 10U);
  for (auto const& row : rows) EXPECT_FALSE(row.note.empty()) << row.title;
}

TEST(TpuV3Suite, NeverTrainsSlowerThanPublishedSinceOnlyProductsAreModelled) {
  auto const rows = select(rows_of("tpu-v3"), "ResNet-50", "training rate");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_GT(rows.front().error, 0);
}

}  // namespace
}  // namespace tessera::sim

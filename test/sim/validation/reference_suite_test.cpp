// Reference files and how rows are judged.
#include "sim/validation/reference_suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using testing::HasSubstr;

/// A reference file with one check; `check` are its lines besides the usual ones.
std::string file_with(std::string const& check) {
  return "schema: tessera.references/1\n"
         "description: a test\n"
         "checks:\n"
         "  - {source: Fig. 1, arch: array, planner: hypar, " +
         check + "}\n";
}

ReferenceFile read(std::string const& check) {
  return references_from(read_config_text(file_with(check), "test.yaml"));
}

std::string problem_of(std::string const& check) {
  try {
    static_cast<void>(read(check));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "no error";
}

/// What hypar and dp took for a network, in seconds, joules and bytes.
void simulate(SimulatedPoints& points, std::string const& network, Simulated const& dp,
              Simulated const& hypar) {
  points[{network, "array", "dp", {}}].result.simulated = dp;
  points[{network, "array", "hypar", {}}].result.simulated = hypar;
}

Row judged(std::string const& check, SimulatedPoints const& points) {
  return judge("test", read(check).references.back(), points);
}

std::string speedup(std::string const& tolerance, std::string const& entry) {
  return "metric: speedup, baseline: {planner: dp}, tolerance: " + tolerance + ", cases: [" +
         entry + "]";
}

TEST(Judge, SpeedupIsTheBaselinesTimeOverThePlanners) {
  SimulatedPoints points;
  simulate(points, "net", {3, 0, 0, 8, ""}, {2, 0, 0, 2, ""});
  auto const row = judged(speedup("1 %", "{workload: net, value: 1.5}"), points);
  EXPECT_EQ(row.value.number, 1.5);
  EXPECT_EQ(row.error, 0);
  EXPECT_TRUE(row.pass);
  auto const energy = judged(
      "metric: energy_efficiency, baseline: {planner: dp}, tolerance: 1 %, cases: [{workload: "
      "net, value: 4}]",
      points);
  EXPECT_EQ(energy.value.number, 4);  // 8 J / 2 J
}

TEST(Judge, BothSidesOfARelativeTolerance) {
  SimulatedPoints points;
  simulate(points, "net", {100, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  // 100 / 101 - 1 = -0.0099, 100 / 102 - 1 = -0.0196
  EXPECT_TRUE(judged(speedup("1 %", "{workload: net, value: 101}"), points).pass);
  EXPECT_FALSE(judged(speedup("1 %", "{workload: net, value: 102}"), points).pass);
}

TEST(Judge, PrintedDigitsAreHalfAUnitOfTheLastOne) {
  SimulatedPoints points;
  simulate(points, "net", {}, {0, 0, 13'049'000'000, 0, ""});
  auto const check = [](std::string const& value) {
    return "metric: communication, tolerance: printed digits, cases: [{workload: net, value: " +
           value + "}]";
  };
  EXPECT_TRUE(judged(check("13.0"), points).pass);  // 13.049 rounds to 13.0
  EXPECT_FALSE(judged(check("13.1"), points).pass);
  EXPECT_TRUE(judged(check("13"), points).pass);
  EXPECT_FALSE(judged(check("13.00"), points).pass);
}

TEST(Judge, AGeometricMeanIsOverTheNetworksOfTheCheck) {
  SimulatedPoints points;
  simulate(points, "a", {2, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  simulate(points, "b", {8, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  auto const row = judged(speedup("1 %",
                                  "{workload: a, value: 2}, {workload: b, value: 8}, {workload: "
                                  "geomean, value: 4}"),
                          points);
  EXPECT_NEAR(row.value.number.value(), 4, 1e-12);  // sqrt(2 * 8)
  EXPECT_TRUE(row.pass);
}

TEST(Judge, AGeometricMeanIsOverTheNetworksThatTheCheckNames) {
  SimulatedPoints points;
  simulate(points, "a", {2, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  simulate(points, "b", {8, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  auto const row = judged(
      "metric: speedup, baseline: {planner: dp}, tolerance: 1 %, networks: [a, b], cases: "
      "[{workload: geomean, value: 4}]",
      points);
  EXPECT_NEAR(row.value.number.value(), 4, 1e-12);
}

TEST(Judge, ChoicesCountTheCellsThatDiffer) {
  SimulatedPoints points;
  simulate(points, "net", {}, {});
  points[{"net", "array", "hypar", {}}].details.levels = {
      {1, {{"conv1", "I"}, {"fc1", "II"}}, {}, 0, 0},
      {2, {{"conv1", "I"}, {"fc1", "I"}}, {}, 0, 0}};
  auto const check = [](std::string const& value) {
    return "metric: choices, tolerance: exact, cases: [{workload: net, value: " + value + "}]";
  };
  EXPECT_TRUE(judged(check("01 00"), points).pass);
  EXPECT_EQ(judged(check("11 10"), points).error, 2);
  EXPECT_FALSE(judged(check("01"), points).pass);
}

TEST(Judge, AtLeastHasNoUpperEnd) {
  SimulatedPoints points;
  simulate(points, "net", {10, 0, 0, 0, ""}, {1, 0, 0, 0, ""});
  EXPECT_TRUE(judged(speedup("at least", "{workload: net, value: 3}"), points).pass);
  EXPECT_TRUE(judged(speedup("at least", "{workload: net, value: 10}"), points).pass);
  EXPECT_FALSE(judged(speedup("at least", "{workload: net, value: 11}"), points).pass);
}

TEST(Judge, AKnownDeviationPassesUntilItDisappears) {
  SimulatedPoints points;
  simulate(points, "net", {3, 0, 0, 0, ""}, {2, 0, 0, 0, ""});
  EXPECT_TRUE(judged(speedup("1 %", "{workload: net, value: 9, deviation: D1}"), points).pass);
  EXPECT_FALSE(judged(speedup("1 %", "{workload: net, value: 1.5, deviation: D1}"), points).pass);
}

TEST(References, ACaseMayHaveItsOwnPlannerAndSettings) {
  auto const file = read(
      "metric: speedup, baseline: {set: [arch.accelerators=1]}, tolerance: 1 %, cases: "
      "[{workload: net, planner: dp, set: [arch.accelerators=4], value: 3.5}]");
  auto const& reference = file.references.front();
  EXPECT_EQ(reference.title, "net, dp, arch.accelerators=4");
  EXPECT_EQ(reference.points.front().settings.front(), "arch.accelerators=4");
  EXPECT_EQ(reference.baselines.front().planner, "dp");
  EXPECT_EQ(reference.baselines.front().settings.front(), "arch.accelerators=1");
}

TEST(References, ABaselineMayBeAnotherArray) {
  auto const file = read(
      "metric: speedup, baseline: {arch: half}, tolerance: at least, cases: [{workload: net, "
      "value: 1}]");
  auto const& reference = file.references.front();
  EXPECT_EQ(reference.title, "net, hypar, against half");
  EXPECT_EQ(reference.points.front().arch, "array");
  EXPECT_EQ(reference.baselines.front().arch, "half");
  EXPECT_EQ(reference.baselines.front().planner, "hypar");
}

TEST(References, WhatIsNoReferenceIsRefused) {
  EXPECT_THAT(problem_of(speedup("about 3", "{workload: net, value: 1}")),
              HasSubstr("'about 3' is no tolerance"));
  EXPECT_THAT(problem_of(speedup("-1 %", "{workload: net, value: 1}")),
              HasSubstr("is no tolerance"));
  EXPECT_THAT(problem_of(speedup("1 %", "{workload: net, value: many}")), HasSubstr("many"));
  EXPECT_THAT(problem_of(speedup("1 %", "{workload: net, vale: 1}")), HasSubstr("value"));
  EXPECT_THAT(problem_of("metric: spedup, tolerance: exact, cases: []"),
              HasSubstr("did you mean 'speedup'?"));
}

TEST(References, EveryBuiltInFileCanBeRead) {
  ASSERT_FALSE(builtin_references().empty());
  for (auto const& suite : builtin_references()) {
    EXPECT_FALSE(load_references(suite).references.empty()) << suite;
  }
}

}  // namespace
}  // namespace tessera::sim

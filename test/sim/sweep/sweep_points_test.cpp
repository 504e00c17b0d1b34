// Which points a sweep's file means.
#include "sim/sweep/sweep_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "test/support/error_message.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepSpec spec_of(std::string const& text) {
  return sweep_from(read_config_text("schema: tessera.sweep/1\nname: test\n" + text, "s.yaml"));
}

/// "planner=dp steps=2", a line each.
std::vector<std::string> point_lines(std::string const& text) {
  std::vector<std::string> lines;
  for (auto const& point : points_of(spec_of(text))) {
    std::string line;
    for (auto const& setting : point) {
      line += (line.empty() ? "" : " ") + setting.key + "=" + text_of(setting);
    }
    lines.push_back(line);
  }
  return lines;
}

std::string points_problem(std::string const& text) {
  return test::error_message([&] { return point_lines(text); });
}

TEST(SweepPoints, AreEveryCombinationTheLastAxisFastest) {
  EXPECT_THAT(point_lines("axes: {planner: [dp, mp], steps: [1, 2]}"),
              ElementsAre("planner=dp steps=1", "planner=dp steps=2", "planner=mp steps=1",
                          "planner=mp steps=2"));
}

TEST(SweepPoints, HaveOptionsInFrontAndKeysThatVaryTogether) {
  EXPECT_THAT(
      point_lines("options: {arch: hypar-paper}\n"
                  "zip: [{planner: [dp, mp], steps: [1, 2]}]"),
      ElementsAre("arch=hypar-paper planner=dp steps=1", "arch=hypar-paper planner=mp steps=2"));
}

TEST(SweepPoints, DeriveKeysFromOthersInWhateverOrderTheyAreWritten) {
  EXPECT_THAT(
      point_lines("axes: {arch.accelerators: [4, 8]}\n"
                  "derive: {steps: workload.batch / 32, workload.batch: 16 * arch.accelerators}"),
      ElementsAre("arch.accelerators=4 workload.batch=64 steps=2",
                  "arch.accelerators=8 workload.batch=128 steps=4"));
}

TEST(SweepPoints, AreThoseThatConditionsLetThroughAndOthersThatAreNamed) {
  EXPECT_THAT(point_lines("axes: {planner: [dp, mp], steps: [1, 2, 3]}\n"
                          "where: [planner == 'dp' or steps > 1]\n"
                          "exclude: [{planner: dp, steps: 2}]\n"
                          "include: [{planner: hypar}]"),
              ElementsAre("planner=dp steps=1", "planner=dp steps=3", "planner=mp steps=2",
                          "planner=mp steps=3", "planner=hypar"));
}

TEST(SweepPoints, ThatAreIncludedHaveTheOptionsThatTheyDoNotSetThemselves) {
  auto const options = std::string{
      "options: {arch: a, arch.accelerators: 4, planner: dp, arch.energy: {add: 1}, steps: 2}\n"};
  EXPECT_THAT(
      point_lines(options + "include: [{workload: w}, {steps: 3}, {arch: b}]"),
      ElementsAre("arch=a arch.accelerators=4 planner=dp arch.energy={add: 1} steps=2 workload=w",
                  "arch=a arch.accelerators=4 planner=dp arch.energy={add: 1} steps=3",
                  "arch.accelerators=4 planner=dp arch.energy={add: 1} steps=2 arch=b"));
  EXPECT_THAT(
      point_lines(options + "include: [{plan: p.yaml}, {arch.energy.add: 2}]"),
      ElementsAre(
          "arch=a arch.accelerators=4 arch.energy={add: 1} steps=2 plan=p.yaml",
          "arch=a arch.accelerators=4 planner=dp arch.energy={add: 1} steps=2 arch.energy.add=2"));
  EXPECT_THAT(point_lines("options: {arch.energy.add: 1, plan: p}\n"
                          "include: [{arch.energy: {add: 2}, planner: dp}]"),
              ElementsAre("arch.energy={add: 2} planner=dp"));
}

TEST(SweepPoints, HaveListsAndMapsAsValues) {
  EXPECT_THAT(
      point_lines("axes: {arch.fabric.topology.shape: [[2, 2], [4, 1]]}"),
      ElementsAre("arch.fabric.topology.shape=[2, 2]", "arch.fabric.topology.shape=[4, 1]"));
}

TEST(SweepPoints, OfRangesKeepTheirUnit) {
  EXPECT_THAT(point_lines("axes: {steps: {from: 4, to: 32, factor: 2}}"),
              ElementsAre("steps=4", "steps=8", "steps=16", "steps=32"));
  EXPECT_THAT(
      point_lines("axes: {arch.fabric.link.bandwidth: {from: 0.1 Gb/s, to: 0.4 Gb/s, step: 0.1}}"),
      ElementsAre("arch.fabric.link.bandwidth=0.1 Gb/s", "arch.fabric.link.bandwidth=0.2 Gb/s",
                  "arch.fabric.link.bandwidth=0.3 Gb/s", "arch.fabric.link.bandwidth=0.4 Gb/s"));
  EXPECT_THAT(point_lines("axes: {steps: {from: 1, to: 5, count: 3}}"),
              ElementsAre("steps=1", "steps=3", "steps=5"));
  EXPECT_THAT(point_lines("axes: {steps: {from: 1, to: 1000, count: 4, scale: log}}"),
              ElementsAre("steps=1", "steps=10", "steps=100", "steps=1000"));
}

TEST(SweepPoints, OfARandomSampleAreSoManyInTheOrderOfTheFileTheSameForASeed) {
  auto const text = [](std::string const& seed) {
    return "axes: {steps: {from: 1, to: 1000, step: 1}}\nsample: {points: 20, seed: " + seed + "}";
  };
  auto const sample = point_lines(text("1"));
  EXPECT_EQ(sample.size(), 20U);
  EXPECT_EQ(std::set<std::string>(sample.begin(), sample.end()).size(), 20U);
  EXPECT_EQ(point_lines(text("1")), sample);
  EXPECT_NE(point_lines(text("2")), sample);
}

TEST(SweepPoints, OfALatinHypercubeTakeEveryValueEquallyOften) {
  auto const sample = point_lines(
      "axes: {steps: {from: 1, to: 10, step: 1}, planner.micro_batches: [1, 2, 3, 4, 5]}\n"
      "sample: {points: 10, seed: 3, method: latin-hypercube}");
  EXPECT_EQ(sample.size(), 10U);
  std::map<std::string, int> times;
  for (auto const& point : sample) {
    auto const blank = point.find(' ');
    ++times[point.substr(0, blank)];
    ++times[point.substr(blank + 1)];
  }
  for (auto const& [setting, count] : times) {
    EXPECT_EQ(count, setting.substr(0, 5) == "steps" ? 1 : 2) << setting;
  }
}

TEST(SweepPoints, ThatAreTooManyAreRefusedBeforeTheyAreCounted) {
  auto const thousand = "{from: 1, to: 1000, step: 1}";
  EXPECT_THAT(points_problem(std::string{"axes: {steps: "} + thousand + ", planner.a: " + thousand +
                             ", planner.b: " + thousand + "}"),
              HasSubstr("s.yaml:3:7: more than 20000000 combinations"));
  EXPECT_THAT(points_problem("axes: {steps: {from: 1, to: 1e12, step: 1}}"),
              HasSubstr("more than 1000000 values"));
}

TEST(SweepPoints, ThatCannotBeAreRefusedWithTheirPlace) {
  auto const expect = [](std::string const& text, std::string const& problem) {
    EXPECT_THAT(points_problem(text), HasSubstr(problem)) << text;
  };
  expect("axes: {planer: [dp]}",
         "s.yaml:3:16: axes.planer: unknown key 'planer'; did you mean 'planner'?");
  expect("axes: {arhc.accelerators: [4]}", "unknown key 'arhc.accelerators'");
  expect("axes: {planner: dp}", "axes.planner: expected a list");
  expect("axes: {planner: []}", "has no value");
  expect("axes: {planner: [dp]}\noptions: {planner: mp}", "is set here and before");
  expect("axes: {steps: [1]}\nderive: {steps: 2 * 2}", "is set here and before");
  expect("zip: [{planner: [dp, mp], steps: [1]}]", "has 1 values and planner beside it 2");
  expect("axes: {steps: [1]}\nderive: {planner.a: planner.b, planner.b: planner.a}",
         "needs itself");
  expect("axes: {steps: [1]}\nwhere: [stps > 1]", "unknown key 'stps'; did you mean 'steps'?");
  expect("axes: {steps: [1]}\nwhere: [steps]", "a condition is true or false");
  expect("axes: {steps: [1]}\nwhere: [steps > 1]", "s.yaml:3:7: sweep test has no point");
  expect("axes: {steps: {from: 1, to: 5}}", "missing");
  expect("axes: {steps: {from: 5, to: 1, step: 1}}", "is below from");
  expect("axes: {steps: {from: 1 ns, to: 5 us, step: 1}}", "has another unit than from");
  expect("axes: {steps: {from: 1 ns, to: 5 ns, step: 1 us}}", "step: has another unit than from");
  expect("axes: {steps: {from: 0, to: 5, factor: 2}}", "a factor is above 1");
  expect("axes: {steps: [1]}\nsample: {points: 2}",
         "s.yaml:4:18: sample.points: asks for 2 of 1 points");
  expect("axes: {steps: [1]}\nsample: {points: 1, sed: 2}", "sed");
  expect("axes: {steps: [1]}\nresults: {a: b, b: a}", "needs itself");
  expect("axis: {steps: [1]}", "axis");
}

TEST(SweepPoints, OfKeysThatHideOneAnotherAreRefused) {
  auto const problem = [](std::string const& text) { return points_problem(text); };
  auto const is_inside =
      "s.yaml:3:50: arch.fabric.link: is inside of arch.fabric, which is set too";
  EXPECT_THAT(problem("axes: {arch.fabric: [{a: 1}], arch.fabric.link: [2]}"),
              HasSubstr(is_inside));
  EXPECT_THAT(problem("axes: {arch.fabric.link.bandwidth: [2], arch.fabric: [{a: 1}]}"),
              HasSubstr("arch.fabric.link.bandwidth: is inside of arch.fabric"));
  EXPECT_THAT(problem("axes: {arch.fabric: [{a: 1}]}\noptions: {arch.fabric.link: 2}"),
              HasSubstr("s.yaml:4:29: arch.fabric.link: is inside of arch.fabric"));
  EXPECT_THAT(problem("options: {arch.fabric.link: 2, arch.fabric: {a: 1}}"),
              HasSubstr("arch.fabric.link: is inside of arch.fabric"));
  EXPECT_THAT(problem("axes: {steps: [1]}\nzip: [{steps: [2]}]"),
              HasSubstr("is set here and before"));
  EXPECT_THAT(point_lines("options: {arch: x, arch.fabric: {a: 1}}\naxes: {arch.fabric.link: [2]}"),
              ElementsAre("arch=x arch.fabric={a: 1} arch.fabric.link=2"));
  EXPECT_THAT(point_lines("axes: {arch.fabric: [1], arch.fabric_link: [2]}"),
              ElementsAre("arch.fabric=1 arch.fabric_link=2"));
}

TEST(SweepPoints, OfResultsThatAreNoColumnsOrHideOneAreRefused) {
  auto const axes = std::string{"axes: {steps: [1]}\ninclude: [{workload.batch: 4}]\nresults: "};
  auto const results_problem = [](std::string const& text) {
    return test::error_message([&] { check_results(spec_of(text)); });
  };
  EXPECT_THAT(results_problem(axes + "{edp: enrgy_j * time_s}"),
              HasSubstr("s.yaml:5:16: unknown column 'enrgy_j'; did you mean 'energy_j'?"));
  EXPECT_THAT(results_problem(axes + "{time_s: energy_j * 2}"),
              HasSubstr("time_s: is a column already; call it something else"));
  EXPECT_THAT(results_problem(axes + "{steps: energy_j * 2}"), HasSubstr("is a column already"));
  EXPECT_THAT(results_problem(axes + "{point_wall_s: 1}"), HasSubstr("is a column already"));
  EXPECT_NO_THROW(
      check_results(spec_of(axes + "{a: b * workload.batch / samples_per_s, b: 2 * steps}")));
  EXPECT_EQ(point_lines(axes + "{a: b * workload.batch / samples_per_s, b: 2 * steps}").size(), 2U);
}

}  // namespace
}  // namespace tessera::sim

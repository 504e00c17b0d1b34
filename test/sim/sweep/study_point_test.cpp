// Who a point is.
#include "sim/sweep/study_point.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "arch/array/load.hpp"
#include "test/support/error_message.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;

std::vector<StudyPoint> study_points(std::string const& axes) {
  auto const spec = sweep_from(
      read_config_text("schema: tessera.sweep/1\nname: test\naxes: {" + axes + "}", "s.yaml"));
  return resolved(points_of(spec)).points;
}

std::string id_of(std::string const& axes) { return study_points(axes).at(0).id; }

std::string resolving_problem(std::string const& axes) {
  return test::error_message([&] { return study_points(axes); });
}

std::string const lenet = "workload: [hypar/lenet-c], arch: [hypar-paper], planner: [hypar]";

// A change of these makes all finished studies stale: it needs a reason.
TEST(StudyPoint, HasAnIdThatStays) {
  EXPECT_EQ(id_of(lenet), "6221ccbfcacf193f");
  EXPECT_EQ(id_of(lenet + ", steps: [3]"), "242c3eadb4f084fd");
  EXPECT_EQ(id_of("workload: [accpar/resnet-18], arch: [accpar-paper-256], planner: [accpar], "
                  "workload.batch: [1024]"),
            "58dbd15374e7acad");
}

TEST(StudyPoint, IsAnotherOneWithAnotherInput) {
  std::set<std::string> const ids = {
      id_of(lenet),
      id_of(lenet + ", workload.batch: [512]"),
      id_of(lenet + ", steps: [2]"),
      id_of(lenet + ", arch.fabric.link.bandwidth: [32 Gb/s]"),
      id_of(lenet + ", planner.inter_layer: [as_evaluated]"),
      id_of("workload: [hypar/lenet-c], arch: [hypar-paper], planner: [dp]")};
  EXPECT_EQ(ids.size(), 6U);
}

TEST(StudyPoint, IsTheSameHoweverItsInputsAreWritten) {
  auto const same = study_points(lenet + ", arch.accelerators: [16]");
  EXPECT_EQ(same.at(0).id, id_of(lenet));  // that is what the preset has
  EXPECT_EQ(id_of(lenet + ", steps: [1]"), id_of(lenet));
  EXPECT_EQ(id_of(lenet + ", arch.description: [words]"), id_of(lenet));
  EXPECT_EQ(study_points(lenet + ", arch.accelerators: [16, 16]").size(), 1U);
}

TEST(StudyPoint, LeavesDefaultsOut) {
  auto const array = arch::load("hypar-paper");
  auto const whole = write_config(arch::to_config(array));
  auto const shorter = write_config(without_defaults(array));
  EXPECT_LT(shorter.size(), whole.size());
  auto again = arch::array_from(read_config_text(shorter, "shorter"));
  again.description = array.description;
  EXPECT_EQ(write_config(arch::to_config(again)), whole);
}

TEST(StudyPoint, BlamesTheValueInTheSweep) {
  EXPECT_THAT(resolving_problem("workload: [hypar/lenet], arch: [hypar-paper], planner: [dp]"),
              HasSubstr("s.yaml:3:19: workload: unknown network 'hypar/lenet'"));
  EXPECT_THAT(resolving_problem(lenet + ", arch.fabric.link.bandwidht: [1 Gb/s]"),
              HasSubstr("s.yaml:3:103: "));
  EXPECT_THAT(resolving_problem(lenet + ", arch.fabric.link.bandwidth: [1 Gb/s, 1 ns]"),
              HasSubstr("s.yaml:3:111: fabric.link.bandwidth: "));
  EXPECT_THAT(resolving_problem(lenet + ", planner.ratio: [equal]"), HasSubstr("s.yaml:3:"));
  EXPECT_THAT(resolving_problem("workload: [hypar/lenet-c], arch: [hypar-paper], planner: [hypr]"),
              HasSubstr("did you mean 'hypar'"));
  EXPECT_THAT(resolving_problem("arch: [hypar-paper], planner: [dp]"),
              HasSubstr("a point has no workload"));
  EXPECT_THAT(resolving_problem(lenet + ", steps: [0]"), HasSubstr("a run has at least 1 step"));
}

}  // namespace
}  // namespace tessera::sim

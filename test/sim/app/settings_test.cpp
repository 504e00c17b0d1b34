// How `--set` is split.
#include "sim/app/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/load.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of(std::string const& assignment) {
  try {
    static_cast<void>(split_settings({assignment}));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Settings, GoToWhoTheirPrefixNames) {
  auto const settings = split_settings(
      {"workload.batch=512", "arch.fabric.link.bandwidth=2 GB/s", "planner.inter_layer=printed"});
  EXPECT_THAT(settings.workload, ElementsAre("batch=512"));
  EXPECT_THAT(settings.arch, ElementsAre("fabric.link.bandwidth=2 GB/s"));
  EXPECT_THAT(settings.planner, ElementsAre("inter_layer=printed"));
}

TEST(SolverOptionsOf, TakesSettingsBeforeTheArraysFile) {
  using InterLayer = partition::SolverOptions::InterLayer;
  auto const array = arch::load("accpar-released");
  EXPECT_EQ(solver_options_of(array, {}).inter_layer, InterLayer::printed);
  auto const changed =
      solver_options_of(array, split_settings({"planner.inter_layer=as_evaluated"}));
  EXPECT_EQ(changed.inter_layer, InterLayer::as_evaluated);
  EXPECT_EQ(changed.compute, partition::SolverOptions::Compute::ignored);
}

TEST(Settings, KeepWhatIsBehindTheFirstEqualsSign) {
  EXPECT_THAT(split_settings({"arch.name=a=b"}).arch, ElementsAre("name=a=b"));
}

TEST(Settings, AnUnknownPrefixNamesTheNearest) {
  EXPECT_THAT(problem_of("wrkload.batch=1"), HasSubstr("did you mean 'workload'?"));
}

TEST(Settings, ThatAreIncompleteAreRefused) {
  EXPECT_THAT(problem_of("arch.fabric"), HasSubstr("no value"));
  EXPECT_THAT(problem_of("arch=1"), HasSubstr("no key"));
  EXPECT_THAT(problem_of("arch.=1"), HasSubstr("no key"));
  EXPECT_THAT(problem_of("=1"), HasSubstr("unknown prefix"));
  EXPECT_THAT(problem_of(""), HasSubstr("no value"));
}

}  // namespace
}  // namespace tessera::sim

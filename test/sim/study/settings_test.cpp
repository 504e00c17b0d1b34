// How `--set` is split.
#include "sim/study/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"

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

/// The planners' options on an array, each as "key=value"; or what is wrong with them.
std::vector<std::string> options(std::string const& array, std::vector<std::string> const& settings,
                                 std::vector<std::string> const& planners) {
  std::vector<std::string> all;
  try {
    auto const read = planner_options(arch::load(array), split_settings(settings), planners, {});
    for (auto const& [key, value] : read.entries()) {
      if (value.kind() == ConfigNode::Kind::scalar) all.push_back(key + "=" + value.text());
    }
  } catch (ConfigError const& error) {
    all.emplace_back(error.what());
  }
  return all;
}

TEST(PlannerSettings, ComeBeforeTheArraysFile) {
  EXPECT_THAT(options("accpar-released", {}, {"hypar"}),
              ElementsAre("compute=ignored", "fit=ignore", "inter_layer=printed"));
  EXPECT_THAT(options("accpar-released", {"planner.inter_layer=as_evaluated"}, {"hypar"}),
              ElementsAre("compute=ignored", "fit=ignore", "inter_layer=as_evaluated"));
}

// The symptom: `plan -p dp --set planner.coarsening=none` planned as if nothing were set.
TEST(PlannerSettings, ThatThePlannerDoesNotReadAreRefused) {
  EXPECT_THAT(options("hypar-paper", {"planner.coarsening=none"}, {"dp"}),
              ElementsAre("--set planner.coarsening: planner.coarsening: is not an option of dp "
                          "(but of tofu, auto); options of dp: fit"));
  EXPECT_THAT(options("hypar-paper", {"planner.ratio=equal"}, {"exhaustive"}),
              ElementsAre(HasSubstr("is not an option of exhaustive (but of accpar, auto)")));
  EXPECT_THAT(
      options("hypar-paper", {"planner.ratio=equal", "planner.oracle_of=accpar"}, {"exhaustive"}),
      ElementsAre("fit=ignore", "ratio=equal", "oracle_of=accpar"));
  EXPECT_THAT(options("hypar-paper", {"planner.shortcut_spans.hypar/sfc=2"}, {"dp"}),
              ElementsAre(HasSubstr("is not an option of dp (but of accpar, auto)")));
}

TEST(PlannerSettings, HaveToBeReadByOneOfSeveralPlanners) {
  EXPECT_THAT(options("hypar-paper", {"planner.coarsening=none"}, {"dp", "tofu"}),
              ElementsAre("fit=ignore", "coarsening=none"));
  EXPECT_THAT(options("hypar-paper", {"planner.errors=tied"}, {"dp", "tofu"}),
              ElementsAre(HasSubstr("is not an option of dp, tofu (but of soybean, auto)")));
}

TEST(PlannerSettings, OfAPlanThatIsGivenAreWhatLooksAtAllPlans) {
  EXPECT_THAT(options("hypar-paper", {"planner.fit=reject"}, {}), ElementsAre("fit=reject"));
  EXPECT_THAT(
      options("hypar-paper", {"planner.errors=tied"}, {}),
      ElementsAre(HasSubstr("is not an option of a plan that is given (but of soybean, auto)")));
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

std::vector<std::string> texts_of(std::vector<SettingsChoice> const& choices) {
  std::vector<std::string> texts;
  for (auto const& [assignments, varied] : choices) {
    std::string text;
    for (auto const& assignment : assignments) text += assignment + ";";
    for (auto const& [key, value] : varied) text += " " + key + " is " + value;
    texts.push_back(text);
  }
  return texts;
}

TEST(Choices, AreEveryCombinationAndTheLastVariesFastest) {
  EXPECT_EQ(texts_of(choices_of({"a=1,2", "b=x", "c=3, 4"})),
            (std::vector<std::string>{"a=1;b=x;c=3; a is 1 c is 3", "a=1;b=x;c=4; a is 1 c is 4",
                                      "a=2;b=x;c=3; a is 2 c is 3", "a=2;b=x;c=4; a is 2 c is 4"}));
  EXPECT_EQ(texts_of(choices_of({})), std::vector<std::string>{""});
}

TEST(Choices, LeaveCommasInsideOfAValueAlone) {
  EXPECT_EQ(texts_of(choices_of({"a={x: 1, y: [2, 3]}", "b=\"one, two\"", "c=[4, 4],[2, 8]"})),
            (std::vector<std::string>{"a={x: 1, y: [2, 3]};b=\"one, two\";c=[4, 4]; c is [4, 4]",
                                      "a={x: 1, y: [2, 3]};b=\"one, two\";c=[2, 8]; c is [2, 8]"}));
}

TEST(Choices, WithoutAValueOrWithTooManyAreRefused) {
  EXPECT_THROW(static_cast<void>(choices_of({"a=1,,2"})), ConfigError);
  EXPECT_THROW(static_cast<void>(choices_of({"a=1,"})), ConfigError);
  std::vector<std::string> const many(14, "a=1,2");
  EXPECT_THROW(static_cast<void>(choices_of(many)), ConfigError);
}

}  // namespace
}  // namespace tessera::sim

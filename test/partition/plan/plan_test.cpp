#include "partition/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using testing::HasSubstr;
using workloads::Dim;
using workloads::OperatorId;

struct Lenet {
  workloads::Network network = workloads::load("hypar/lenet-c");
  arch::ArraySpec array = arch::load("hypar-paper");

  [[nodiscard]] Plan solved(std::string const& planner) const {
    return make_planner(planner)->solve({network, array});
  }
  [[nodiscard]] std::string text() const {
    return write_config(to_config(solved("hypar"), network));
  }
  [[nodiscard]] Plan read(std::string const& text) const {
    return plan_from(read_config_text(text, "plan.yaml"), network, array);
  }
  [[nodiscard]] std::string error_of(std::string text, std::string const& old,
                                     std::string const& replacement) const {
    auto const at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), replacement);
    try {
      static_cast<void>(read(text));
    } catch (ConfigError const& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST(Plan, ReadsBackWhatItWrote) {
  Lenet const lenet;
  std::mt19937_64 random{7};
  for (int round = 0; round < 20; ++round) {
    auto plan = test::random_plan(lenet.network, lenet.array, random);
    plan.predicted = Prediction{0.1 / 3, Bytes{123'456'789}, 1e-9 / 7, 0, {}};
    plan.splits[OperatorId{1}][2] = std::nullopt;
    auto const back = lenet.read(write_config(to_config(plan, lenet.network)));
    for (auto const op : lenet.network.operators().ids()) {
      EXPECT_EQ(back.splits[op], plan.splits[op]);
    }
    EXPECT_EQ(back.planner, plan.planner);
    EXPECT_EQ(back.predicted->time_s, plan.predicted->time_s);
    EXPECT_EQ(back.predicted->communication, plan.predicted->communication);
    EXPECT_EQ(back.predicted->energy_j, plan.predicted->energy_j);
  }
}

TEST(Plan, ReadsBackRatiosExactly) {
  Lenet const lenet;
  std::mt19937_64 random{8};
  auto plan = test::random_plan(lenet.network, lenet.array, random);
  test::unbalance(plan, random);
  plan.splits[OperatorId{0}][0] = Split{Dim::n, 1.0 / 3};
  ASSERT_TRUE(unevenly_split(plan));
  auto const back = lenet.read(write_config(to_config(plan, lenet.network)));
  for (auto const op : lenet.network.operators().ids()) EXPECT_EQ(back.splits[op], plan.splits[op]);
}

TEST(Plan, SaysHowFarFromTheOptimumItMayBeOnlyWhereItIsNotProvenOptimal) {
  Lenet const lenet;
  std::mt19937_64 random{9};
  auto plan = test::random_plan(lenet.network, lenet.array, random);
  EXPECT_EQ(write_config(to_config(plan, lenet.network)).find("optimality_gap"), std::string::npos);
  plan.optimality_gap = optimality_gap(3, 2);
  auto const back = lenet.read(write_config(to_config(plan, lenet.network)));
  EXPECT_EQ(back.optimality_gap, 1.0 / 3);
}

TEST(Plan, RejectsOptimalityGapsThatAreNone) {
  Lenet const lenet;
  std::mt19937_64 random{9};
  auto plan = test::random_plan(lenet.network, lenet.array, random);
  for (double const gap : {1.5, std::numeric_limits<double>::quiet_NaN()}) {
    plan.optimality_gap = gap;
    EXPECT_THROW(static_cast<void>(lenet.read("optimality_gap: " + std::to_string(gap) + "\n" +
                                              write_config(to_config(plan, lenet.network)))),
                 ConfigError)
        << gap;
  }
}

TEST(Plan, OptimalityGapIsThePartOfTheCostAboveTheBound) {
  EXPECT_EQ(optimality_gap(4, 4), 0);
  EXPECT_EQ(optimality_gap(4, 3), 0.25);
  EXPECT_EQ(optimality_gap(4, 0), 1);
  EXPECT_EQ(optimality_gap(0, 0), 0);
}

TEST(Plan, RejectsSharesThatAreNone) {
  Lenet const lenet;
  auto const error = [&](std::string const& entry) {
    return lenet.error_of(lenet.text(), "conv1: [n", "conv1: [" + entry);
  };
  EXPECT_EQ(error("{n: 0.25}"), "no error");
  EXPECT_THAT(error("{n: 0}"), HasSubstr("use more than 0 and less than 1"));
  EXPECT_THAT(error("{n: 1}"), HasSubstr("use more than 0 and less than 1"));
  EXPECT_THAT(error("{n: half}"), HasSubstr("plan.yaml:"));
  EXPECT_THAT(error("{\"-\": 0.5}"), HasSubstr("what is not split has no share"));
  EXPECT_THAT(error("{n: 0.5, c: 0.5}"), HasSubstr("one with a share"));
}

TEST(Plan, HasUnequalSharesOnlyBetweenHalves) {
  Lenet lenet;
  lenet.array = arch::load("hypar-paper", {"accelerators=6"});
  lenet.network = workloads::load("hypar/lenet-c", {"batch=36"});
  auto plan = lenet.solved("dp");
  plan.splits[OperatorId{0}][1] = Split{Dim::n, 0.25};
  EXPECT_NO_THROW(validate(plan, lenet.network, lenet.array));
  plan.splits[OperatorId{0}][0] = Split{Dim::n, 0.25};
  try {
    validate(plan, lenet.network, lenet.array);
    FAIL();
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("groups have 3 parts (only halves may be unequal)"));
  }
}

TEST(Plan, NamesTheOperatorThatTheNetworkLacks) {
  Lenet const lenet;
  EXPECT_THAT(lenet.error_of(lenet.text(), "conv1:", "conv9:"), HasSubstr("conv"));
}

TEST(Plan, RejectsAnUnknownDimension) {
  Lenet const lenet;
  EXPECT_THAT(lenet.error_of(lenet.text(), "conv1: [n", "conv1: [q"),
              HasSubstr("unknown dimension 'q'"));
}

TEST(Plan, RejectsADimensionThatTheOperatorCannotSplitWhereItStands) {
  Lenet const lenet;
  auto const error = lenet.error_of(lenet.text(), "conv1: [n", "conv1: [r");
  EXPECT_THAT(error, HasSubstr("'conv1' cannot be split over 'r'"));
  EXPECT_THAT(error, HasSubstr("use one of: n, k"));
  EXPECT_THAT(error, HasSubstr(":8:11: "));
}

TEST(Plan, RejectsALevelTooFew) {
  Lenet const lenet;
  EXPECT_THAT(lenet.error_of(lenet.text(), "conv1: [n, ", "conv1: ["),
              HasSubstr("operators.conv1: has 3 levels, but the 16 accelerators have 4"));
}

TEST(Plan, ForAnotherNetworkSaysForWhich) {
  Lenet const lenet;
  auto const sfc = workloads::load("hypar/sfc");
  try {
    static_cast<void>(plan_from(read_config_text(lenet.text(), "plan.yaml"), sfc, lenet.array));
    FAIL();
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("the plan is for 'hypar/lenet-c'"));
    EXPECT_THAT(error.what(), HasSubstr("plan.yaml:3:"));
  }
}

TEST(Plan, ForAnotherBatchOrSizeIsRefused) {
  Lenet const lenet;
  EXPECT_THAT(lenet.error_of(lenet.text(), "batch: 256", "batch: 128"),
              HasSubstr(":5:8: batch: made for batch 128, not for 256; plan anew"));
  EXPECT_THAT(lenet.error_of(lenet.text(), "accelerators: 16", "accelerators: 8"),
              HasSubstr(":6:15: accelerators: made for 8 accelerators, not for 16; plan anew"));
}

TEST(Plan, AWrongShareIsRefusedWhereItsOperatorStands) {
  Lenet const lenet;
  EXPECT_THAT(lenet.error_of(lenet.text(), "conv2: [n", "conv2: [{n: 1}"),
              HasSubstr(":9:10: operators.conv2: operator 'conv2' gives a half the share 1.0"));
}

TEST(Plan, DataParallelismNeedsABatchThatDivides) {
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  auto const solve = [&](std::string const& batch) {
    auto const network = workloads::load("hypar/lenet-c", {"batch=" + batch});
    return make_planner("dp")->solve({network, array});
  };
  EXPECT_NO_THROW(static_cast<void>(solve("104")));
  try {
    static_cast<void>(solve("100"));
    FAIL();
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("batch 100 is not divisible by 8"));
  }
}

TEST(Plan, TypesAreNamedAsInAccPar) {
  EXPECT_EQ(type_name(Dim::n), "I");
  EXPECT_EQ(type_name(Dim::c), "II");
  EXPECT_EQ(type_name(Dim::k), "III");
  EXPECT_EQ(type_name(std::nullopt), "-");
}

}  // namespace
}  // namespace tessera::partition

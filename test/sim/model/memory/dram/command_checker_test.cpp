// The checker must be able to fail: whatever constraint a channel does not keep, it finds.
#include "test/support/memory/command_checker.hpp"

#include <gtest/gtest.h>

#include "test/support/memory/run_result.hpp"

namespace tessera::test {

namespace {

using arch::DramTiming;

struct Loosened {
  char const* name;
  std::int64_t DramTiming::*parameter;
  char const* complaint;
};

class LoosenedConstraint : public testing::TestWithParam<Loosened> {};

/// A channel that knows a parameter as one clock (tFAW: four clocks) less than it is, in a memory
/// where each constraint is the tightest one in some situation.
TEST_P(LoosenedConstraint, IsFound) {
  auto const& [name, parameter, complaint] = GetParam();
  auto real = arch::load_dram("hbm2", {"policy.scheduler=frfcfs", "policy.starvation_cap=500"});
  real.timing.tRC += 2;
  real.timing.tRRD_L += 1;
  real.timing.tCCD_S = 3;  // more than the data bus demands
  real.timing.tFAW = 24;
  real.organization.ranks = 2;
  real.policy.refresh_stagger = real.timing.tREFI / 2;
  auto believed = real;
  believed.timing.*parameter -= parameter == &DramTiming::tFAW ? 4 : 1;
  for (auto* const spec : {&real, &believed}) {
    spec->policy.page = parameter == &DramTiming::tRC ? arch::DramPolicy::Page::closed
                                                      : arch::DramPolicy::Page::open;
  }
  TrafficShape const shape{1, 3, 0, 45, 40, 2};
  auto const run = run_channel(believed, random_traffic(real, shape, 3000, 5));
  EXPECT_EQ(violations(believed, run.commands), std::vector<std::string>{});
  std::size_t found = 0;
  for (auto const& line : violations(real, run.commands)) {
    if (line.find(complaint) != std::string::npos) ++found;
  }
  EXPECT_GT(found, 0U);
}

INSTANTIATE_TEST_SUITE_P(Of, LoosenedConstraint,
                         testing::Values(Loosened{"tRCD", &DramTiming::tRCD, "tRCD"},
                                         Loosened{"tRCDWR", &DramTiming::tRCDWR, "tRCDWR"},
                                         Loosened{"tRP", &DramTiming::tRP, "tRP"},
                                         Loosened{"tRAS", &DramTiming::tRAS, "tRAS"},
                                         Loosened{"tRC", &DramTiming::tRC, "tRC"},
                                         Loosened{"tCCD_S", &DramTiming::tCCD_S, "tCCD_S"},
                                         Loosened{"tCCD_L", &DramTiming::tCCD_L, "tCCD_L"},
                                         Loosened{"tRRD_S", &DramTiming::tRRD_S, "tRRD_S"},
                                         Loosened{"tRRD_L", &DramTiming::tRRD_L, "tRRD_L"},
                                         Loosened{"tFAW", &DramTiming::tFAW, "tFAW"},
                                         Loosened{"tWR", &DramTiming::tWR, "tWR"},
                                         Loosened{"tWTR_S", &DramTiming::tWTR_S, "tWTR_S"},
                                         Loosened{"tWTR_L", &DramTiming::tWTR_L, "tWTR_L"},
                                         Loosened{"tRTP", &DramTiming::tRTP, "tRTP"},
                                         Loosened{"tRTRS", &DramTiming::tRTRS, "read to write"},
                                         Loosened{"tRFC", &DramTiming::tRFC, "tRFC"},
                                         Loosened{"tCL", &DramTiming::tCL, "read to write"}),
                         [](auto const& it) { return std::string{it.param.name}; });

using sim::DramCommand;
using Kind = DramCommand::Kind;

TEST(CommandChecker, FindsAnAccessToAClosedBank) {
  auto const spec = arch::load_dram("hbm2");
  EXPECT_EQ(violations(spec, {{100, Kind::read, 0, 0}}).size(), 1U);
}

TEST(CommandChecker, FindsTheRefreshOfAnOpenBank) {
  auto const spec = arch::load_dram("hbm2");
  EXPECT_EQ(violations(spec, {{100, Kind::activate, 3, 7}, {3900, Kind::refresh, 0, 0}}).size(),
            1U);
}

TEST(CommandChecker, FindsTwoCommandsOnOneBus) {
  auto const spec = arch::load_dram("hbm2", {"policy.command_bus=shared"});
  std::vector<DramCommand> const commands = {
      {100, Kind::activate, 0, 7}, {200, Kind::activate, 4, 7}, {200, Kind::read, 0, 0}};
  EXPECT_EQ(violations(spec, commands).size(), 1U);
  EXPECT_TRUE(violations(arch::load_dram("hbm2"), commands).empty());
}

TEST(CommandChecker, FindsALateRefresh) {
  auto const spec = arch::load_dram("hmc-2.1");  // tREFI = 9600
  EXPECT_TRUE(
      violations(spec, {{9600, Kind::refresh, 0, 0}, {19200, Kind::refresh, 0, 0}}).empty());
  EXPECT_EQ(violations(spec, {{9600, Kind::refresh, 0, 0}, {19201, Kind::refresh, 0, 0}}).size(),
            1U);
}

}  // namespace

}  // namespace tessera::test

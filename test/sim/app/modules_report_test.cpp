// Which modules share a line.
#include "sim/app/modules_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(ModulesReport, FoldsNeighboursThatAreAlikeAndCountsThemInAll) {
  std::vector<Module> const modules{{"array", "array", {}, {}},
                                    {"array.chip-0", "chip", {}, {}},
                                    {"array.chip-0.bank-0", "bank", {}, {}},
                                    {"array.chip-0.bank-1", "bank", {}, {}},
                                    {"array.chip-1", "chip", {}, {}},
                                    {"array.chip-1.bank-0", "bank", {}, {}},
                                    {"array.chip-1.bank-1", "bank", {}, {}}};
  EXPECT_THAT(modules_report(modules), MatchesRegex("module +of them  kind *\n"
                                                    "array +1  array  simulated\n"
                                                    "  chip-0 .. chip-1 +2  chip   simulated\n"
                                                    "    bank-0 .. bank-1 +4  bank   simulated\n"
                                                    "7 modules; 7 were simulated\n"));
}

TEST(ModulesReport, KeepsApartWhatIsMirroredUnusedOrHasOtherModulesInside) {
  std::vector<Module> const modules{{"chip-0", "chip", {}, {}},
                                    {"chip-0.bank-0", "bank", {}, {}},
                                    {"chip-0.bank-1", "bank", "chip-0.bank-0", {}},
                                    {"chip-1", "chip", {}, {}},
                                    {"chip-2", "chip", {}, "no power"},
                                    {"chip-3", "chip", "chip-0", {}},
                                    {"chip-4", "chip", "chip-1", {}}};
  auto const report = modules_report(modules);
  EXPECT_THAT(report, HasSubstr("bank  mirrors bank-0\n"));
  EXPECT_THAT(report, HasSubstr("chip  unused: no power\n"));
  EXPECT_THAT(report, HasSubstr("chip-3 .. chip-4"));
  EXPECT_THAT(report, HasSubstr("chip  mirrored\n"));
  EXPECT_THAT(report, HasSubstr("7 modules; 3 were simulated\n"));
}

TEST(ModulesReport, SaysWhichCoreSimulatedWhatHasNoModuleOfItsOwn) {
  std::vector<Module> const modules{{"link-0", "link", {}, {}, "messages"},
                                    {"link-1", "link", {}, {}, "messages"},
                                    {"link-2", "link", "link-0", {}}};
  auto const report = modules_report(modules);
  EXPECT_THAT(report, HasSubstr("link-0 .. link-1"));
  EXPECT_THAT(report, HasSubstr("link  simulated, all in core messages\n"));
  EXPECT_THAT(report, HasSubstr("link  mirrors link-0\n"));
  EXPECT_THAT(report, HasSubstr("3 modules; 2 were simulated\n"));
}

}  // namespace
}  // namespace tessera::sim

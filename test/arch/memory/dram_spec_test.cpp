// Memories from files: what presets say, and what is refused.
#include "arch/memory/dram_spec.hpp"

#include <gtest/gtest.h>

namespace tessera::arch {

namespace {

std::string problem_with(std::vector<std::string> const& overrides) {
  try {
    static_cast<void>(load_dram("hmc-2.1", overrides));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(DramSpec, PresetsHaveTheirPublishedCapacityAndBandwidth) {
  struct {
    char const* name;
    std::int64_t gibibytes;
    double gigabytes_per_second;
  } const published[] = {{"hmc-1.0", 2, 160}, {"hmc-2.0", 4, 320}, {"hmc-2.1", 8, 320},
                         {"hbm1", 4, 128},    {"hbm2", 8, 256},    {"hbm2e", 16, 409.6},
                         {"tpu-v2", 16, 700}, {"tpu-v3", 32, 900}};
  for (auto const& [name, gibibytes, bandwidth] : published) {
    auto const spec = load_dram(name);
    EXPECT_EQ(spec.name, name);
    EXPECT_EQ(spec.organization.capacity().value(), gibibytes << 30U) << name;
    // Clock periods are whole picoseconds.
    EXPECT_NEAR(static_cast<double>(spec.peak_bandwidth().value()) / 8e9, bandwidth,
                bandwidth * 5e-4);
  }
}

TEST(DramSpec, EveryBuiltinLoadsAndSaysWhatItIs) {
  EXPECT_GE(builtin_memories().size(), 13U);
  for (auto const& [name, description] : builtin_memories()) {
    EXPECT_EQ(load_dram(name).name, name);
    EXPECT_FALSE(description.empty()) << name;
  }
}

TEST(DramSpec, TimingThatIsMisspeltIsRefusedWithTheRightName) {
  // What DRAMsim3 accepts without a word.
  EXPECT_NE(problem_with({"timing.tRCd=3"}).find("tRCD"), std::string::npos);
}

TEST(DramSpec, WhatContradictsItselfIsRefused) {
  EXPECT_NE(problem_with({"timing.tRC=40"}).find("tRAS + tRP"), std::string::npos);
  EXPECT_NE(problem_with({"timing.tBL=3"}).find("tBL"), std::string::npos);
  EXPECT_NE(problem_with({"timing.tACT=4", "timing.tRP=3"}).find("tACT"), std::string::npos);
  EXPECT_NE(problem_with({"timing.tCCD_L=2"}).find("_L"), std::string::npos);
  EXPECT_NE(problem_with({"organization.banks=12"}).find("power of two"), std::string::npos);
  EXPECT_NE(problem_with({"organization.banks=8"}).find("bits of bank"), std::string::npos);
  EXPECT_NE(problem_with({"timing.tREFI=300"}).find("no time"), std::string::npos);
  EXPECT_NE(
      problem_with({"policy.queues=separate", "policy.high_watermark=8", "policy.low_watermark=2"})
          .find("fcfs"),
      std::string::npos);
  EXPECT_NE(problem_with({"address_map=[{byte: 5}, {colum: 3}]"}).find("column"),
            std::string::npos);
}

TEST(DramSpec, OpenRowsTakeAsMuchAsClosedOnesWhereNothingIsSaidOfThem) {
  auto const energy = load_dram("peers/ramulator2-hbm2-8gb", {"energy.background=3 pJ"}).energy;
  EXPECT_EQ(energy.active_background, Energy{3e-12});
}

TEST(DramSpec, OpenRowsTakeNoLessThanClosedOnes) {
  EXPECT_NE(problem_with({"energy.active_background=1 pJ"}).find("less than background"),
            std::string::npos);
}

TEST(DramSpec, BlockIsWhatLiesTogetherInARow) {
  EXPECT_EQ(load_dram("hmc-2.1").block(), Bytes{256});
  EXPECT_EQ(load_dram("hbm2").block(), Bytes{32});
}

}  // namespace

}  // namespace tessera::arch

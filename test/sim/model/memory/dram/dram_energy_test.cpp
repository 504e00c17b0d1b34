// The ledger: each entry is its count times its constant.
#include "sim/model/memory/dram/dram_energy.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {

namespace {

TEST(DramEnergy, OfANearAccessToHmcIsFivePicojoulesPerBitAt64Bytes) {
  // TETRIS's 80 pJ per 16 bit: one activate and two bursts of 32 bytes.
  auto const spec = arch::load_dram("hmc-2.1");
  auto const ledger = dram_energy(spec, {1, 0, 2, 0, 0, 0}, 0);
  EXPECT_NEAR(ledger.total().value(), 64 * 8 * 5.0e-12, 1e-18);
}

TEST(DramEnergy, OfAFullHbmRowIsThePublishedNearlyFourPicojoulesPerBit) {
  // 909 pJ / 8192 bit + 3.48 = 3.59 pJ/bit for a row that is read as a whole (nominally 3.9).
  auto const spec = arch::load_dram("hbm2");
  auto const ledger = dram_energy(spec, {1, 1, 32, 0, 0, 0}, 0);
  EXPECT_NEAR(ledger.total().value() / (1024 * 8), 909e-12 / 8192 + 3.48e-12, 1e-18);
}

TEST(DramEnergy, OfBackgroundGoesOnWhileNothingHappens) {
  auto const spec = arch::load_dram("hmc-2.1");
  auto const ledger = dram_energy(spec, {}, 1'000'000);
  EXPECT_NEAR(ledger.total().value(), 32 * 1e6 * 18.24e-12, 1e-12);  // 32 vaults
}

TEST(DramEnergy, OfAnOpenRowIsThatOfActiveStandby) {
  // 1.2 V, 55 mA instead of 40, half a channel, a clock of a nanosecond.
  auto const spec = arch::load_dram("hbm2");
  DramStatistics statistics;
  statistics.active_clocks = 1000;
  auto const ledger = dram_energy(spec, statistics, 1000);
  EXPECT_NEAR(ledger.active_standby.value(), 1000 * 0.5 * 1.2 * 15e-3 * 1e-9, 1e-18);
  EXPECT_NEAR(ledger.total().value() - ledger.background.value(), ledger.active_standby.value(),
              1e-18);
}

TEST(DramEnergy, OfAllBanksRefreshedOneByOneIsThatOfOneRefresh) {
  auto const spec = arch::load_dram("hbm2");
  auto const single = dram_energy(spec, {0, 0, 0, 0, 0, 16}, 0);
  auto const whole = dram_energy(spec, {0, 0, 0, 0, 1, 0}, 0);
  EXPECT_NEAR(single.refresh.value(), whole.refresh.value(), 1e-18);
}

TEST(DramEnergy, OfLinksIsPaidForBitsAndForTheLackOfThem) {
  auto const spec = arch::load_dram("hmc-2.1").hmc.value();
  DramEnergyLedger idle;
  DramEnergyLedger busy;
  add_link_energy(idle, spec, 0, Time{1'000'000});
  add_link_energy(busy, spec, 30'000, Time{1'000'000});
  // 4 links, 2 directions, 16 lanes of 30 Gb/s make 3.84 Mbit per microsecond.
  EXPECT_NEAR(idle.total().value(), 3.84e6 * 1.5e-12, 1e-15);
  EXPECT_NEAR(busy.link_active.value(), 3.84e6 * 5.48e-12, 1e-15);
  EXPECT_NEAR(busy.link_idle.value(), 0, 1e-15);
}

}  // namespace

}  // namespace tessera::sim

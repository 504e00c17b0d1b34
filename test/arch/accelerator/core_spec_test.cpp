// Cores as data: what the presets say, and what files may not.
#include "arch/accelerator/core_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/config_error.hpp"

namespace tessera::arch {
namespace {

double peak_tera_flops(CoreSpec const& core) {
  return 2e-12 * static_cast<double>(core.macs_per_cycle()) *
         static_cast<double>(core.clock.value());
}

SystolicCoreSpec systolic(CoreSpec const& core) { return std::get<SystolicCoreSpec>(core.unit); }

TEST(CoreSpec, EveryPresetLoadsUnderItsOwnName) {
  std::vector<std::string> names;
  for (auto const& [name, description] : builtin_cores()) {
    names.push_back(name);
    EXPECT_EQ(load_core(name).name, name);
    EXPECT_FALSE(description.empty());
  }
  EXPECT_THAT(names, testing::ElementsAre("eyeriss", "hypar-pu", "tpu-v2", "tpu-v3"));
}

TEST(CoreSpec, ChipsOfTpusHaveTheirPublishedPeaks) {
  // CACM 63(7), Table 3: 46 and 123 TFLOPS, 700 and 900 GB/s per chip.
  auto const v2 = viewed(load_core("tpu-v2"), CoreView::chip);
  auto const v3 = viewed(load_core("tpu-v3"), CoreView::chip);
  EXPECT_NEAR(peak_tera_flops(v2), 46, 0.5);
  EXPECT_NEAR(peak_tera_flops(v3), 123, 0.5);
  EXPECT_EQ(systolic(v2).memory_bandwidth, Bandwidth{700'000'000'000 * 8});
  EXPECT_EQ(systolic(v3).memory_bandwidth, Bandwidth{900'000'000'000 * 8});
}

TEST(CoreSpec, ABoardIsFourChipsOfTwoCores) {
  auto const core = load_core("tpu-v3");
  auto const board = viewed(core, CoreView::board);
  EXPECT_EQ(board.macs_per_cycle(), 8 * core.macs_per_cycle());
  EXPECT_EQ(systolic(board).scratchpad.capacity, systolic(core).scratchpad.capacity * 8);
  EXPECT_EQ(systolic(board).vector.sublanes, systolic(core).vector.sublanes * 8);
  EXPECT_EQ(viewed(core, CoreView::core).macs_per_cycle(), core.macs_per_cycle());
}

TEST(CoreSpec, EyerissHas168PesAndTheirWords) {
  auto const eyeriss = load_core("eyeriss");
  auto const& core = std::get<RowStationaryCoreSpec>(eyeriss.unit);
  EXPECT_EQ(eyeriss.macs_per_cycle(), 168);
  // 448 B, 24 B and 48 B of 16-bit words.
  EXPECT_EQ(core.word * core.scratchpads.filter, Bytes{448});
  EXPECT_EQ(core.word * core.scratchpads.ifmap, Bytes{24});
  EXPECT_EQ(core.word * core.scratchpads.psum, Bytes{48});
  EXPECT_EQ(viewed(eyeriss, CoreView::board).macs_per_cycle(), 168);
  // HyPar prints 84.0 GOPS.
  auto const unit = load_core("hypar-pu");
  EXPECT_EQ(unit.macs_per_cycle() * unit.clock.value() * 2, 84'000'000'000);
}

TEST(CoreSpec, NonsenseIsRefusedWhereItIsWritten) {
  EXPECT_THROW(static_cast<void>(load_core("tpu-v9")), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"array.rows=0"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"array.dataflow=stationary"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"clock=0 MHz"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"scratchpad.banks=7"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"kernel_start=2 s"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("tpu-v3", {"kernel_start=600"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("eyeriss", {"cores_per_chip=2"})), ConfigError);
  EXPECT_THROW(static_cast<void>(load_core("eyeriss", {"schema=tessera.array/1"})), ConfigError);
}

TEST(CoreSpec, FormatsHaveTheirSizesAndEnergies) {
  auto const energy = systolic(load_core("tpu-v3")).energy;
  EXPECT_EQ(size_of(NumberFormat::fp32), Bytes{4});
  EXPECT_EQ(size_of(NumberFormat::bf16), Bytes{2});
  EXPECT_EQ(size_of(NumberFormat::int8), Bytes{1});
  EXPECT_STREQ(name(NumberFormat::bf16), "bf16");
  EXPECT_GT(energy.of(NumberFormat::fp32).multiply, energy.of(NumberFormat::bf16).multiply);
  EXPECT_GT(energy.of(NumberFormat::bf16).multiply, energy.of(NumberFormat::int8).multiply);
}

}  // namespace
}  // namespace tessera::arch

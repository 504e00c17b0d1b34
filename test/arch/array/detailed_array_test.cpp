// Arrays whose accelerators have cores and memories in files of their own, and arrays of several kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/error_message.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::arch {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

CoreUnitSpec const& core_of(ArraySpec const& array, std::size_t index = 0) {
  return std::get<CoreUnitSpec>(array.accelerator(index).processing_unit);
}

DramSpec const& dram_of(ArraySpec const& array, std::size_t index = 0) {
  return std::get<DramMemorySpec>(array.accelerator(index).memory).dram;
}

std::string complaint(std::string const& name, std::vector<std::string> const& overrides) {
  return test::error_message([&] { return load(name, overrides); });
}

TEST(DetailedArray, TakesClockAndCapacityFromItsCoreAndMemory) {
  auto const array = load("hmc-htree-16");
  EXPECT_EQ(core_of(array).core.name, "hypar-pu");
  EXPECT_EQ(array.accelerator(15).clock, Frequency{250'000'000});
  EXPECT_EQ(dram_of(array).name, "hmc-2.1");
  EXPECT_EQ(array.accelerator(15).memory_capacity, Bytes{8LL << 30});
}

TEST(DetailedArray, AChipIsAllItsCores) {
  auto const array = load("tpu-v3-128");
  // 123 TFLOPS (CACM 2020, Table 3): two operations per MAC.
  auto const flops = 2e-12 * static_cast<double>(array.accelerator(0).macs_per_cycle()) *
                     static_cast<double>(array.accelerator(0).clock.value());
  EXPECT_NEAR(flops, 123, 1);
  EXPECT_EQ(array.accelerator(0).memory_capacity, Bytes{32LL << 30});
}

TEST(DetailedArray, AnOverrideReachesEveryKeyOfCoreAndMemory) {
  EXPECT_EQ(dram_of(load("hmc-htree-16", {"accelerator.memory.dram.timing.tRCD=20"})).timing.tRCD,
            20);
  EXPECT_EQ(
      core_of(load("tpu-v3-128", {"accelerator.processing_unit.core.clock=1 GHz"})).core.clock,
      Frequency{1'000'000'000});
  EXPECT_EQ(dram_of(load("hmc-htree-16", {"accelerator.memory.dram=hbm2"})).name, "hbm2");
}

TEST(DetailedArray, ErrorsNameTheFileOrTheOption) {
  EXPECT_THAT(complaint("hmc-htree-16", {"accelerator.memory.dram=hmc-2.2"}),
              HasSubstr("accelerator.memory.dram: unknown memory 'hmc-2.2'; did you mean "));
  EXPECT_THAT(complaint("hmc-htree-16", {"accelerator.memory.dram.timing.tRCDX=20"}),
              EndsWith("unknown key; did you mean 'tRCD'?"));
  EXPECT_THAT(complaint("hmc-htree-16", {"accelerator.clock=1 GHz"}), HasSubstr("unknown key"));
  EXPECT_THAT(complaint("hmc-htree-16", {"accelerator.processing_unit.core=tpu-v4"}),
              HasSubstr("unknown core 'tpu-v4'"));
}

TEST(DetailedArray, AnUnknownCoreIsAnErrorWhereTheFileNamesIt) {
  test::TemporaryDirectory const folder;
  auto const file = folder.path("array.yaml");
  test::write_file(file, "accelerator:\n  processing_unit: {kind: core, core: tpu-v4}\n");
  EXPECT_THAT(
      complaint(file, {}),
      HasSubstr("array.yaml:2:39: accelerator.processing_unit.core: unknown core 'tpu-v4'"));
}

TEST(DetailedArray, RefusesEnergiesThatItsCoresAndMemoriesHaveThemselves) {
  EXPECT_EQ(complaint("hmc-htree-16", {"energy.multiply=1000000 pJ"}),
            "--set arch.energy.multiply=1000000 pJ: energy.multiply: does nothing here (all "
            "accelerators are cores, whose files have it); leave it out, and set "
            "accelerator.processing_unit.core.energy.mac");
  EXPECT_THAT(complaint("tpu-v2v3-256", {"energy.multiply=1 pJ"}),
              EndsWith("set groups.0.accelerator.processing_unit.core.energy.bf16.multiply"));
  EXPECT_THAT(complaint("tpu-v3-128", {"energy.buffer_access=1 pJ"}),
              EndsWith("set accelerator.processing_unit.core.energy.scratchpad_byte"));
  EXPECT_THAT(complaint("tpu-v3-128", {"energy.local_memory=ignored"}),
              HasSubstr("energy.local_memory: does nothing here (all memories are DRAM"));
}

TEST(MixedArray, NeedsTheEnergiesOfItsAcceleratorsWithoutACore) {
  auto const half_plain =
      "groups.0.accelerator={clock: 1 GHz, processing_unit: {kind: mac-rate, macs_per_cycle: 1}, "
      "memory: {kind: ideal, capacity: 1 GB}}";
  EXPECT_THAT(complaint("tpu-v2v3-256", {half_plain, "execution.kernels=free"}),
              HasSubstr("energy: missing key"));
  auto const array =
      load("tpu-v2v3-256", {half_plain, "execution.kernels=free", "energy.multiply=3 pJ",
                            "energy.buffer_access=1 pJ", "energy.add=1 pJ"});
  EXPECT_DOUBLE_EQ(mac_energy(array.accelerator(0), array.energy).value(), 4e-12);
  EXPECT_DOUBLE_EQ(mac_energy(array.accelerator(255), array.energy).value(),
                   (0.354 + 0.557) * 1e-12);  // bf16, cores/tpu-v3.yaml
}

TEST(DetailedArray, IsWrittenWithAllOfItsCoreAndMemory) {
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128", "tpu-v2v3-256", "eyeriss"}) {
    auto const text = write_config(to_config(load(name, {"description=x"})));
    EXPECT_THAT(text, testing::Not(HasSubstr("core: hypar-pu")));
    auto const again = array_from(read_config_text(text, "again.yaml"));
    EXPECT_EQ(write_config(to_config(again)), text);
  }
}

TEST(MixedArray, HasAcceleratorsOfSeveralKinds) {
  auto const array = load("tpu-v2v3-256");
  EXPECT_EQ(core_of(array, 0).core.name, "tpu-v2");
  EXPECT_EQ(core_of(array, 127).core.name, "tpu-v2");
  EXPECT_EQ(core_of(array, 128).core.name, "tpu-v3");
  EXPECT_EQ(core_of(array, 255).core.name, "tpu-v3");
  EXPECT_EQ(dram_of(array, 255).name, "tpu-v3");
}

TEST(MixedArray, GroupsHoldAllAccelerators) {
  EXPECT_THAT(complaint("tpu-v2v3-256", {"groups.0.count=64"}),
              HasSubstr("groups: hold 192 accelerators, but the array has 256"));
  EXPECT_THAT(complaint("tpu-v2v3-256", {"groups.0.count=0"}), HasSubstr("must be from 1 to 256"));
  EXPECT_THAT(complaint("tpu-v2v3-256", {"accelerator={}"}), HasSubstr("groups.0.accelerator"));
}

}  // namespace
}  // namespace tessera::arch

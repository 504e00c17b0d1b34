// A core that was written and read again is the same.
#include "arch/accelerator/core_writer.hpp"

#include <gtest/gtest.h>

namespace tessera::arch {
namespace {

/// `written` holds all that `file` says, scalar by scalar; an energy may have another unit.
void expect_holds(ConfigNode const& written, ConfigNode const& file) {
  ASSERT_EQ(written.kind(), file.kind()) << file.path();
  if (file.kind() == ConfigNode::Kind::scalar) {
    if (written.text() == file.text()) return;
    EXPECT_EQ(written.as<Energy>(), file.as<Energy>()) << file.path();
    return;
  }
  auto map = written.as_map();
  for (auto const& [key, value] : file.entries()) expect_holds(map.node(key), value);
}

TEST(CoreWriter, WritesEveryBuiltInCoreSoThatItReadsBack) {
  ASSERT_FALSE(builtin_cores().empty());
  for (auto const& entry : builtin_cores()) {
    auto const text = write_config(to_config(load_core(entry.name)));
    EXPECT_EQ(write_config(to_config(core_from(read_config_text(text, entry.name)))), text);
  }
}

TEST(CoreWriter, WritesAllThatTheFileSays) {
  for (auto const& entry : builtin_cores()) {
    expect_holds(to_config(load_core(entry.name)), core_config(entry.name));
  }
}

TEST(CoreWriter, WritesWhatAnOverrideChanged) {
  std::vector<std::string> const changes = {
      "cores_per_chip=3",          "array.rows=7",        "array.dataflow=output-stationary",
      "array.schedule=serial",     "vector.alus=5",       "array.operands=fixed",
      "padding.samples=9",         "format=int8",         "energy.bf16.add=0.3 pJ",
      "memory_bandwidth=351 GB/s", "scratchpad.banks=64", "description=another",
      "kernel_start=1234 ns"};
  expect_holds(to_config(load_core("tpu-v3", changes)), core_config("tpu-v3", changes));
  std::vector<std::string> const others = {"networks.ifmap=2", "scratchpads.psum=25",
                                           "energy.gated_share=0.125", "kernel_start=300 ns"};
  expect_holds(to_config(load_core("eyeriss", others)), core_config("eyeriss", others));
}

TEST(CoreWriter, KeepsADefaultThatTheFileLeavesOut) {
  auto core = load_core("tpu-v3");
  std::get<SystolicCoreSpec>(core.unit).padding = {};
  auto const again = core_from(to_config(core));
  EXPECT_EQ(std::get<SystolicCoreSpec>(again.unit).padding.n, 1);
}

}  // namespace
}  // namespace tessera::arch

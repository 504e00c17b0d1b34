// A TPU-v3's core, made small.
#pragma once

#include "arch/accelerator/core_spec.hpp"
#include "test/support/draw.hpp"

namespace tessera::test {

/// A core so small that small layers have many tiles.
[[nodiscard]] inline arch::CoreSpec systolic_core(Draw& draw) {
  auto core = arch::load_core("tpu-v3");
  auto& unit = std::get<arch::SystolicCoreSpec>(core.unit);
  unit.array.rows = unit.array.columns = draw(1, 3) * 4;
  unit.scratchpad = {Bytes{draw(3, 24) * 1024}, 24};
  unit.padding = {1, 1, 4, 4};
  return core;
}

}  // namespace tessera::test

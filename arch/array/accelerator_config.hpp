// Reading and writing of one accelerator of an array's file.
#pragma once

#include "arch/array/array_spec.hpp"

namespace tessera::arch {

/// Throws ConfigError. Cores and memories must be expanded (expand_components).
[[nodiscard]] AcceleratorSpec read_accelerator(ConfigMap map);
[[nodiscard]] ConfigNode accelerator_config(AcceleratorSpec const& accelerator);

/// Puts the file in the place of its name, wherever the tree says `core: tpu-v3`, `dram: hbm2` or
/// `times: vgg16.yaml`:
/// so an override reaches every key of it, and a trace repeats all of it.
void expand_components(ConfigNode& array);

}  // namespace tessera::arch

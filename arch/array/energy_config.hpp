// Reading and writing of the energies of an array's file. Each constant has one place: where accelerators are cores or memories DRAM,
// these have theirs, and a key that would do nothing beside them is refused.
#pragma once

#include <vector>

#include "arch/array/array_spec.hpp"

namespace tessera::arch {

/// The table of an array that consists of `groups`. Throws ConfigError.
[[nodiscard]] EnergyTable read_energy(ConfigMap map, std::vector<AcceleratorGroup> const& groups);
[[nodiscard]] ConfigNode energy_config(ArraySpec const& array);

}  // namespace tessera::arch

// A memory as a configuration: what dram_from() reads back as the same memory.
#pragma once

#include "arch/base/config.hpp"
#include "arch/memory/dram_spec.hpp"

namespace tessera::arch {

[[nodiscard]] ConfigNode to_config(DramSpec const& spec);

}  // namespace tessera::arch

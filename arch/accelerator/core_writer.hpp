// A core as a configuration: what core_from() reads back as the same core.
#pragma once

#include "arch/accelerator/core_spec.hpp"
#include "arch/base/config.hpp"

namespace tessera::arch {

[[nodiscard]] ConfigNode to_config(CoreSpec const& spec);

}  // namespace tessera::arch

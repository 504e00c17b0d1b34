// A core as a configuration: what core_from() reads back as the same core.
#pragma once

#include "arch/base/config.hpp"
#include "arch/core_spec.hpp"

namespace tessera::arch {

[[nodiscard]] ConfigNode to_config(CoreSpec const& spec);

}  // namespace tessera::arch

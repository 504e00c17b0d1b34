// Reads the keys of a network file (load.hpp shows them all). Knows keys and ranges, not shapes.
#pragma once

#include "arch/base/config.hpp"
#include "workloads/network_spec.hpp"

namespace tessera::workloads {

/// Throws ConfigError at the key that is missing, unknown or out of range.
[[nodiscard]] NetworkSpec read_network(ConfigNode const& node);

}  // namespace tessera::workloads

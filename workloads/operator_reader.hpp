// One operator of a network file, and the values that network files share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/base/config_name.hpp"
#include "workloads/network_spec.hpp"

namespace tessera::workloads {

/// A map with a name, a kind, what it reads and the kind's own keys.
[[nodiscard]] OperatorSpec read_operator(ConfigNode const& node);

/// A whole number of at least 1.
[[nodiscard]] std::int64_t read_count(ConfigMap& map, std::string const& key);

/// A tensor's extents per sample: features, positions, both, or channels, rows and columns.
[[nodiscard]] std::vector<std::int64_t> read_extents(ConfigMap& map);

[[nodiscard]] inline Place place_of(ConfigNode const& node) { return {node.where(), node.path()}; }

}  // namespace tessera::workloads

// A network from SCALE-Sim's layers, which have no graph: a chain in the file's order, of one sample. Where a layer's input is not
// what the layer before it leaves (pools and padding are folded into IFMAP there), a recast stands between them. Products are
// linear operators at M positions. Where a stride does not divide, the input is as large as the last window needs.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "sim/import/topology_file.hpp"

namespace tessera::sim {

/// The network as a configuration (schema tessera.network/1). Blanks and other characters that a
/// name cannot have become underscores. Throws ConfigError with `file` for layers of one name.
[[nodiscard]] ConfigNode network_from_topology(std::vector<NamedShape> const& layers,
                                               std::string const& network, std::string const& file);

}  // namespace tessera::sim

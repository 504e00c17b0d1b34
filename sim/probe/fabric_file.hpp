// A fabric by the name of its preset or file, instead of a topology in short; for the probes of fabrics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/fabric/interconnect_spec.hpp"
#include "sim/command/parser.hpp"

namespace tessera::sim {

struct FabricOptions {
  std::string topology;  ///< in short; or
  std::string arch;      ///< a preset or file
  std::vector<std::string> settings;
  std::string duplex = "full";  ///< of all links of the short topology
};

/// Adds --topology, --duplex, -a and --set. What a file says excludes the option of -a.
[[nodiscard]] Option* add_fabric_options(Parser& parser, FabricOptions& options);

/// The file that -a names, if it is there. Throws ConfigError unless there is either it or
/// --topology.
[[nodiscard]] std::optional<arch::Fabric> fabric_file(FabricOptions const& options);

/// Of the links of --topology. Throws ConfigError.
[[nodiscard]] arch::Duplex duplex_of(FabricOptions const& options);

/// "torus:4x4", or the fabric's name.
[[nodiscard]] std::string const& name_of(FabricOptions const& options);

}  // namespace tessera::sim

#include "sim/probe/fabric_file.hpp"

#include "arch/base/nearest_name.hpp"
#include "sim/probe/chosen.hpp"

namespace tessera::sim {

Option* add_fabric_options(Parser& parser, FabricOptions& options) {
  auto* const topology =
      parser.add_option("--topology", options.topology, joined(arch::topology_examples()))
          ->type_name("TOPOLOGY");
  auto* const arch = parser
                         .add_option("-a,--arch", options.arch,
                                     "Fabric: a preset (tessera list fabrics) or a path")
                         ->type_name("FABRIC")
                         ->excludes(topology);
  parser
      .add_option("--duplex", options.duplex,
                  "Links of --topology: full, or half (both ways share the bandwidth)")
      ->capture_default_str()
      ->excludes(arch);
  parser.add_option("--set", options.settings, "Change a key of it: fabric.KEY=VALUE")
      ->type_name("KEY=VALUE")
      ->needs(arch);
  return arch;
}

std::optional<arch::Fabric> fabric_file(FabricOptions const& options) {
  if (options.arch.empty()) {
    if (options.topology.empty()) throw refused("--topology or -a is required");
    return std::nullopt;
  }
  std::string const prefix = "fabric.";
  std::vector<std::string> overrides;
  for (auto const& setting : options.settings) {
    if (setting.compare(0, prefix.size(), prefix) != 0) {
      throw ConfigError({"--set " + setting}, {},
                        "begins with no 'fabric.' (it is what is probed)");
    }
    overrides.push_back(setting.substr(prefix.size()));
  }
  return arch::load_fabric(options.arch, overrides);
}

arch::Duplex duplex_of(FabricOptions const& options) {
  return chosen("--duplex", options.duplex, arch::duplex_kinds());
}

std::string const& name_of(FabricOptions const& options) {
  return options.arch.empty() ? options.topology : options.arch;
}

}  // namespace tessera::sim

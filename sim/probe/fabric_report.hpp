// What the probes of fabrics report alike: energy, the links one by one, who sent how much to whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/command/options.hpp"
#include "sim/command/parser.hpp"
#include "sim/model/fabric/packet/fabric_use.hpp"

namespace tessera::sim {

/// Files to write, if named.
struct FabricFiles {
  std::string links;
  std::string matrix;
  OverwriteOptions overwrite;
};
void add_file_options(Parser& parser, FabricFiles& files);

/// Energy of a run, by kind of event.
struct FabricEnergy {
  arch::InterconnectCounts counts;
  arch::InterconnectEnergy each;
};
[[nodiscard]] std::string as_text(FabricEnergy const& energy);
[[nodiscard]] nlohmann::ordered_json as_json(FabricEnergy const& energy);

/// A line per wire and direction: from, to, packets, `unit`, and the share of the time that it was
/// busy (both lines of a half-duplex wire together at most 1), into files.links. Throws ConfigError
/// if the file cannot be written.
void write_links(FabricFiles const& files, arch::Interconnect const& interconnect,
                 FabricUse const& use, std::string const& unit);

/// A line per pair of endpoints that exchanged anything, into files.matrix; `matrix` is source x
/// destination. Throws as write_links().
void write_matrix(FabricFiles const& files, std::vector<std::int64_t> const& matrix,
                  std::size_t endpoints, std::string const& unit);

}  // namespace tessera::sim

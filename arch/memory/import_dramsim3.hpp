// DRAMsim3's configurations (.ini, commit 2981759) as tessera.memory/1.
//
// Strict where DRAMsim3 is not: a key that it would ignore, a missing one whose default it would take, and whatever Tessera does
// not model are errors at their place. What is modelled otherwise is told in remarks. HMC, HBM and HBM2.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/memory/dram_spec.hpp"

namespace tessera::arch {

struct ImportedDram {
  DramSpec spec;
  std::vector<std::string> remarks;  ///< sentences
  /// The YAML of the memory, with the remarks as comments.
  [[nodiscard]] std::string text() const;
};

/// `ini` as read_ini_file() reads it; `name` of the memory. Throws ConfigError.
[[nodiscard]] ImportedDram import_dramsim3(ConfigNode const& ini, std::string const& name);

}  // namespace tessera::arch

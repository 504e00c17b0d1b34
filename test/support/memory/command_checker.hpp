// Reads the commands of a channel and finds every timing constraint that they violate.
//
// It knows the constraints of JESD235 as a list of pairs (earlier command, later command, where, how far apart) and compares all
// commands pairwise, besides following which rows are open. It shares no code with the models.
#pragma once

#include <string>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"

namespace tessera::test {

/// One line per violation: "cycle 120: read of bank 3 11 clocks after activate at 109 (tRCD = 14)".
[[nodiscard]] std::vector<std::string> violations(arch::DramSpec const& spec,
                                                  std::vector<sim::DramCommand> const& commands);

}  // namespace tessera::test

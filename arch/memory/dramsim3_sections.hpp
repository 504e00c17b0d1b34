// Sections of a DRAMsim3 configuration that stand for themselves. Internal to arch.
#pragma once

#include <vector>

#include "arch/base/config.hpp"
#include "arch/memory/dram_spec.hpp"

namespace tessera::arch::detail {

/// "rocorabgbach": fields of two letters, highest first, of the sizes that `organization` has.
/// Throws ConfigError at `node`.
[[nodiscard]] std::vector<AddressField> dramsim3_address_map(ConfigNode const& node,
                                                             DramOrganization const& organization);

/// Energies from currents: volts times milliamperes times the time of so many clocks (DRAMsim3
/// itself leaves the length of a clock out). `spec` has its clock, organization and timing already.
[[nodiscard]] DramEnergy dramsim3_energy(ConfigMap& power, DramSpec const& spec);

}  // namespace tessera::arch::detail

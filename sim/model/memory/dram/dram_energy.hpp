// The energy of a memory, derived once from what it did: whole events times the constants of its preset, which cites them.
#pragma once

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_statistics.hpp"

namespace tessera::sim {

struct DramEnergyLedger {
  Energy activate{0};
  Energy read{0};
  Energy write{0};
  Energy refresh{0};
  Energy background{0};      ///< all ranks of all channels, whether they work or not
  Energy active_standby{0};  ///< what ranks with a row open take beyond it
  Energy link_active{0};
  Energy link_idle{0};

  [[nodiscard]] Energy total() const {
    return activate + read + write + refresh + background + active_standby + link_active +
           link_idle;
  }
};

/// What the DRAM spends in `clocks` of its clock; `statistics` are of all channels together.
[[nodiscard]] DramEnergyLedger dram_energy(arch::DramSpec const& spec,
                                           DramStatistics const& statistics, std::int64_t clocks);

/// Adds the links of a cube, both directions. `flits`: sent over all of them in `time`. Requires
/// spec.hmc. A link that sends nothing goes on switching.
void add_link_energy(DramEnergyLedger& ledger, arch::HmcInterface const& spec, std::int64_t flits,
                     Time time);

}  // namespace tessera::sim

// Counts times constants.
#include "sim/model/memory/dram/dram_energy.hpp"

#include <algorithm>

namespace tessera::sim {

DramEnergyLedger dram_energy(arch::DramSpec const& spec, DramStatistics const& statistics,
                             std::int64_t clocks) {
  auto const& organization = spec.organization;
  auto const bits = organization.burst().value() * 8;
  auto const ranks = organization.all_ranks() * organization.channels;
  auto const banks = static_cast<double>(organization.banks_per_rank());
  DramEnergyLedger ledger;
  ledger.activate = statistics.activates * spec.energy.activate;
  ledger.read = (statistics.reads * bits) * spec.energy.read_bit;
  ledger.write = (statistics.writes * bits) * spec.energy.write_bit;
  ledger.refresh = statistics.refreshes * spec.energy.refresh +
                   statistics.bank_refreshes * (spec.energy.refresh * (1 / banks));
  ledger.background = (clocks * ranks) * spec.energy.background;
  ledger.active_standby =
      statistics.active_clocks * (spec.energy.active_background - spec.energy.background);
  return ledger;
}

void add_link_energy(DramEnergyLedger& ledger, arch::HmcInterface const& spec, std::int64_t flits,
                     Time time) {
  // The bits that all links could have sent, in both directions.
  auto const rate = static_cast<double>(spec.peak_bandwidth().value());
  auto const sent = static_cast<double>(flits * 128);
  auto const idle = std::max(0.0, rate * seconds(time) - sent);
  ledger.link_active += spec.link_bit * sent;
  ledger.link_idle += spec.link_idle_bit * idle;
}

}  // namespace tessera::sim

// Counters of each accelerator, times what its components cost.
#include "sim/outcome/energy.hpp"

#include <algorithm>
#include <cmath>

#include "arch/base/clock.hpp"
#include "sim/model/memory/hmc/hmc_packet.hpp"

namespace tessera::sim::outcome {

namespace {

using Kind = Resource::Kind;

/// Entries in the order in which they first appear; equal events at equal cost add up.
class Ledger final {
 public:
  void add(std::string const& component, std::string const& event, std::int64_t count,
           Energy each) {
    auto const found = std::find_if(entries_.begin(), entries_.end(), [&](auto const& entry) {
      return entry.component == component && entry.event == event && entry.each == each;
    });
    if (found != entries_.end()) {
      found->count = tessera::detail::checked_add(found->count, count);
    } else {
      entries_.push_back({component, event, count, each});
    }
  }
  [[nodiscard]] std::vector<traces::EnergyEntry> take() { return std::move(entries_); }

 private:
  std::vector<traces::EnergyEntry> entries_;
};

/// The resources of one accelerator.
struct Owned {
  Resource const* unit = nullptr;
  Resource const* memory = nullptr;
  Resource const* interface = nullptr;
};

std::vector<Owned> by_accelerator(std::vector<Resource> const& resources) {
  std::vector<Owned> all;
  for (Resource const& resource : resources) {
    if (resource.kind == Kind::dispatcher) all.emplace_back();  // the first of an accelerator
    if (resource.kind == Kind::processing_unit) all.back().unit = &resource;
    if (resource.kind == Kind::memory) all.back().memory = &resource;
    if (resource.kind == Kind::network_interface) all.back().interface = &resource;
  }
  return all;
}

void add_unit(Ledger& ledger, arch::EnergyTable const& table, Owned const& own) {
  auto const macs = own.unit->statistic("macs");
  auto const reduced = own.interface->statistic("words_reduced");
  ledger.add("processing-unit", "multiply", macs, table.multiply);
  ledger.add("processing-unit", "add", tessera::detail::checked_add(macs, reduced), table.add);
  ledger.add("buffer", "access", own.unit->statistic("buffer_accesses"), table.buffer_access);
}

void add_core(Ledger& ledger, arch::SystolicCoreSpec const& core, Owned const& own) {
  auto const& energy = core.energy.of(core.format);
  auto const executed = own.unit->statistic("executed_macs");
  ledger.add("processing-unit", "multiply", executed, energy.multiply);
  ledger.add("processing-unit", "add", executed, energy.add);
  ledger.add("processing-unit", "vector_operation", own.unit->statistic("vector_operations"),
             core.energy.vector_operation);
  ledger.add("buffer", "byte", own.unit->statistic("buffer_bytes"), core.energy.scratchpad_byte);
}

void add_core(Ledger& ledger, arch::RowStationaryCoreSpec const& core, Owned const& own) {
  auto const& energy = core.energy;
  auto const operations = tessera::detail::checked_add(own.unit->statistic("executed_macs"),
                                                       own.unit->statistic("vector_operations"));
  ledger.add("processing-unit", "mac", operations, energy.mac);
  ledger.add("processing-unit", "register_access", own.unit->statistic("register_accesses"),
             energy.register_file);
  ledger.add("processing-unit", "network_word", own.unit->statistic("network_words"),
             energy.network);
  ledger.add("buffer", "access", own.unit->statistic("buffer_accesses"), energy.buffer);
}

/// Also what runs whether there is work or not.
void add_core(Ledger& ledger, arch::CoreSpec const& core, arch::EnergyTable const& table,
              Owned const& own, Time end) {
  std::visit([&](auto const& unit) { add_core(ledger, unit, own); }, core.unit);
  if (auto const* const array = std::get_if<arch::RowStationaryCoreSpec>(&core.unit)) {
    auto const cycles = Clock{core.clock}.edge_at_or_after(end).value();
    ledger.add("processing-unit", "clock", cycles, array->energy.cycle);
  }
  ledger.add("processing-unit", "reduction_add", own.interface->statistic("words_reduced"),
             table.add);
}

void add_dram(Ledger& ledger, arch::DramSpec const& dram, Resource const& memory, Time end) {
  auto const& organization = dram.organization;
  auto const bits = organization.burst().value() * 8;
  auto const clocks = ceil_ratio(end, dram.clock_period);
  ledger.add("memory", "activate", memory.statistic("activates"), dram.energy.activate);
  ledger.add("memory", "read_bit", memory.statistic("bursts_read") * bits, dram.energy.read_bit);
  ledger.add("memory", "write_bit", memory.statistic("bursts_written") * bits,
             dram.energy.write_bit);
  ledger.add("memory", "refresh", memory.statistic("refreshes"), dram.energy.refresh);
  if (dram.policy.refresh == arch::DramPolicy::Refresh::per_bank) {
    auto const banks = static_cast<double>(organization.banks_per_rank());
    ledger.add("memory", "refresh_bank", memory.statistic("bank_refreshes"),
               dram.energy.refresh * (1 / banks));
  }
  ledger.add("memory", "background_clock",
             clocks * organization.all_ranks() * organization.channels, dram.energy.background);
  ledger.add("memory", "active_clock", memory.statistic("active_clocks"),
             dram.energy.active_background - dram.energy.background);
}

/// Of a cube whose requests come over links, which go on switching where nothing is sent.
void add_links(Ledger& ledger, arch::HmcInterface const& hmc, Resource const& memory, Time end) {
  auto const sent = memory.statistic("link_flits") * HmcPacket::flit * 8;
  auto const places = static_cast<double>(hmc.peak_bandwidth().value()) * seconds(end);
  ledger.add("memory", "link_bit", sent, hmc.link_bit);
  ledger.add("memory", "link_idle_bit", std::max<std::int64_t>(0, std::llround(places) - sent),
             hmc.link_idle_bit);
}

void add_accelerator(Ledger& ledger, arch::AcceleratorSpec const& accelerator,
                     arch::EnergyTable const& table, Owned const& own, Time end) {
  if (auto const* const unit = std::get_if<arch::CoreUnitSpec>(&accelerator.processing_unit)) {
    add_core(ledger, unit->core, table, own, end);
  } else {
    add_unit(ledger, table, own);
  }
  if (auto const* const memory = std::get_if<arch::DramMemorySpec>(&accelerator.memory)) {
    add_dram(ledger, memory->dram, *own.memory, end);
    if (memory->links) add_links(ledger, memory->dram.hmc.value(), *own.memory, end);
  } else {
    auto const words = table.counts_local_memory ? own.memory->statistic("words") : 0;
    ledger.add("memory", "local_access", words, table.memory_access);
  }
  // Through the memory, they are among its commands.
  auto const received = accelerator.transfer_block ? 0 : own.interface->statistic("words_received");
  auto const exchanged =
      tessera::detail::checked_multiply(received, table.memory_accesses_per_exchanged_word);
  ledger.add("memory", "exchange_access", exchanged, table.memory_access);
}

}  // namespace

std::vector<traces::EnergyEntry> energy_entries(arch::ArraySpec const& array,
                                                std::vector<Resource> const& resources, Time end) {
  Ledger ledger;
  auto const accelerators = by_accelerator(resources);
  for (std::size_t index = 0; index < accelerators.size(); ++index) {
    add_accelerator(ledger, array.accelerator(index), array.energy, accelerators[index], end);
  }
  ledger.add("fabric", "link_word", total(resources, Kind::link, "words"), array.energy.link_word);
  return ledger.take();
}

}  // namespace tessera::sim::outcome

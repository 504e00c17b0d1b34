// The table of contents of processing units.
#include "sim/model/processing_unit.hpp"

#include <algorithm>

#include "sim/model/core_unit.hpp"
#include "sim/model/dram_memory.hpp"
#include "sim/model/mac_rate_unit.hpp"
#include "sim/model/profile_unit.hpp"

namespace tessera::sim {

namespace {

/// Tensors begin where a DRAM's stripes do.
Bytes alignment_of(arch::MemorySpec const& memory) {
  auto const* const dram = std::get_if<arch::DramMemorySpec>(&memory);
  return dram == nullptr ? Bytes{64} : DramMemory::stripe(dram->dram);
}

}  // namespace

ProcessingUnit::Result ProcessingUnit::perform(Task const& task, Time now) {
  EXPECTS(task.kind == TaskKind::compute, static_cast<int>(task.kind));
  auto const result = compute(task, clock().edge_at_or_after(std::max(now, free_)));
  free_ = result.end;
  return result;
}

MemoryMap memory_map(arch::AcceleratorSpec const& spec, Schedule const& schedule,
                     AcceleratorId accelerator) {
  return {schedule.graph(), schedule.tasks_of(accelerator), alignment_of(spec.memory)};
}

std::unique_ptr<Core> make_processing_unit(arch::AcceleratorSpec const& accelerator,
                                           ProcessingUnitParts const& parts) {
  if (auto const* const unit = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit)) {
    return std::make_unique<MacRateUnit>(*unit, parts.clock, parts.schedule.graph(),
                                         parts.utilisation);
  }
  if (auto const* const unit = std::get_if<arch::ProfileUnitSpec>(&accelerator.processing_unit)) {
    return std::make_unique<ProfileUnit>(unit->profile, parts.clock, parts.schedule.graph(),
                                         parts.utilisation);
  }
  auto const& unit = std::get<arch::CoreUnitSpec>(accelerator.processing_unit);
  return std::make_unique<CoreUnit>(
      unit.core, memory_map(accelerator, parts.schedule, parts.accelerator), parts);
}

}  // namespace tessera::sim

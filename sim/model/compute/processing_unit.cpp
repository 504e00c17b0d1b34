// The table of contents of processing units.
#include "sim/model/compute/processing_unit.hpp"

#include <algorithm>

#include "sim/model/compute/core_unit.hpp"
#include "sim/model/compute/launched_unit.hpp"
#include "sim/model/compute/mac_rate_unit.hpp"
#include "sim/model/compute/profile_unit.hpp"
#include "sim/model/compute/shared_memory_core_unit.hpp"

namespace tessera::sim {

ProcessingUnit::Result ProcessingUnit::perform(Task const& task, Time now) {
  EXPECTS(task.kind == TaskKind::compute, static_cast<int>(task.kind));
  auto const result = compute(task, clock().edge_at_or_after(std::max(now, free_)));
  free_ = result.end;
  return result;
}

UnitModels builtin_unit_models() {
  UnitModels models{"model of a processing unit"};
  models.add<LaunchedUnit>("launched", "a MAC rate, and clocks to start every task");
  return models;
}

std::unique_ptr<Core> make_processing_unit(arch::AcceleratorSpec const& accelerator,
                                           ProcessingUnitParts const& parts,
                                           UnitModels const& models) {
  if (auto const* const unit = std::get_if<arch::ModelledUnitSpec>(&accelerator.processing_unit)) {
    auto of_model = parts;
    of_model.macs_per_cycle = unit->macs_per_cycle;
    return make_model(models, unit->model, of_model);
  }
  if (auto const* const unit = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit)) {
    return std::make_unique<MacRateUnit>(*unit, parts.clock, parts.schedule.graph(),
                                         parts.utilisation);
  }
  if (auto const* const unit = std::get_if<arch::ProfileUnitSpec>(&accelerator.processing_unit)) {
    return std::make_unique<ProfileUnit>(unit->profile, parts.clock, parts.schedule.graph(),
                                         parts.utilisation);
  }
  auto const& unit = std::get<arch::CoreUnitSpec>(accelerator.processing_unit);
  if (accelerator.transfer_block) return std::make_unique<SharedMemoryCoreUnit>(unit.core, parts);
  return std::make_unique<CoreUnit>(unit.core, parts);
}

}  // namespace tessera::sim

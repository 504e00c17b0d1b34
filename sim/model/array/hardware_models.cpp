// An accelerator of each group and a network, with nothing to do.
#include "sim/model/array/hardware_models.hpp"

#include "sim/model/compute/kept_work.hpp"

namespace tessera::sim {

void check_models(arch::ArraySpec const& array, HardwareModels const& models) {
  TaskGraph const no_tasks{1};
  Schedule const schedule{no_tasks};
  KeptWork kept;
  BusyHistogram histogram;
  for (auto const& group : array.groups) {
    auto const& accelerator = group.accelerator;
    bool const names_a_model =
        std::holds_alternative<arch::ModelledMemorySpec>(accelerator.memory) ||
        std::holds_alternative<arch::ModelledUnitSpec>(accelerator.processing_unit);
    if (!names_a_model) continue;
    MessageClock const clock{Clock{accelerator.clock}, accelerator.dispatch_latency};
    auto const memory =
        make_memory(accelerator.memory, {clock, no_tasks, histogram, kept.drams}, models.memories);
    static_cast<void>(make_processing_unit(
        accelerator,
        {clock, schedule, AcceleratorId{0}, kept.programs, kept.memo, *memory, histogram},
        models.units));
  }
  auto const& fabric = array.fabric;
  if (!fabric.packets || !fabric.packets->model) return;
  static_cast<void>(make_wired_network({*fabric.packets, *fabric.graph}, models.networks));
}

}  // namespace tessera::sim

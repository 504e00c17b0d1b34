// The processing unit: what all models of it share, and the choice among them.
#pragma once

#include <memory>

#include "arch/array/array_spec.hpp"
#include "sim/model/compute/phase_memo.hpp"
#include "sim/model/compute/program_library.hpp"
#include "sim/model/control/schedule.hpp"
#include "sim/model/control/task_server.hpp"
#include "sim/model/memory/memory.hpp"
#include "sim/model/protocol/model_registry.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

/// Takes compute tasks in order of arrival, one at a time: each starts at the first clock edge at
/// which the ones before are done.
class ProcessingUnit : public TaskServer {
 protected:
  using TaskServer::TaskServer;

 private:
  /// Works out a task that starts at the clock edge `first`.
  [[nodiscard]] virtual Result compute(Task const& task, Cycles first) = 0;

  [[nodiscard]] Result perform(Task const& task, Time now) final;

  Time free_{0};  ///< when all that was issued so far is done
};

/// What a processing unit is built with; all of it must outlive the unit.
struct ProcessingUnitParts {
  MessageClock clock;  ///< of the accelerator
  Schedule const& schedule;
  AcceleratorId accelerator;
  ProgramLibrary& programs;
  PhaseMemo& memo;
  Memory& memory;
  BusyHistogram& utilisation;
  std::int64_t macs_per_cycle = 0;  ///< of `kind: model`: the peak that planners count on
};

/// What a core's unit is called.
[[nodiscard]] inline char const* kind_of(arch::CoreSpec const& core) {
  return core.has_vector_unit() ? "systolic arrays" : "row-stationary array";
}

/// Processing units of `kind: model`, by name.
using UnitModels = ModelRegistry<ProcessingUnit, ProcessingUnitParts>;
/// The table of contents.
[[nodiscard]] UnitModels builtin_unit_models();

/// The model that the accelerator names. Throws ConfigError where it is none of `models`, or its
/// keys are wrong.
[[nodiscard]] std::unique_ptr<Core> make_processing_unit(
    arch::AcceleratorSpec const& accelerator, ProcessingUnitParts const& parts,
    UnitModels const& models = builtin_unit_models());

}  // namespace tessera::sim

// The processing unit: the ports that all models of it share, and the choice among them.
#pragma once

#include <memory>

#include "arch/array_spec.hpp"
#include "sim/model/busy_histogram.hpp"
#include "sim/model/core.hpp"
#include "sim/model/memory.hpp"
#include "sim/model/phase_memo.hpp"
#include "sim/model/program_library.hpp"
#include "sim/model/schedule.hpp"

namespace tessera::sim {

struct ProcessingUnitPorts {
  enum In : Port { from_dispatcher };
  enum Out : Port { to_dispatcher };
  static constexpr Port inputs = 1;
  static constexpr Port outputs = 1;
};

/// What a processing unit is built with; all of it must outlive the unit.
struct ProcessingUnitParts {
  Schedule const& schedule;
  AcceleratorId accelerator;
  ProgramLibrary& programs;
  PhaseMemo& memo;
  Memory& memory;
  BusyHistogram& utilisation;
};

/// The model that the accelerator names.
[[nodiscard]] std::unique_ptr<Core> make_processing_unit(arch::AcceleratorSpec const& accelerator,
                                                         ProcessingUnitParts const& parts);

}  // namespace tessera::sim

// The processing unit as a core with its arrays, buffers and mapping.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/compute/core_counters.hpp"
#include "sim/model/compute/processing_unit.hpp"
#include "sim/model/compute/step_repeater.hpp"
#include "sim/model/compute/tile_engine.hpp"

namespace tessera::sim {

/// Takes compute tasks in order of arrival, one at a time. Each is a tile program on the core
/// (which says how long every tile keeps the arrays) that a tile engine runs against the
/// accelerator's own memory; the task is done when its last tile is stored, and the dispatcher
/// hears of it one clock later, and how long the arrays waited for tiles.
///
/// While a task runs, nobody else uses the memory (where transfers do:
/// shared_memory_core_unit.hpp), so the whole task is worked out when it starts, or repeated from
/// the record of one that started alike (PhaseMemo). Leaves out: loading the first tiles of a task
/// while the task before still computes.
class CoreUnit final : public ProcessingUnit {
 public:
  /// `core` must outlive the unit.
  CoreUnit(arch::CoreSpec const& core, ProcessingUnitParts const& parts);

  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }
  [[nodiscard]] char const* kind() const override { return kind_of(core_); }

 private:
  [[nodiscard]] Result compute(Task const& task, Cycles first) override;
  [[nodiscard]] TileEngine::Outcome run(Task const& task, TileProgram const& program, Time start);
  [[nodiscard]] TileEngine::Outcome work_out(TileProgram const& program,
                                             TileEngine::Addresses const& addresses, Time start);
  [[nodiscard]] TileEngine::Outcome run_and_record(TileProgram const& program,
                                                   TileEngine::Addresses const& addresses,
                                                   Time start);
  void write_state(TileProgram const& program, TileEngine::Addresses const& addresses, Time start);
  [[nodiscard]] TileEngine::Outcome repeat(PhaseMemo::Record const& record, Time start);

  arch::CoreSpec const& core_;
  ProgramLibrary& programs_;
  PhaseMemo& memo_;
  Memory& memory_;
  KernelMemory* kernels_;  ///< where they begin in phase
  BusyHistogram& utilisation_;
  TaskGraph const& graph_;
  TileEngine engine_;
  std::optional<StepRepeater> repeater_;  ///< where steps may be repeated
  CoreCounters counters_;
  StateWriter state_;  ///< what a program starts from, while it is looked for
};

}  // namespace tessera::sim

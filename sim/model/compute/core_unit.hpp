// The processing unit as a core with its arrays, buffers and mapping.
#pragma once

#include <vector>

#include "sim/model/compute/processing_unit.hpp"
#include "sim/model/compute/tile_engine.hpp"

namespace tessera::sim {

/// Takes compute tasks in order of arrival, one at a time. Each is a tile program on the core
/// (which says how long every tile keeps the arrays) that a tile engine runs against the
/// accelerator's own memory; the task is done when its last tile is stored, and the dispatcher
/// hears of it one clock later, and how long the arrays waited for tiles.
///
/// While a task runs, nobody else uses the memory, so the whole task is worked out when it starts,
/// or repeated from the record of one that started alike (PhaseMemo). Leaves out: loading the first
/// tiles of a task while the task before still computes.
class CoreUnit final : public ProcessingUnit {
 public:
  /// `core` must outlive the unit.
  CoreUnit(arch::CoreSpec const& core, ProcessingUnitParts const& parts);

  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }

 private:
  enum Counter : std::size_t {
    busy,
    waited,
    task_macs,
    executed_macs,
    tasks,
    tiles,
    late_tiles,
    buffer_accesses,
    buffer_bytes,
    register_accesses,
    network_words,
    vector_operations,
  };

  [[nodiscard]] Result compute(Task const& task, Cycles first) override;
  [[nodiscard]] TileEngine::Outcome run(Task const& task, TileProgram const& program, Time start);
  [[nodiscard]] TileEngine::Outcome run_and_record(PhaseMemo::Key key,
                                                   TileEngine::Addresses const& addresses,
                                                   Time start);
  [[nodiscard]] PhaseMemo::Key key_of(TileProgram const& program,
                                      TileEngine::Addresses const& addresses, Time start) const;
  [[nodiscard]] TileEngine::Outcome repeat(PhaseMemo::Record const& record, Time start);
  void count(Task const& task, TileEngine::Outcome const& outcome, ComputeCost const& cost);

  arch::CoreSpec const& core_;
  ProgramLibrary& programs_;
  PhaseMemo& memo_;
  Memory& memory_;
  BusyHistogram& utilisation_;
  TaskGraph const& graph_;
  TileEngine engine_;

  std::vector<Statistic> statistics_{{"busy", "ps"},         {"waited", "ps"},
                                     {"macs", "MAC"},        {"executed_macs", "MAC"},
                                     {"tasks", "1"},         {"tiles", "1"},
                                     {"late_tiles", "1"},    {"buffer_accesses", "1"},
                                     {"buffer_bytes", "B"},  {"register_accesses", "1"},
                                     {"network_words", "1"}, {"vector_operations", "1"}};
};

}  // namespace tessera::sim

// The processing unit as a core whose memory the network interface uses, too.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "sim/model/compute/core_counters.hpp"
#include "sim/model/compute/processing_unit.hpp"

namespace tessera::sim {

/// The same as CoreUnit, tile by tile as time goes on: transfers that arrive or leave while it
/// computes take their turns at the memory. Without any, every task ends when it does on a CoreUnit
/// (TransfersThroughMemory.ChangeNothingWhereThereAreNone).
///
/// What it asks for at an instant comes behind what the network interface asks for then, so it asks
/// when the instant is over: a picosecond later, in the name of the instant.
/// Leaves out: loading the first tiles of a task while the task before still computes; repeating
/// computations that were worked out before.
class SharedMemoryCoreUnit final : public Core, public MemoryMaster {
 public:
  static constexpr Port inputs = TaskServer::inputs;
  static constexpr Port outputs = TaskServer::outputs;

  /// `core` must outlive the unit; it makes itself the master of the memory.
  SharedMemoryCoreUnit(arch::CoreSpec const& core, ProcessingUnitParts const& parts);

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;
  void ask_before(Time now) override;

  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }
  [[nodiscard]] char const* kind() const override { return kind_of(core_); }

 private:
  /// A task, and when it was issued.
  struct Issued {
    Message message;
    Time at{0};
  };

  void begin_next();
  void end(Outbox& out);

  arch::CoreSpec const& core_;
  MessageClock clock_;
  TaskGraph const& graph_;
  ProgramLibrary& programs_;
  TileEngine engine_;
  std::deque<Issued> issued_;             ///< the first is under way
  TileProgram const* program_ = nullptr;  ///< of what is under way
  Cycles first_{0};                       ///< its first cycle
  Time free_{0};                          ///< when the task before was done
  CoreCounters counters_;
};

}  // namespace tessera::sim

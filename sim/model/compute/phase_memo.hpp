// Computations that were worked out before: the same program from the same state of the memory takes the same course, so it is
// repeated from its record. These are accelerators with equal work, and, where kernels begin in phase with their memory
// (memory/kernel_memory.hpp), layers of equal shape. Elsewhere such layers have other addresses and start elsewhere in the calendar of
// refreshes: their tiles are repeated one by one (step_repeater.hpp), and after many computations that were not found only those that
// come back are recorded.
//
// Exact because the key holds all that the course depends on: the program, and either how its operands lie, or their addresses, the
// memory's state relative to the start (banks, rows, buses, queue, the refresh calendar) and where the start lies between the edges
// of both clocks. Keys are compared in full. The record holds all that the course left behind: its outcome, the memory's state and
// counters, and when unit and memory were busy.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/model/compute/step_memo.hpp"
#include "sim/model/compute/tile_engine.hpp"
#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

class PhaseMemo final {
 public:
  enum class Use { on, off };

  /// What a program starts from: addresses, clocks, memory; in phase: places.
  using State = std::vector<std::int64_t>;
  struct Record {
    Time start{0};
    TileEngine::Outcome outcome;
    BusyIntervals unit;
    std::unique_ptr<Memory::Change> memory;
  };

  explicit PhaseMemo(Use use = Use::on) : use_{use} {}

  [[nodiscard]] bool is_used() const { return use_ == Use::on; }
  [[nodiscard]] Record const* find(TileProgram const& program, State const& from) {
    auto const& records = records_[&program];
    auto const found = records.find(from);
    if (found == records.end()) return nullptr;
    missed_ = 0;
    return &found->second;
  }
  /// Whether a computation that is not known is worth recording: not when many were not found,
  /// unless this one has come before.
  [[nodiscard]] bool is_worth_recording(State const& from);
  /// Keeps a record, as long as there is room: records of endless runs must not fill the machine.
  void add(TileProgram const& program, State from, Record record);

  /// Gives back what the records take; what was counted stays.
  void forget();

  /// Tiles that were not worked out again.
  void count_repeated(std::int64_t tiles) { repeated_tiles_ += tiles; }
  [[nodiscard]] std::int64_t repeated_tiles() const { return repeated_tiles_; }

  /// Steps on a core, which must outlive the memo, and its memory.
  [[nodiscard]] StepMemo& steps(arch::CoreSpec const& core) { return steps_[&core]; }
  /// Tiles that repeat steps of other tiles, in computations that were worked out.
  void count_repeated_steps(std::int64_t tiles) { repeated_steps_ += tiles; }
  [[nodiscard]] std::int64_t repeated_steps() const { return repeated_steps_; }

 private:
  static constexpr std::size_t most_intervals = 4'000'000;  // 64 MB
  static constexpr std::size_t most_missed = 32;
  static constexpr std::size_t most_seen = 100'000;

  Use use_;
  std::size_t intervals_ = 0;
  std::size_t missed_ = 0;                ///< since one was found
  std::unordered_set<std::size_t> seen_;  ///< hashes of states that were not recorded
  std::int64_t repeated_tiles_ = 0;
  std::int64_t repeated_steps_ = 0;
  std::unordered_map<TileProgram const*, std::map<State, Record>> records_;
  std::map<arch::CoreSpec const*, StepMemo> steps_;
};

}  // namespace tessera::sim

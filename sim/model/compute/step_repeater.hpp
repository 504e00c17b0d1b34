// Runs tile programs on a tile engine, step by step (step_memo.hpp), and repeats steps whose course is known: exactly what the engine and
// its memory would do (test/sim/model/compute/step_repeater_test.cpp, test/laws/skipping_test.cpp).
//
// While steps are repeated, engine and memory stay behind: their state is a name (StepStateId), a time and a block. Where a course is
// not known they catch up, and the step is worked out and its course kept. A course that is free of refreshes may be used where all its
// commands come in time before the next refresh; what stays quiet longer than that finds its memory refreshed.
//
// Looking costs little where little repeats (record/patience.hpp).
// Leaves out: beginnings and ends of kernels; memories whose requests may overtake each other.
#pragma once

#include "sim/model/compute/step_memo.hpp"
#include "sim/model/compute/tile_engine.hpp"
#include "sim/model/record/patience.hpp"

namespace tessera::sim {

class StepRepeater final {
 public:
  /// All must outlive it. The memory must not be used by others while a program runs.
  StepRepeater(TileEngine& engine, Clock clock, CalmMemory& memory, BusyHistogram& utilisation,
               StepMemo& memo);

  /// As TileEngine::run().
  [[nodiscard]] TileEngine::Outcome run(TileProgram const& program,
                                        TileEngine::Addresses const& addresses, Time start);

  /// Tiles that were not worked out again.
  [[nodiscard]] std::int64_t repeated_tiles() const { return repeated_tiles_; }

 private:
  using Role = StepKind::Role;

  void step(ProgramStep const& step);
  [[nodiscard]] bool locate(StepKind const& kind, ProgramStep const& step);
  [[nodiscard]] bool recognise();
  [[nodiscard]] std::uint64_t block_of(TileMove const& move, Bytes offset) const {
    auto const start = engine_.addresses_[static_cast<std::size_t>(move.operand)];
    return static_cast<std::uint64_t>((start + offset).value()) >> block_bits_;
  }
  [[nodiscard]] bool reaches_end(StepKind const& kind,
                                 std::array<std::uint64_t, 3> const& blocks) const;
  void use(StepCourse const& course);
  void go_to(StepCourse const& course);
  void feel_refresh();
  void work_out(StepKind const& kind, ProgramStep const& step);
  [[nodiscard]] StepCourse course_since(TileEngine::Outcome const& before,
                                        CalmMemory::Used const& used) const;
  void catch_up();
  [[nodiscard]] StepStateId state_now();
  void perform(StepKind const& kind, ProgramStep const& step);

  TileEngine& engine_;
  Clock clock_;
  CalmMemory& memory_;
  CalmMemory::Rules rules_;
  BusyHistogram& utilisation_;
  BusyHistogram& memory_utilisation_;
  StepMemo& memo_;
  bool has_end_;             ///< blocks wrap around somewhere
  unsigned block_bits_ = 0;  ///< logarithm of a block's bytes

  // Where a run is. Without a state, in engine and memory alone.
  std::optional<StepStateId> state_;
  bool caught_up_ = true;     ///< engine and memory are there, too
  Time now_{0};               ///< when the next step asks
  std::int64_t cycle_ = 0;    ///< the same, of the memory
  std::int64_t refresh_ = 0;  ///< the next refresh
  std::int64_t since_refresh_ =
      -1;                        ///< clocks, if one has come since the step before; else below 0
  std::uint64_t block_ = 0;      ///< from where on the state counts banks
  StepKey key_;                  ///< of the step that is looked for
  CalmMemory::Counts counts_{};  ///< of the memory, repeated and not counted yet

  Patience patience_;
  std::int64_t repeated_tiles_ = 0;
};

}  // namespace tessera::sim

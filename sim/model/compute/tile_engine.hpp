// The timing of a tile program: one DMA engine, two buffers for each operand, and waits where a tile is late.
//
// The engine asks in this order: load tile t, then store the sums that tile t - 1 finished, then load tile t + 1. With A[t]
// when tile t is all there, C[t] when it is computed and D when the engine asked last,
//
//   ask load    D = max(D, C[t - 2])          a buffer is free once the tile that was in it is computed
//   compute     C[t] = edge(max(C[t - 1], A[t])) + cycles
//   ask store   D = max(D, C[t - 1])
//
// A kernel begins when all of the kernel before is stored, and asks for its first tile a start later. Where kernels begin in phase
// (kernel_memory.hpp), edges are counted from the beginning of a kernel, and the memory begins afresh there, so that what it does
// does not depend on when that is.
//
// The memory serves what it is asked for in order. Where others use it, too, a program is run piece by piece, as far as time has come;
// else in one go. test/support holds the same in a step per clock.
// Leaves out: banks of the scratchpad and their conflicts; the time to set up a transfer.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "arch/base/clock.hpp"
#include "sim/model/compute/tile_program.hpp"
#include "sim/model/memory/memory.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

class TileEngine final {
 public:
  /// Where the operands lie in memory.
  using Addresses = OperandAddresses;

  struct Outcome {
    Time end{0};       ///< the last tile is computed and stored
    Time computed{0};  ///< in which the arrays were at work
    Time waited{0};    ///< in which they were not: for tiles, and at the end for the last store
    std::int64_t tiles = 0;
    std::int64_t late_tiles = 0;  ///< that the arrays waited for
  };

  TileEngine(Clock clock, Memory& memory, BusyHistogram& utilisation)
      : clock_{clock}, memory_{memory}, kernels_{memory.kernels()}, utilisation_{utilisation} {}

  /// Runs a program from `start`, a clock edge, at which all buffers are free.
  [[nodiscard]] Outcome run(TileProgram const& program, Addresses const& addresses, Time start);

  /// The same piece by piece: begin(), ask_before() in order of time until is_over(), outcome().
  void begin(TileProgram const& program, Addresses const& addresses, Time start);
  /// Asks the memory for all that is asked for before `limit`.
  void ask_before(Time limit);
  [[nodiscard]] bool is_over() const { return place_ > steps_.size(); }
  /// When it asks next. Requires that it is not over.
  [[nodiscard]] Time next_ask() const;
  [[nodiscard]] Outcome outcome();

 private:
  friend class StepRepeater;  // does the same, but for what repeats

  /// What a step asks for at once, in this order. The store is of the sums that the step before has
  /// finished; where a kernel begins, they are stored before its first load. Behind the last step
  /// there is a store of its own.
  enum class Piece { before_kernel, loads, store };

  /// Of the clock, from the beginning of the kernel in phase or of time. A picosecond less than
  /// the clock's own, or equal.
  [[nodiscard]] Time edge(Cycles cycle) const {
    return kernels_ != nullptr ? origin_ + clock_.length(cycle) : clock_.edge(cycle);
  }
  [[nodiscard]] Cycles edge_at_or_after(Time time) const {
    return kernels_ != nullptr ? clock_.cycles_of(std::max(time, origin_) - origin_)
                               : clock_.edge_at_or_after(time);
  }

  void restart(Addresses const& addresses, Time start);
  void begin_kernel(Cycles start);
  void load(TileStep const& step);
  [[nodiscard]] Time move(Access access, TileMove const& move);
  void store();
  void compute(TileStep const& step);
  [[nodiscard]] Outcome ended();

  [[nodiscard]] std::optional<Time> time_of_piece() const;
  [[nodiscard]] std::optional<Time> time_of_store() const;
  void do_piece();

  Clock clock_;
  Memory& memory_;
  KernelMemory* kernels_;  ///< where kernels begin in phase
  BusyHistogram& utilisation_;

  // Of the run under way.
  Addresses addresses_{};
  Time start_{0};
  Time origin_{0};           ///< the beginning of the kernel, where kernels are in phase
  Cycles before_kernel_{0};  ///< likewise, of this run
  Time asked_{0};
  Time computed_{0};
  Time computed_before_{0};
  Time stored_{0};
  Time loaded_{0};  ///< when the tile is all there that is asked for
  TileMove to_store_;
  Outcome outcome_;

  // Of one that goes piece by piece.
  std::vector<TileStep> steps_;
  std::size_t place_ = 1;
  Piece piece_ = Piece::before_kernel;
};

}  // namespace tessera::sim

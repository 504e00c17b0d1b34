// Exact cycles of a matrix product on a systolic array, in closed form.
//
// Every operand is cut into folds of the array's size. Of C[m, n] = sum over k of A[m, k] * B[k, n], with R rows and C
// columns of PEs:
//
//   dataflow            rows hold  columns hold  T steps stream  stays in the PEs
//   weight stationary   k          n             m               B
//   input stationary    k          m             n               A
//   output stationary   m          n             k               C
//
// A value moves one PE per cycle, so a fold's T steps leave the far corner after T + R + C - 2 cycles. With F folds:
//
//   serial      F * (L + T + R + C - 2)                          L = R to load what stays; 0 for outputs, whose
//                                                                drain is not counted
//   overlapped  R + (F - 1) * max(T, R) + T + R + C - 2          the R is the first load, or the last drain of outputs
//
// `serial` is SCALE-Sim (Samajdar et al., ISPASS 2020; its code, commit 1d62b68, counts the drain of outputs as hidden).
// `overlapped` has a second register for what stays, as the matrix unit of a TPU has: the next fold shifts in under the
// running one, so a fold takes its steps or R cycles, whichever is more. Folds at an edge pay for the whole array.
//
// Leaves out: the pipeline of a multiplier, waiting for tiles (tile_stream.hpp), zeros.
#pragma once

#include <cstdint>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/gemm.hpp"

namespace tessera::sim {

/// How a product is cut up.
struct Folds {
  std::int64_t across_rows = 1;
  std::int64_t across_columns = 1;
  std::int64_t batch = 1;
  std::int64_t steps = 1;  ///< T

  [[nodiscard]] std::int64_t count() const { return batch * across_rows * across_columns; }
};
[[nodiscard]] Folds folds_of(arch::SystolicArraySpec const& array, Gemm const& gemm);

/// Elements that cross the array's border, from or to scratchpad or accumulators.
struct SystolicAccesses {
  Elements a_reads{0};
  Elements b_reads{0};
  Elements sum_reads{0};  ///< partial sums that are added to
  Elements sum_writes{0};

  [[nodiscard]] Elements total() const { return a_reads + b_reads + sum_reads + sum_writes; }
};

struct SystolicCost {
  Cycles cycles{0};
  Macs macs{0};
  SystolicAccesses accesses;
};

/// How long a product keeps the array from the next one, and what it takes besides when none
/// follows: the first load, the way to the far corner. Serial schedules have no such ramp.
struct SystolicOccupancy {
  Cycles busy{0};
  Cycles ramp{0};
};
[[nodiscard]] SystolicOccupancy occupancy_of(arch::SystolicArraySpec const& array,
                                             Gemm const& gemm);
/// Of the product or, with swappable operands, its transpose, whichever is faster.
[[nodiscard]] SystolicOccupancy best_occupancy(arch::SystolicArraySpec const& array,
                                               Gemm const& gemm);

/// The cost of `gemm`: its occupancy and ramp. Several arrays share the folds, or where that is
/// faster the streamed steps. With swappable operands the faster of the product and its transpose
/// is taken.
[[nodiscard]] SystolicCost systolic_cost(arch::SystolicArraySpec const& array, Gemm const& gemm);

}  // namespace tessera::sim

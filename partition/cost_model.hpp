// The one function that prices a plan. Planners minimise it, reports print it, tests hold the simulator against it.
//
// Communication is what the layouts demand (layout.hpp), level by level: at level h every group of the level above is cut in two
// and the halves exchange what crosses the cut. A tensor of |T| elements costs, summed over both directions of one pair,
//   partial -> split      |T_h|        reduce-scatter
//   partial -> replicated 2 |T_h|      reduce-scatter and all-gather
//   split   -> replicated |T_h|        all-gather
//   split a -> split b    |T_h| / 2
// where T_h is the part of T that the group holds. For HyPar's dp (n) and mp (c) these are its Tables 1 and 2 as evaluated:
//   dp: 2 A(dW);  mp: A(F) forward + A(E) backward;  dp-mp: A(F)/2 + A(E)/2  (each counts both directions).
// Shares are fractions, as in the papers; lowering rounds to whole indices. Where every extent divides, both agree to the byte.
//
// Time is computation plus communication (HyPar's T = T_comp + T_comm), each at its peak rate; overlap is not predicted.
#pragma once

#include <vector>

#include "partition/layout.hpp"
#include "partition/plan.hpp"
#include "partition/solver.hpp"

namespace tessera::partition {

struct Cost {
  double compute_s = 0;
  double communication_s = 0;
  double energy_j = 0;
  std::vector<double>
      level_elements;  ///< crossing each level's cuts, both directions, all groups; [0] is level 1
  Bytes communication{0};  ///< all levels

  [[nodiscard]] double time_s() const { return compute_s + communication_s; }
};

/// Requires a plan that is valid for the problem.
[[nodiscard]] Cost cost(Problem const& problem, Plan const& plan);
[[nodiscard]] Prediction predict(Problem const& problem, Plan const& plan);

/// The multiply-accumulates that an accelerator's processing unit charges for a phase of the whole
/// batch: on the output map, or as HyPar counts, on the input map; none for a free update. Planner
/// and lowering both ask here.
[[nodiscard]] Macs macs_charged(arch::AcceleratorSpec const& accelerator,
                                workloads::Operator const& op, workloads::Phase phase);

/// Elements of a tensor of `elements` that cross the cuts of level `level` (0 = top) on the way
/// from one layout to another, summed over both directions and all groups.
[[nodiscard]] double moved_elements(Layout const& from, Layout const& to, std::size_t level,
                                    double elements);

/// The terms of one level's communication, for planners that search over them. Splits hold at least
/// the levels up to `level`; those below, if any, only matter where they replicate.
class LevelPricer final {
 public:
  LevelPricer(workloads::Network const& network, std::size_t level)
      : network_{&network}, level_{level} {}

  /// Summing the gradient, and for an operator that nobody reads, handing the loss its output and
  /// taking the error back. (The loss is computed where the output lies; a partial sum is scattered
  /// over the samples first.)
  [[nodiscard]] double operator_elements(workloads::OperatorId op, Splits const& splits) const;

  /// Features from producer to consumer and errors back.
  [[nodiscard]] double edge_elements(workloads::OperatorId producer, Splits const& producer_splits,
                                     workloads::OperatorId consumer,
                                     Splits const& consumer_splits) const;

 private:
  workloads::Network const* network_;
  std::size_t level_;
};

}  // namespace tessera::partition

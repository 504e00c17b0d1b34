// Computation under a plan: each accelerator has the share of an operator's loop nest that its halves were given, and computes it at its
// peak rate.
#pragma once

#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

struct Work {
  double slowest_s = 0;  ///< of the accelerator that needs longest
  Energy mac_energy{0};  ///< of the MACs of all accelerators (arch::mac_energy)

  /// Work that follows this.
  Work& operator+=(Work const& next);
};

/// The multiply-accumulates that an accelerator's processing unit charges for a phase of the whole
/// batch: on the output map, or as HyPar counts, on the input map; none for a free update. Planner
/// and lowering both ask here.
[[nodiscard]] Macs macs_charged(arch::AcceleratorSpec const& accelerator,
                                workloads::Operator const& op, workloads::Phase phase);

/// Are they counted on the input map?
[[nodiscard]] bool counts_input_map(arch::AcceleratorSpec const& accelerator,
                                    workloads::Phase phase);

/// What one accelerator needs for a phase of an operator, of the whole batch: at its peak rate, or
/// by its profile. 0 where the operator lacks the phase or it is not charged.
[[nodiscard]] double seconds_on_one(arch::AcceleratorSpec const& accelerator,
                                    workloads::Operator const& op, workloads::Phase phase);

/// A step, which computes so much (computations_of), with all accelerators at that pace and none
/// ever idle: no plan is faster. 0 where one of them is charged nothing.
[[nodiscard]] double least_seconds(workloads::Network const& network, arch::ArraySpec const& array,
                                   std::vector<Computation> const& computations);

/// Throws ConfigError where an accelerator has no time for an operator: a profile that lacks it, or
/// a unit that works times out, from products that a profiled operator does not tell.
void check_times(Problem const& problem);

/// The work of one phase of an operator. Every split gives each half its share of the loop nest,
/// but the update works on the weights that are held, and without a split both halves compute the
/// same. Levels that `splits` lacks (a planner has not decided them yet) share in proportion to
/// speed.
[[nodiscard]] Work work_of(Problem const& problem, workloads::OperatorId op, Splits const& splits,
                           workloads::Phase phase);

/// The same on accelerators whose hierarchy is not the array's own: those of a stage.
[[nodiscard]] Work work_of(arch::ArraySpec const& array, Hierarchy const& hierarchy,
                           workloads::Operator const& op, Splits const& splits,
                           workloads::Phase phase);

/// All phases of an operator, one after another.
[[nodiscard]] Work work_of(Problem const& problem, workloads::OperatorId op, Splits const& splits);

/// The share of a level's first halves with which both halves take equally long to compute `op`:
/// the root in (0, 1) of
///   alpha E_1 = (1 - alpha) E_2,    alpha = E_2 / (E_1 + E_2)
/// where E_i is the time that half i would need for everything but the update (AccPar's E_cp). E_1
/// and E_2 are those of all first and of all second halves of the level together. 0.5 if nothing is
/// charged.
[[nodiscard]] double balanced_share(Problem const& problem, workloads::OperatorId op,
                                    std::size_t level);
/// The same for all operators together.
[[nodiscard]] double balanced_share(Problem const& problem, std::size_t level);

/// Are the accelerators of every group of a level alike, so that all shares balance at 0.5?
[[nodiscard]] bool has_alike_halves(arch::ArraySpec const& array, std::size_t level);

}  // namespace tessera::partition

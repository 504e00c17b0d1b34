// The one function that prices a plan. Planners minimise it, reports print it, tests hold the simulator against it.
//
// Communication is what the layouts demand (traffic.hpp), computation what the splits leave to each accelerator (work.hpp).
//
// Time is computation plus communication (HyPar's T = T_comp + T_comm), each at its peak rate: every phase of every operator takes as
// long as on the slowest accelerator, every exchange as long as for the accelerator that receives most. Overlap is not predicted.
// Energy is that of MACs, of what is exchanged, and of what DRAM spends all the time (background, refresh). Left out: buffers, accesses to
// the accelerators' own memories, links, clocks of cores, element-wise work.
#pragma once

#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

struct Cost {
  double compute_s = 0;
  double communication_s = 0;  ///< of stages: all but the computation of the one with most
  double energy_j = 0;
  std::vector<double>
      level_elements;  ///< crossing each level's cuts, both directions, all groups; [0] is level 1
  Bytes communication{0};  ///< all levels

  [[nodiscard]] double time_s() const { return compute_s + communication_s; }
};

/// Requires a plan that is valid for the problem.
[[nodiscard]] Cost cost(Problem const& problem, Plan const& plan);
[[nodiscard]] Prediction predict(Problem const& problem, Plan const& plan);

/// What an operator's phase has of a plan's cost: its computation, and the conversions that are
/// accounted to it.
struct PhaseCost {
  workloads::OperatorId op;
  workloads::Phase phase = workloads::Phase::forward;
  double seconds = 0;
  Bytes communication{0};
};

/// By operator and phase. Without stages, the seconds add up to Cost::time_s(); of stages, which
/// overlap, they are those of all micro-batches one after another.
[[nodiscard]] std::vector<PhaseCost> phase_costs(Problem const& problem, Plan const& plan);

/// Per level, top first: while every accelerator exchanges with its counterpart there (with each of
/// them in turn, where it has several), the time per byte that each of them receives. A rate, since
/// a plan may move more than a Time can count.
[[nodiscard]] std::vector<double> seconds_per_byte(arch::ArraySpec const& array);

/// The same per element of Traffic::critical.
[[nodiscard]] std::vector<double> seconds_per_element(Problem const& problem);

}  // namespace tessera::partition

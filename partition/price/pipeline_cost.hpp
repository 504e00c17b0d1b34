// What a step of a plan with stages costs: every pass of a stage as the sum of its computations and exchanges, as cost_model.hpp counts
// them, and the stages' programs run with these times.
//
// A pass starts when the one before it on its replica is over and its inputs have arrived. What leaves a stage takes as long as the
// busiest link needs for it, beside the sender's computation where the array overlaps the two: of as many replicas at once as both stages
// have, and one message of a replica after another, at its sender and at its receiver. Other stages' messages and sums of gradients do
// not slow it down on shared links, and the latter hold up only those who need the new weights: where weights are tied, stages of all their
// copies.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/stage_pricer.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// An operator and one of its phases.
using PhaseKey = std::pair<workloads::OperatorId, workloads::Phase>;

struct PipelineCost {
  double time_s = 0;
  double compute_s = 0;                   ///< of the stage that computes longest
  double mac_energy_j = 0;                ///< of all accelerators
  std::vector<double> level_elements;     ///< by level of the array, as Cost has them
  std::map<PhaseKey, ActionCost> phases;  ///< of all micro-batches, one after another
};

/// Of a step; operators take what `times` says, or if that is unset, what work_of() counts.
/// Requires a valid plan with a pipeline.
[[nodiscard]] PipelineCost pipeline_cost(Problem const& problem, Plan const& plan, Step const& step,
                                         OperatorTimes const& times = {});

}  // namespace tessera::partition

// FlexFlow's strategies (Jia et al., SysML'19, section 4): each operator is split and placed by itself. What one operator does is its
// configuration; a strategy has one of each, independent of the others; a move changes one.
//
// A strategy is a plan with schedule `layerwise`, all samples at once, and a stage for each operator: what an operator reads comes to its
// accelerators from wherever it was made. Operators that share weights and have the same configuration are one stage, so that their
// gradients are added where they are. A device has one part of an operator at most (FlexFlow's released search allows more).
#pragma once

#include <string>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

/// For example {{{4, 5, 6, 7}, {2, 2}}, {n, k}}: accelerators 4 and 5 have the first samples, 4 and
/// 6 the first channels of theirs.
struct OperatorConfig {
  DeviceMesh mesh;
  Splits splits;  ///< by axis of the mesh

  friend bool operator==(OperatorConfig const& a, OperatorConfig const& b) {
    return a.mesh == b.mesh && a.splits == b.splits;
  }
  friend bool operator!=(OperatorConfig const& a, OperatorConfig const& b) { return !(a == b); }
};

/// This operator, this configuration.
struct OperatorMove {
  workloads::OperatorId op;
  OperatorConfig config;
};

using Strategy = IdVector<workloads::OperatorId, OperatorConfig>;

/// Not priced. Requires configurations that are legal for the operators.
[[nodiscard]] Plan plan_of(std::string planner, Problem const& problem, Strategy const& strategy);

/// Of a plan without stages, or with stages of `layerwise`; an operator whose backward phases are
/// split otherwise has its forward phase's.
[[nodiscard]] Strategy strategy_of(Plan const& plan);

/// Every operator split over its samples on as many accelerators as divide them: data parallelism
/// (FlexFlow's first initial strategy).
[[nodiscard]] Strategy data_parallel_strategy(Problem const& problem);

/// `degree` as the axes of a mesh: its prime factors, the largest first.
[[nodiscard]] std::vector<std::size_t> axes_of(std::size_t degree);

}  // namespace tessera::partition

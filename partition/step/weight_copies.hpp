// Copies of weights: where operators share weights (workloads/weight_ties.hpp), who has them, and what sums their gradients.
//
// Operators of one stage that read the weights in one layout have one copy of them and one gradient, to which all of them add: it is
// summed and updated once. Others have a copy each. Then the sum of a copy's gradients goes to every other copy, which adds it to its
// own, so that all are updated with the same and stay equal:
//   dW of copy i = sum over copies j of the sum over the operators, accelerators and replicas of copy j
// Between two stages that is the all-reduce of Megatron-LM's first and last one: of V h / t elements each sends as many and
// receives as many, when the sums of both are there. (Among three or more copies a ring would send less.)
#pragma once

#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/step/conversion.hpp"

namespace tessera::partition {

/// What makes a sum of the gradients that operators of one copy leave in one layout.
struct GradientSum {
  workloads::OperatorId holder;                  ///< stands for the copy
  std::vector<workloads::OperatorId> operators;  ///< whose gradients are added where they are
  std::vector<Conversion> conversions;           ///< of what they leave, one after another
};

class WeightCopies final {
 public:
  /// `parts` says where each operator is. All must outlive this.
  WeightCopies(workloads::Network const& network, Plan const& plan,
               IdVector<workloads::OperatorId, StagePart> const& parts);

  /// By operator: the first in the network's order of those that have its copy of the weights.
  [[nodiscard]] IdVector<workloads::OperatorId, workloads::OperatorId> const& holders() const {
    return holders_;
  }

  /// Of all operators that share weights with `op`, which has some.
  [[nodiscard]] std::vector<GradientSum> sums_of(workloads::OperatorId op) const;

  /// The sum of one copy's gradients, to where another copy lies.
  [[nodiscard]] Conversion between(workloads::OperatorId holder, workloads::OperatorId other) const;

 private:
  [[nodiscard]] Layout layout_of(workloads::OperatorId op) const;
  [[nodiscard]] std::vector<Conversion> conversions_of(workloads::OperatorId op) const;

  workloads::Network const& network_;
  Plan const& plan_;
  IdVector<workloads::OperatorId, StagePart> const& parts_;
  IdVector<workloads::OperatorId, workloads::OperatorId> holders_;
};

}  // namespace tessera::partition

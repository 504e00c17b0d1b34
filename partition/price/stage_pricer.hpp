// What one action of a stage costs: its accelerators as an array of their own, replica by replica alike.
#pragma once

#include <vector>

#include "arch/array/topology.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/operator_times.hpp"
#include "partition/price/traffic.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// What one action costs.
struct ActionCost {
  double seconds = 0;
  double mac_energy_j = 0;
  std::vector<double> level_elements;  ///< by level of the array
};

/// How many of a stage's accelerators each action is for, and how long their exchanges take.
class StagePricer final {
 public:
  /// `times` unset: as work_of() counts.
  StagePricer(Problem const& problem, Step const& step, Plan const& plan, Stage const& stage,
              OperatorTimes const& times = {});

  [[nodiscard]] ActionCost computation(Action const& action, Splits const& splits) const;

  /// Within the stage.
  [[nodiscard]] ActionCost conversion(Action const& action) const;

  /// What holders_of() a replica do with a tensor before it leaves, or after it has come.
  [[nodiscard]] ActionCost exchange(Conversion const& conversion, bool of_all_replicas) const;

  /// Of all replicas.
  [[nodiscard]] MeshHolders holders() const;

  /// Of one; the first has the first micro-batch.
  [[nodiscard]] MeshHolders holders_of(std::size_t replica) const;

  [[nodiscard]] std::size_t replicas() const { return stage_->replicas; }

 private:
  [[nodiscard]] double compute_s(workloads::Operator const& op, workloads::Phase phase,
                                 Splits const& splits) const;
  [[nodiscard]] ActionCost as_sent(Conversion const& conversion, bool of_all_replicas) const;
  [[nodiscard]] double seconds_per_element(std::size_t axis) const;
  [[nodiscard]] std::size_t level_of(std::size_t axis) const;

  arch::ArraySpec const* array_;
  workloads::Network const* network_;
  Stage const* stage_;
  Hierarchy hierarchy_;
  Tiling tiling_;
  ArrayShape shape_;
  arch::ArraySpec of_stage_;
  arch::Topology topology_;
  std::vector<double> rates_;        ///< seconds per element, by axis
  std::vector<std::size_t> levels_;  ///< of the array, by axis
  OperatorTimes times_;
};

}  // namespace tessera::partition

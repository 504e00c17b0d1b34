// What HyPar minimises at one level: communication between the two halves of every group, in elements.
#pragma once

#include <vector>

#include "partition/cost_model.hpp"
#include "partition/solver.hpp"

namespace tessera::partition {

/// HyPar's choices for an operator, dp first: n, and c where the operator has one.
[[nodiscard]] std::vector<workloads::Dim> hypar_choices(workloads::Operator const& op);

/// The cost model's terms of one level, plus what the printed Table 2 charges beyond them.
class HyParObjective final {
 public:
  HyParObjective(workloads::Network const& network, SolverOptions const& options, std::size_t level)
      : network_{&network}, options_{options}, level_{level}, pricer_{network, level} {}

  /// Splits end with the choice at this level.
  [[nodiscard]] double operator_cost(workloads::OperatorId op, Splits const& splits) const {
    return pricer_.operator_elements(op, splits);
  }
  [[nodiscard]] double edge_cost(workloads::OperatorId producer, Splits const& producer_splits,
                                 workloads::OperatorId consumer,
                                 Splits const& consumer_splits) const;

 private:
  workloads::Network const* network_;
  SolverOptions options_;
  std::size_t level_;
  LevelPricer pricer_;
};

}  // namespace tessera::partition

// The communication that HyPar (HPCA'19, Tables 1 and 2) and AccPar (HPCA'20) print for a level, in their words:
//
//   within layer l         I: A(W_l)          II: A(F_l+1)       III: A(E_l)
//   from layer l to l+1    to I               to II              to III
//     I                    0                  (A(F) + A(E)) / 4  A(F) / 2
//     II                   A(E) / 2           A(E) / 2           0
//     III                  (A(F) + A(E)) / 4  0                  A(F) / 2
//
// with F = F_l+1 and E = E_l+1 as large as layer l+1's input still is. HyPar's dp is I, its mp is II. With shares alpha and beta, 1/4 is
// alpha beta and 1/2 what the half lacks (AccPar). In words of
// layouts: a partial sum is all-reduced at once, whoever reads it, and only what is not replicated then moves. (The layouts themselves
// ask for less: cost_model.hpp joins the sum and the move to a reduce-scatter.) The papers count one direction of one pair; here it is
// Traffic::critical, both directions of all pairs, as everywhere in Tessera.
//
// The tables know layers only, so operators that merely rename what lies in memory (recast) are looked through.
#pragma once

#include <vector>

#include "partition/geometry/layout.hpp"
#include "partition/price/traffic.hpp"
#include "partition/search/level_problem.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

class PrintedTables final : public Objective {
 public:
  PrintedTables(workloads::Network const& network, std::size_t level, Pace pace = {})
      : network_{&network}, level_{level}, pace_{pace} {}

  /// Within an operator.
  [[nodiscard]] double operator_cost(workloads::OperatorId op, Splits const& splits) const override;

  /// From one operator to another, through recasts.
  [[nodiscard]] std::vector<Edge> edges() const override;

  /// `edge.tensor` gives the size; it need not be the producer's own.
  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override;

 private:
  [[nodiscard]] double held(workloads::TensorAccess const& access, Layout const& layout) const;
  [[nodiscard]] double summed(workloads::TensorAccess const& access, Splits const& splits) const;

  workloads::Network const* network_;
  std::size_t level_;
  Pace pace_;
};

}  // namespace tessera::partition

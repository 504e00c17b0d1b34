#include "partition/solvers/hypar_objective.hpp"

#include <cmath>

#include "partition/layout.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// What all groups of a level hold of a tensor together, when a group holds half of it for every
/// outer level that splits it.
double held_by_groups(Layout const& layout, std::size_t level, double elements) {
  double held = elements * std::exp2(static_cast<double>(level));
  for (std::size_t outer = 0; outer < level; ++outer) {
    if (layout[outer].kind == Holding::Kind::split) held /= 2;
  }
  return held;
}

}  // namespace

std::vector<Dim> hypar_choices(workloads::Operator const& op) {
  if (op.can_split(Dim::c)) return {Dim::n, Dim::c};
  return {Dim::n};
}

double HyParObjective::edge_cost(OperatorId producer, Splits const& producer_splits,
                                 OperatorId consumer, Splits const& consumer_splits) const {
  auto const cost = pricer_.edge_elements(producer, producer_splits, consumer, consumer_splits);
  bool const producer_is_mp = producer_splits[level_] == Dim::c;
  if (options_.inter_layer == SolverOptions::InterLayer::as_evaluated || !producer_is_mp) {
    return cost;
  }
  // Table 2 as printed: mp-mp and mp-dp cost 0.5 A(E_{l+1}) each way, on top of Table 1's A(F_{l+1}).
  auto const& input = input_of(network_->at(consumer), network_->at(producer).output.tensor);
  auto const errors = static_cast<double>(network_->at(input.tensor).elements().value());
  return cost + held_by_groups(layout_read(input, consumer_splits), level_, errors);
}

}  // namespace tessera::partition

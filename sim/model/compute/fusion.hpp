// Which element-wise operators share a kernel with a product, as XLA joins them: a pass that reads what a product makes works on
// sums as they leave the matrix units, one that only a product reads on tiles as they arrive there. What such a pass would load or
// store besides is then no traffic of its own.
//
// Only where there is a vector unit beside the matrix units. The network decides, whatever the plan: leaves out that a tensor that changes hands between two operators is written in between.
#pragma once

#include "workloads/network.hpp"

namespace tessera::sim {

/// An operator's neighbours.
struct Fusion {
  bool behind_product = false;       ///< an input is made by a product and read by nothing else
  bool in_front_of_product = false;  ///< the output is read by one operator, a product
};

[[nodiscard]] IdVector<workloads::OperatorId, Fusion> fusions_of(
    IdVector<workloads::OperatorId, workloads::Operator> const& operators);

}  // namespace tessera::sim

// Conversions: what has to move between the computations of a training step, because a tensor is read in another layout than the one
// in which it was computed. The one place that says which there are; the price (traffic.hpp) and the tasks (sim/lower) of each follow
// from it.
//
// With X -> [producer] -> Y -> [consumer], a step has
//   features        Y from the producer's layout to the consumer's, which then fetches the halo of its windows
//   errors          dY back, the halo's summands first
//   gradient sums   dW, summed over all accelerators that computed summands of the same part
//   the loss's      Y of an operator that nobody reads, to where the loss is computed, and its error back
#pragma once

#include <optional>
#include <vector>

#include "partition/geometry/layout.hpp"

namespace tessera::partition {

/// What windows reach beyond their part of an input (halo.hpp). Valid as long as the network and
/// the splits that it was made from.
struct HaloOf {
  workloads::OperatorId reader;
  workloads::TensorAccess const* input = nullptr;
  Splits const* splits = nullptr;  ///< the reader's
};

struct Conversion {
  enum class Kind {
    features,      ///< halo, if any: fetched after the tensor is in its new layout
    errors,        ///< halo, if any: given back before
    gradient_sum,  ///< of the flattened parts, whatever their axes (reshard.hpp: all_reduce)
  };
  Kind kind = Kind::features;
  workloads::TensorId tensor;
  Layout from;
  Layout to;
  std::optional<HaloOf> halo = std::nullopt;
};

/// Y from `producer`, split like this, to `consumer`, split like that.
[[nodiscard]] Conversion features_between(workloads::Network const& network,
                                          workloads::OperatorId producer,
                                          Splits const& producer_splits,
                                          workloads::OperatorId consumer,
                                          Splits const& consumer_splits);

/// dY from `consumer` back to `producer`.
[[nodiscard]] Conversion errors_between(workloads::Network const& network,
                                        workloads::OperatorId producer,
                                        Splits const& producer_splits,
                                        workloads::OperatorId consumer,
                                        Splits const& consumer_splits);

/// The sum of dW. Requires a weight.
[[nodiscard]] Conversion gradient_sum(workloads::Operator const& op, Splits const& splits);

/// Y of an operator that nobody reads to where the loss is computed from it, and the error back.
[[nodiscard]] Conversion output_to_loss(workloads::Operator const& op, Splits const& splits);
[[nodiscard]] Conversion error_from_loss(workloads::Operator const& op, Splits const& splits);

}  // namespace tessera::partition

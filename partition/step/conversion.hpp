// Conversions: what has to move between the computations of a training step, because a tensor is read in another layout than the one
// in which it was computed. The one place that says which there are; the price (traffic.hpp) and the tasks (sim/lower) of each follow
// from it.
//
// With X -> [producer] -> Y -> [consumer], a step has
//   features        Y from the producer's layout to the consumer's, which then fetches the halo of its windows
//   errors          dY back, the halo's summands first
//   gradient sums   dW, summed over all accelerators that computed summands of the same part
//   of copies       dW of weights that operators share, from where one has them to where another has (weight_copies.hpp)
//   of phases       where a backward phase of an operator is split otherwise than its forward phase: X, W and dY to where it reads
//                   them, dW to where W lies
//   the loss's      Y of an operator that nobody reads, to where the loss is computed, and its error back
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "partition/geometry/group_collective.hpp"
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
    phases,        ///< of an operator's own, from one phase to another
    copies,        ///< gradients of shared weights, from one copy to another, which adds them
  };
  Kind kind = Kind::features;
  workloads::TensorId tensor;
  Layout from;
  Layout to;
  std::optional<HaloOf> halo = std::nullopt;
  /// How sums and gathers are made (of a conversion to another stage, among the senders); none:
  /// level by level.
  std::shared_ptr<GroupCollective const> collective = nullptr;
  arch::SumPieces pieces = arch::SumPieces::exact;  ///< of a gradient's sum
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

/// dW, of which phases split like `written` leave summands, to where W is read by those split like
/// `kept`: the sums are scattered where no part of W is held twice, else complete first. Each of
/// several replicas, along the first axis, has summands of its own micro-batches. Requires a
/// weight.
[[nodiscard]] std::vector<Conversion> gradient_to_weights(workloads::Operator const& op,
                                                          Splits const& written, Splits const& kept,
                                                          std::size_t replicas = 1);

/// A tensor that a phase of an operator reads, to where another phase of it does; none where they
/// read it alike.
[[nodiscard]] std::optional<Conversion> between_phases(workloads::TensorAccess const& access,
                                                       Splits const& from, Splits const& to);

/// Y of an operator that nobody reads to where the loss is computed from it, and the error back to
/// where the first backward phase reads it.
[[nodiscard]] Conversion output_to_loss(workloads::Operator const& op, Splits const& forward);
[[nodiscard]] Conversion error_from_loss(workloads::Operator const& op, Splits const& forward,
                                         Splits const& backward);

}  // namespace tessera::partition

// Operators that are equal in all but their names, as those of every layer of a transformer: what
// is worked out for the parts of one holds for all.
#pragma once

#include "partition/geometry/tiling.hpp"

namespace tessera::partition {

class EqualOperators final {
 public:
  /// Of a network that `tiling` is of.
  EqualOperators(workloads::Network const& network, Tiling const& tiling);

  /// The first one with the same loops, tensors, splits of every phase, and parts: an accelerator
  /// has as much of it as of `op`, in the same ranges of every axis and loop.
  [[nodiscard]] workloads::OperatorId first_like(workloads::OperatorId op) const {
    return first_like_[op];
  }
  /// Is another one equal to it?
  [[nodiscard]] bool has_equals(workloads::OperatorId op) const {
    return counts_[first_like_[op]] > 1;
  }

 private:
  IdVector<workloads::OperatorId, workloads::OperatorId> first_like_;
  IdVector<workloads::OperatorId, std::size_t> counts_;  ///< at the first of those that are equal
};

}  // namespace tessera::partition

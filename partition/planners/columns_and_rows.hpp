// Tensor parallelism as Megatron-LM has it (Shoeybi et al., arXiv:1909.08053, section 3): of two products in a row the first is split over
// output channels (columns), the second over input channels (rows), so that nothing moves between them and one sum follows the second.
//
// An operator that finds its input split over channels, or heads, goes on as its kind allows: a product takes rows, attention its
// heads, and what works on every channel by itself keeps the split. Others begin anew with columns, or are computed by all accelerators
// (sums and normalisations of whole rows). Tables of embeddings are split over their features, not over the words as in Megatron-LM; the
// output that nobody reads stays split, as its loss can be. What multiplies but has not so many parts (heads on a large array, LSTMs
// at all) is split over samples at the levels that are left.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "arch/base/contract.hpp"
#include "arch/base/hierarchy.hpp"
#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

class ColumnsAndRows final {
 public:
  /// By level: do its parts share every operator? Of the others they split samples.
  using SharedLevels = std::vector<bool>;
  /// The innermost ones, from `begin` on.
  [[nodiscard]] static SharedLevels innermost(Hierarchy const& hierarchy, std::size_t begin);

  /// Requires that the network outlives this.
  ColumnsAndRows(workloads::Network const& network, Hierarchy const& hierarchy, SharedLevels shared)
      : network_{network},
        hierarchy_{hierarchy},
        shared_{std::move(shared)},
        has_split_channels_(network.tensors().size()) {
    EXPECTS(shared_.size() == hierarchy_.levels(), shared_.size(), hierarchy_.levels());
  }

  /// Operators come in the network's order.
  [[nodiscard]] Splits splits_of(workloads::OperatorId id);

 private:
  [[nodiscard]] bool finds_split_channels(workloads::Operator const& op) const;
  [[nodiscard]] std::optional<workloads::Dim> dim_of(workloads::Operator const& op) const;

  workloads::Network const& network_;
  Hierarchy hierarchy_;
  SharedLevels shared_;
  std::vector<bool> has_split_channels_;  ///< by tensor
};

}  // namespace tessera::partition

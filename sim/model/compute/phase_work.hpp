// What a phase consists of before it is put on a core: its element-wise work, the padding of its products, the rules that
// their tiles obey.
#pragma once

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/compute_cost.hpp"
#include "sim/model/compute/tiling.hpp"
#include "sim/model/compute/vector_unit.hpp"

namespace tessera::sim {

/// The element-wise work of a phase, pass by pass. Beside products it is one pass over their
/// results (an activation), whose elements never leave the core.
[[nodiscard]] std::vector<VectorPass> vector_passes(OperatorShape const& shape,
                                                    workloads::Phase phase,
                                                    ComputeOptions const& options);

/// What the array multiplies: dimensions padded with zeros. Samples are part of m, or in gradients
/// of k; where the taps are 1 x 1, positions fill up the rows as well as samples do. Memory holds
/// no padding: a compiler lays tensors out so that little of it is needed.
class Padding final {
 public:
  Padding(arch::TilePadding const& padding, OperatorShape const& shape, workloads::Phase phase);

  [[nodiscard]] Gemm operator()(Gemm gemm) const;

 private:
  arch::TilePadding padding_;
  workloads::Phase phase_;
  Share samples_;
};

/// Tiles in whole folds of the dimensions that lie across the array.
[[nodiscard]] TileRules tile_rules(arch::SystolicCoreSpec const& core, OperandShares const& shares,
                                   ComputeOptions const& options);

/// From the beginning of a kernel to its first load.
[[nodiscard]] Cycles kernel_start(arch::CoreSpec const& spec);

}  // namespace tessera::sim

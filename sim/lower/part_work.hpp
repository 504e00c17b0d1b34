// What one accelerator's part of an operator's phase amounts to: MACs, loop bounds, elements read and written.
#pragma once

#include "arch/array/array_spec.hpp"
#include "partition/geometry/tiling.hpp"
#include "sim/task/task_graph.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

struct PartWork : Part {
  Macs macs{0};
  Elements read{0};              ///< elements of the tensors that the phase reads
  Elements written{0};           ///< elements of the tensor that it computes
  OperandAddresses addresses{};  ///< where they lie, if that is known
};

/// Of the accelerator at `position` of the mesh that `tiling` is of. Nothing where the operator is
/// a view.
[[nodiscard]] PartWork part_work(workloads::Network const& network,
                                 arch::AcceleratorSpec const& accelerator,
                                 partition::Tiling const& tiling, workloads::OperatorId op,
                                 workloads::Phase phase, std::size_t position);

}  // namespace tessera::sim

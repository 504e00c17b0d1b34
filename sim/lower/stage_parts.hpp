// A stage of a step: its accelerators that have tasks, and what they do when it is their turn.
#pragma once

#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/base/folding.hpp"
#include "partition/geometry/mesh_transfer.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/schedule/program_walk.hpp"
#include "partition/step/placement.hpp"
#include "partition/step/step.hpp"

namespace tessera::sim {

/// A stage of a step, with the parts that its accelerators hold.
struct StageParts {
  partition::Stage const* stage;
  partition::Tiling const* tiling;
  std::vector<partition::Holders> of_replica;  ///< positions that have tasks
  partition::Holders all;                      ///< of all replicas

  [[nodiscard]] partition::MeshHolders holders(partition::Holders positions) const {
    return {*tiling, stage->mesh, std::move(positions)};
  }
  /// Of all positions, whether they have tasks or not.
  [[nodiscard]] partition::MeshHolders all_holders() const {
    return partition::all_holders(*tiling, stage->mesh);
  }
};

/// Of a folded array, only representatives have tasks.
[[nodiscard]] StageParts parts_of(partition::Step const& step, partition::StageId id,
                                  Folding const& folding);

/// What a slot of a stage does, in the step's order; an update is of all chunks.
[[nodiscard]] std::vector<partition::ActionId> actions_of(partition::Step const& step,
                                                          partition::Turn const& turn);

/// Of tensors: where the address map of a DRAM goes on to other banks (arch::tensor_alignment());
/// of large ones where it comes to the same banks again, so that what is smaller or of an odd size
/// does not rotate the banks of equal layers behind it against those of their weights.
[[nodiscard]] partition::Alignment alignment_of(arch::MemorySpec const& memory);

}  // namespace tessera::sim

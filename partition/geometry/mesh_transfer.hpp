// From one mesh to another: how a tensor gets from those who hold it in one layout to others who read it in another layout, when no
// hierarchy joins the two. Each part that a receiver lacks comes from its nearest holder, in one message.
#pragma once

#include <vector>

#include "partition/geometry/reshard.hpp"
#include "partition/plan/device_mesh.hpp"

namespace tessera::partition {

/// Those of a mesh's accelerators that hold parts of tensors: all, or those of one replica.
struct MeshHolders {
  Tiling const& tiling;
  DeviceMesh const& mesh;
  Holders positions;
};

/// Of all positions.
[[nodiscard]] MeshHolders all_holders(Tiling const& tiling, DeviceMesh const& mesh);

/// Exchanges between positions of a mesh as those between its accelerators.
[[nodiscard]] std::vector<ReshardStep> on_devices(DeviceMesh const& mesh,
                                                  std::vector<ReshardStep> between_positions);

/// Exchanges between accelerators (not positions), by receiver. Of several holders of the same part
/// the nearest one sends: the receiver itself, else the one with which it shares the smallest group
/// of `array`; of equally near ones, between meshes of the same axes, those in the same part along
/// the most of them; of these they take turns, so that receivers do not all ask the same one.
///
/// For example rows in halves on {0, 1} to columns in halves on {2, 3}: 0 and 1 send a quarter each
/// to 2 and to 3. Whole copies on {0, 1} to whole copies on {2, 3}: 0 sends to 2 and 1 to 3.
/// Requires layouts without partial sums.
[[nodiscard]] std::vector<Exchange> mesh_transfer(Hierarchy const& array,
                                                  workloads::TensorId tensor,
                                                  MeshHolders const& senders, Layout const& from,
                                                  MeshHolders const& receivers, Layout const& to);

}  // namespace tessera::partition

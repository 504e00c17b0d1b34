// A conversion as what accelerators send each other, in whole elements.
#pragma once

#include <optional>
#include <vector>

#include "partition/geometry/mesh_transfer.hpp"
#include "partition/geometry/reshard.hpp"
#include "partition/geometry/ring_sum.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/step/conversion.hpp"

namespace tessera::partition {

/// The exchanges of a conversion that `holders` take part in as receivers (of a gradient's sum: as
/// receivers of summands and senders of sums), one step after another; empty when nothing has to
/// move.
[[nodiscard]] std::vector<ReshardStep> exchanges_of(Tiling const& tiling,
                                                    Conversion const& conversion,
                                                    Holders const& holders,
                                                    Waits waits = Waits::said);

/// A gradient's sum in rings, of all accelerators or of groups; none if it is no such sum.
[[nodiscard]] std::optional<RingSum> ring_sum_of(Tiling const& tiling,
                                                 Conversion const& conversion);

/// Of a conversion to another stage, what its senders do among themselves before it leaves.
[[nodiscard]] Conversion before_crossing(Conversion conversion);

/// The exchanges of a conversion from one stage to another (a gradient's sum stays in its own).
/// Between accelerators, not positions.
struct Crossing {
  std::vector<ReshardStep> before;  ///< among the senders
  std::vector<Exchange> across;     ///< all at once
  std::vector<ReshardStep> after;   ///< among the receivers
};

/// Partial sums are scattered over the samples before they leave. Halos are fetched by readers once
/// the features are there, and given back before errors leave.
[[nodiscard]] Crossing crossing_of(Hierarchy const& array, Conversion const& conversion,
                                   MeshHolders const& senders, MeshHolders const& receivers,
                                   Waits waits = Waits::said);

}  // namespace tessera::partition

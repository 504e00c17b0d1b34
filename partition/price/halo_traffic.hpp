// What halos move (geometry/halo.hpp), with shares as fractions.
#pragma once

#include "partition/price/traffic.hpp"

namespace tessera::partition {

/// What fetching a halo, or giving its errors back, moves at `level` (0 = top), with shares as
/// fractions. Assumes that the rows of a part are adjacent (tiling.hpp says when) and at least as
/// many as a halo has. All of an axis' halos cross the outermost of the levels that split it: that
/// is cut last, so parts that follow each other always differ in it.
[[nodiscard]] Traffic halo_traffic(workloads::Network const& network,
                                   workloads::TensorAccess const& input, Splits const& splits,
                                   std::size_t level, ArrayShape const& shape);

}  // namespace tessera::partition

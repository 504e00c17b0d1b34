// The slow twin of a tiled product: every tile in its turn, with the times of every load, computation and store written
// down.
#pragma once

#include <functional>
#include <vector>

#include "sim/model/compute/tile_stream.hpp"

namespace tessera::sim {

/// Runs what stream() computes, tile by tile; the traffic is counted load by load.
[[nodiscard]] StreamCost run_tile_twin(TileRules const& rules, Gemm const& gemm,
                                       Tiling const& tiling, MemoryPort const& memory,
                                       TileTimes const& times);

/// The same of the tiles of a pass, in order.
[[nodiscard]] StreamCost run_tile_twin(std::vector<PassTile> const& tiles,
                                       MemoryPort const& memory);

}  // namespace tessera::sim

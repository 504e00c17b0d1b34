// Tiles on their way through a scratchpad: one DMA engine, two buffers for each operand, and stalls where a tile is
// late.
//
// The engine works in this order: load tile t, then store the block of sums that tile t - 1 finished, then load tile t +
// 1. With D when the engine is free and E[t] when tile t is computed,
//
//   loaded[t] = max(D, E[t - 2]) + load          a buffer is free once the tile that was in it is computed
//   E[t]      = max(E[t - 1], loaded[t]) + compute
//   stored    = max(D, E[t - 1]) + store
//
// which is a 3 x 3 matrix of max-plus algebra per kind of tile: a nest of loops costs a few matrix powers, exactly.
// Leaves out: latency of memory, banks and their conflicts; other traffic on the same memory (the simulator's memory
// models).
#pragma once

#include <functional>

#include "sim/model/compute/tiling.hpp"

namespace tessera::sim {

/// Memory as the DMA engine sees it.
struct MemoryPort {
  Frequency clock{0};  ///< of the core
  Bandwidth bandwidth{0};

  /// Rounded up to a cycle. Throws ConfigError when that is more than can be counted.
  [[nodiscard]] Cycles transfer(Bytes size) const;
};

struct StreamCost {
  Cycles cycles{0};    ///< all of it
  Cycles computed{0};  ///< of which the array was at work
  Cycles stalled{0};   ///< of which it waited for a tile
  Cycles draining{0};  ///< the last store, after the last tile
  Bytes traffic{0};
  std::int64_t tiles = 0;
};

/// Runs a tiled product. `compute` says how long a tile of the given extents keeps the array.
[[nodiscard]] StreamCost stream(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                                MemoryPort const& memory,
                                std::function<Cycles(Gemm const&)> const& compute);

/// One tile in the order of the loops: what is loaded before it is computed (a count of elements, 0
/// where the tile is already there) and whether its sums are done after it.
struct TileVisit {
  Gemm tile;
  std::int64_t a_place = 0;  ///< of the tile of A among those of its matrix
  std::int64_t b_place = 0;
  std::int64_t c_place = 0;
  std::int64_t a_elements = 0;
  std::int64_t b_elements = 0;
  bool finishes_sums = false;
};

/// Visits all tiles of a product, batch by batch.
void for_each_tile(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                   std::function<void(TileVisit const&)> const& visit);

}  // namespace tessera::sim

// The tile engine (tile_engine.hpp) against a memory of one bandwidth, in closed form: with D when the DMA engine is free and E[t]
// when tile t is computed,
//
//   loaded[t] = max(D, E[t - 2]) + load          a buffer is free once the tile that was in it is computed
//   E[t]      = max(E[t - 1], loaded[t]) + compute
//   stored    = max(D, E[t - 1]) + store
//
// which is a 3 x 3 matrix of max-plus algebra per kind of tile: a nest of loops costs a few matrix powers. Exactly the engine's
// times where every transfer takes whole cycles (TileEngine.OnAMemoryOfOneBandwidthTakesWhatAPhaseCosts); layers of 10^15 MACs
// are answered for at once.
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

/// Of one kernel, whose memory nobody else uses.
struct StreamCost {
  Cycles cycles{0};    ///< all of it
  Cycles computed{0};  ///< of which the array was at work
  Cycles stalled{0};   ///< of which it waited for a tile
  Cycles draining{0};  ///< the last store, after the last tile
  Bytes traffic{0};
  std::int64_t tiles = 0;
};

/// How long tiles of given extents keep the array, and the last one longer: its results leave.
struct TileTimes {
  std::function<Cycles(Gemm const&)> busy;
  Cycles ramp{0};
};

/// Runs a tiled product.
[[nodiscard]] StreamCost stream(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                                MemoryPort const& memory, TileTimes const& times);

/// What the tiles of a pass move and how long they compute.
struct PassTile {
  Bytes load{0};
  Cycles compute{0};
  Bytes store{0};
};

/// Runs a pass of `tiles` tiles (at least one), all like `whole` but the last.
[[nodiscard]] StreamCost stream(PassTile const& whole, PassTile const& last, std::int64_t tiles,
                                MemoryPort const& memory);

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
  bool is_first = false;  ///< of all batches
  bool is_last = false;
};

/// Visits all tiles of a product, batch by batch.
void for_each_tile(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                   std::function<void(TileVisit const&)> const& visit);

}  // namespace tessera::sim

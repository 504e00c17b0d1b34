// Cutting a product into tiles that fit the scratchpad, with the least traffic to memory.
//
// The loops: outer (m or n), inner (the other), k innermost, so that sums never leave the scratchpad before they are
// done. A tile of A or B is loaded when it is another one than in the step before; with T tiles along each dimension and
// m outside,
//
//   A is loaded  T_k = 1 ? 1 : T_n  times,   B  T_k = T_n = 1 ? 1 : T_m  times,   C is stored once.
//
// Two tiles of each of A, B and C are in the scratchpad: one in use, one on its way. Leaves out: keeping a tile for
// longer than the next step, spilling of partial sums.
#pragma once

#include <cstdint>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/gemm.hpp"
#include "sim/model/compute/operator_shape.hpp"

namespace tessera::sim {

/// What tiles are made of.
struct TileRules {
  arch::ScratchpadSpec scratchpad;
  arch::TilePadding granule;  ///< a tile takes up multiples of these in the scratchpad
  Bytes element{2};           ///< of A, B and the stored C
  Bytes sum{4};               ///< of C in the scratchpad
  OperandShares shares;       ///< of A's and B's elements, in memory and on chip
};

/// A way to cut a product. Tiles at the far edges may be smaller.
struct Tiling {
  enum class Outer { m, n };

  Gemm tile;  ///< extents of a whole tile; batch 1
  Outer outer = Outer::m;
};

/// Does a pair of these tiles fit, each in banks of its own?
[[nodiscard]] bool fits(TileRules const& rules, Gemm const& tile);

/// Bytes loaded and stored for all of `gemm`.
[[nodiscard]] Bytes traffic_of(TileRules const& rules, Gemm const& gemm, Tiling const& tiling);

/// The tiling with the least traffic and, among those, the fewest tiles. Throws ConfigError where
/// not even one granule fits.
[[nodiscard]] Tiling choose_tiling(TileRules const& rules, Gemm const& gemm);

/// `extent` in whole multiples of `granule`.
[[nodiscard]] constexpr std::int64_t padded(std::int64_t extent, std::int64_t granule) {
  return ceil_divide(extent, granule) * granule;
}

/// A product whose dimensions are padded with zeros, as XLA lays arrays out.
[[nodiscard]] Gemm padded(Gemm const& gemm, arch::TilePadding const& padding);

}  // namespace tessera::sim

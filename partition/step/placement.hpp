// Places in a memory for blocks that come and go: addresses are used again when what was there is gone.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::partition {

/// Bytes that must be there from one moment to another, both included.
struct MemoryBlock {
  Bytes bytes{0};
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Where blocks may begin.
struct Alignment {
  static constexpr std::int64_t least_periods = 64;

  Alignment(Bytes of_any) : Alignment{of_any, of_any} {}
  /// Blocks that are `least_periods` of `of_large` long, which is a multiple of `of_any`, begin at
  /// multiples of that and take up whole ones.
  Alignment(Bytes of_any, Bytes of_large) : any{of_any}, large{of_large} {}

  /// What a block takes up.
  [[nodiscard]] Bytes rounded(Bytes size) const {
    auto const unit = size >= large * least_periods ? large : any;
    return unit * ceil_ratio(size, unit);
  }

  Bytes any;
  Bytes large;
};

struct Placement {
  std::vector<Bytes> addresses;  ///< by block
  Bytes size{0};                 ///< the end of the highest
};

/// The largest block first (of equal ones the one that begins first), each at the lowest address
/// where nothing lies that is there at the same time. The size is at least most_at_once().
[[nodiscard]] Placement place(std::vector<MemoryBlock> const& blocks, Alignment const& alignment);

/// The most that blocks take up at any moment.
[[nodiscard]] Bytes most_at_once(std::vector<MemoryBlock> const& blocks,
                                 Alignment const& alignment);

}  // namespace tessera::partition

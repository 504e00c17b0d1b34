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

struct Placement {
  std::vector<Bytes> addresses;  ///< by block; multiples of the alignment
  Bytes size{0};                 ///< the end of the highest
};

/// The largest block first (of equal ones the one that begins first), each at the lowest address
/// where nothing lies that is there at the same time. The size is at least most_at_once().
[[nodiscard]] Placement place(std::vector<MemoryBlock> const& blocks, Bytes alignment);

/// The most that is there at any moment, each block's size rounded up to the alignment.
[[nodiscard]] Bytes most_at_once(std::vector<MemoryBlock> const& blocks, Bytes alignment);

}  // namespace tessera::partition

// Sets of up to 64 small numbers, as the bits of a word. Internal to sim/model/fabric.
#pragma once

#include <cstdint>

namespace tessera::sim::detail {

/// The smallest member. Requires one.
[[nodiscard]] inline std::uint32_t lowest(std::uint64_t set) {
  return static_cast<std::uint32_t>(__builtin_ctzll(set));
}

/// The first member at `start` or after, or the first of all. Requires a member.
[[nodiscard]] inline std::uint32_t first_from(std::uint64_t set, std::uint32_t start) {
  auto const later = start >= 64 ? 0 : set >> start << start;
  return lowest(later != 0 ? later : set);
}

[[nodiscard]] inline std::uint64_t bit(std::uint32_t index) { return std::uint64_t{1} << index; }

}  // namespace tessera::sim::detail

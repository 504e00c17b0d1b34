// How much configuration the strict reader takes: far more than any real file, far less than what
// exhausts memory or a stack.
#pragma once

#include <cstddef>

namespace tessera::config_limits {

inline constexpr std::size_t depth = 64;
inline constexpr std::size_t file_bytes = std::size_t{16} << 20U;
inline constexpr std::size_t values = 1'000'000;
inline constexpr std::size_t separators = 2 * values;  ///< commas, opening brackets and lines

}  // namespace tessera::config_limits

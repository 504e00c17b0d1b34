// Which of several equally short ways a packet takes.
#pragma once

#include <cstdint>

namespace tessera::sim {

/// A hash of who a packet is and where it stands (the finaliser of SplitMix64: Steele et al.,
/// OOPSLA 2014): the same on every machine, and free of patterns.
[[nodiscard]] inline std::uint64_t way_hash(std::uint64_t serial, std::uint64_t vertex) {
  auto z = serial * 0x9E3779B97F4A7C15U + vertex * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace tessera::sim

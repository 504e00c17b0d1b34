// Hashes of keys for tables. Nothing that anybody sees depends on them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

/// The hash of a key of 64-bit words.
template <typename... Words>
[[nodiscard]] std::size_t hash_of_key(std::uint64_t first, Words... words) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  auto hash = first * odd;
  ((hash = (hash ^ hash >> 29 ^ words) * odd), ...);
  return static_cast<std::size_t>(hash >> 32);
}

/// The hash of a list of them.
template <typename Words>
[[nodiscard]] std::size_t hash_of(Words const& words) {
  std::uint64_t hash = 0;
  for (auto const word : words) {
    hash = (hash ^ hash >> 31 ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15;
  }
  return static_cast<std::size_t>(hash);
}

/// For tables whose keys are such lists.
struct HashOfWords {
  template <typename Words>
  [[nodiscard]] std::size_t operator()(Words const& words) const {
    return hash_of(words);
  }
};

}  // namespace tessera

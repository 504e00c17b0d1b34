// Hashes of keys for tables. Nothing that anybody sees depends on them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

namespace detail {

/// What a hash becomes with another 64-bit word.
[[nodiscard]] constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint64_t word) {
  return (hash ^ hash >> 29 ^ word) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
}

/// Tables take the lower bits; a product has mixed the upper ones.
[[nodiscard]] constexpr std::size_t folded_hash(std::uint64_t hash) { return hash ^ hash >> 32; }

}  // namespace detail

/// The hash of a key of 64-bit words.
template <typename... Words>
[[nodiscard]] std::size_t hash_of_key(Words... words) {
  std::uint64_t hash = 0;
  ((hash = detail::hash_with(hash, words)), ...);
  return detail::folded_hash(hash);
}

/// The same of a list of them.
template <typename Words>
[[nodiscard]] std::size_t hash_of(Words const& words) {
  std::uint64_t hash = 0;
  for (auto const word : words) hash = detail::hash_with(hash, static_cast<std::uint64_t>(word));
  return detail::folded_hash(hash);
}

/// For tables whose keys are lists of words.
struct HashOfWords {
  template <typename Words>
  [[nodiscard]] std::size_t operator()(Words const& words) const {
    return hash_of(words);
  }
};

}  // namespace tessera

// Point to point between two ways to cut the same vector: every overlap of two blocks is a message.
#include <algorithm>

#include "sim/model/fabric/collective.hpp"

namespace tessera::sim::detail {

namespace {

/// Where block `block` of `blocks` begins.
[[nodiscard]] std::int64_t begin_of(std::int64_t bytes, std::int64_t block, std::int64_t blocks) {
  return bytes / blocks * block + bytes % blocks * block / blocks;
}

}  // namespace

TransferGraph reshard_transfers(CollectiveSpec const& spec, std::uint32_t ranks) {
  TransferGraph graph;
  auto const first_wanting = static_cast<std::int64_t>(ranks) - spec.to;
  std::int64_t holder = 0;
  std::int64_t wanting = 0;
  std::int64_t at = 0;
  while (at < spec.bytes) {
    auto const held_until = begin_of(spec.bytes, holder + 1, spec.from);
    auto const wanted_until = begin_of(spec.bytes, wanting + 1, spec.to);
    auto const until = std::min(held_until, wanted_until);
    auto const rank = first_wanting + wanting;
    if (rank != holder && until > at) {
      graph.add({static_cast<std::uint32_t>(holder), static_cast<std::uint32_t>(rank),
                 static_cast<std::uint32_t>(until - at)});
    }
    at = until;
    if (held_until == at) ++holder;
    if (wanted_until == at) ++wanting;
  }
  return graph;
}

}  // namespace tessera::sim::detail

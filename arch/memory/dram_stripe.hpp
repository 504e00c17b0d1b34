// Stripes of a DRAM memory, and where tensors begin in it.
#pragma once

#include <algorithm>

#include "arch/memory/dram_spec.hpp"

namespace tessera::arch {

/// A block on every channel. Transfers begin at one.
[[nodiscard]] inline Bytes stripe_of(DramSpec const& spec) {
  return spec.block() * spec.organization.channels;
}

/// What lies below the highest bits of the bank, where only those of the row are above them: then
/// come the same columns of other banks, which are alike. Tensors begin at one, so that equal ones
/// take equally long wherever they are; at a stripe where it is less.
[[nodiscard]] inline Bytes tensor_alignment(DramSpec const& spec) {
  using Kind = AddressField::Kind;
  auto const stripe = stripe_of(spec);
  Bytes below{1};
  Bytes alignment = stripe;
  for (auto const& [kind, bits] : spec.address_map) {
    bool const is_bank = kind == Kind::bank || kind == Kind::bank_group;
    if (kind != Kind::row) alignment = is_bank ? below : stripe;
    below = below * (std::int64_t{1} << bits);
  }
  return std::max(alignment, stripe);
}

/// After so many bytes come the same columns of the same banks, in the next row of each: what lies
/// below the highest field of the map, if that is of the row; else tensor_alignment().
[[nodiscard]] inline Bytes bank_period(DramSpec const& spec) {
  auto const& map = spec.address_map;
  if (map.back().kind != AddressField::Kind::row) return tensor_alignment(spec);
  Bytes below{1};
  for (std::size_t i = 0; i + 1 < map.size(); ++i) below = below * (std::int64_t{1} << map[i].bits);
  return std::max(below, tensor_alignment(spec));
}

}  // namespace tessera::arch

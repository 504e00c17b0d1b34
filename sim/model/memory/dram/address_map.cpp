// Fields of one kind that appear twice make up one coordinate, low bits first.
#include "sim/model/memory/dram/address_map.hpp"

namespace tessera::sim {

namespace {

using Kind = arch::AddressField::Kind;

}  // namespace

unsigned bits_of(std::int64_t count) {
  unsigned bits = 0;
  while (std::int64_t{1} << bits < count) ++bits;
  return bits;
}

std::array<unsigned, 8> first_bits(arch::DramOrganization const& organization) {
  std::array<unsigned, 8> bits{};
  auto const of = [&](Kind kind) -> unsigned& { return bits[static_cast<std::size_t>(kind)]; };
  of(Kind::bank_group) = bits_of(organization.banks);
  of(Kind::rank) = of(Kind::bank_group) + bits_of(organization.bank_groups);
  of(Kind::pseudo_channel) = of(Kind::rank) + bits_of(organization.ranks);
  return bits;
}

AddressMap::AddressMap(arch::DramSpec const& spec) {
  auto up = first_bits(spec.organization);
  unsigned shift = 0;
  for (auto const& [kind, bits] : spec.address_map) {
    auto const width = static_cast<unsigned>(bits);
    auto& place = up[static_cast<std::size_t>(kind)];
    Piece const piece{shift, place, (std::uint64_t{1} << width) - 1};
    place += width;
    shift += width;
    if (kind == Kind::byte) continue;
    append(kind == Kind::channel  ? channel_
           : kind == Kind::row    ? row_
           : kind == Kind::column ? column_
                                  : bank_,
           piece);
  }
}

void AddressMap::append(Coordinate& to, Piece const& piece) {
  bool const follows = !to.empty() && piece.shift - to.back().shift == piece.up - to.back().up &&
                       to.back().mask + 1 == std::uint64_t{1} << (piece.up - to.back().up);
  if (follows) {
    to.back().mask |= piece.mask << (piece.up - to.back().up);
  } else {
    to.push_back(piece);
  }
}

}  // namespace tessera::sim

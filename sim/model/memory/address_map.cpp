// Fields of one kind that appear twice make up one coordinate, low bits first.
#include "sim/model/memory/address_map.hpp"

#include <array>

namespace tessera::sim {

AddressMap::AddressMap(arch::DramSpec const& spec)
    : ranks_{static_cast<std::uint64_t>(spec.organization.ranks)},
      groups_{static_cast<std::uint64_t>(spec.organization.bank_groups)},
      banks_{static_cast<std::uint64_t>(spec.organization.banks)} {
  std::array<unsigned, 8> seen{};
  unsigned shift = 0;
  for (auto const& [kind, bits] : spec.address_map) {
    auto& up = seen[static_cast<std::size_t>(kind)];
    auto const width = static_cast<unsigned>(bits);
    fields_.push_back({kind, shift, up, (std::uint64_t{1} << width) - 1});
    up += width;
    shift += width;
  }
}

DramAddress AddressMap::operator()(std::uint64_t address) const {
  std::array<std::uint64_t, 8> at{};
  for (auto const& [kind, shift, up, mask] : fields_) {
    at[static_cast<std::size_t>(kind)] |= (address >> shift & mask) << up;
  }
  auto const of = [&](Kind kind) { return at[static_cast<std::size_t>(kind)]; };
  auto const rank = of(Kind::pseudo_channel) * ranks_ + of(Kind::rank);
  auto const bank = (rank * groups_ + of(Kind::bank_group)) * banks_ + of(Kind::bank);
  return {static_cast<std::uint32_t>(of(Kind::channel)), static_cast<std::uint16_t>(bank),
          static_cast<std::uint32_t>(of(Kind::row)), static_cast<std::uint32_t>(of(Kind::column))};
}

}  // namespace tessera::sim

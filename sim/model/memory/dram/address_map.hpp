// Where an address lies: the address map of a memory, ready for use.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"

namespace tessera::sim {

struct DramAddress {
  std::uint32_t channel = 0;
  std::uint16_t bank = 0;  ///< within the channel, as in DramRequest
  std::uint32_t row = 0;
  std::uint32_t column = 0;  ///< in bursts
};

class AddressMap final {
 public:
  explicit AddressMap(arch::DramSpec const& spec);

  /// Addresses beyond the capacity wrap around.
  [[nodiscard]] DramAddress operator()(std::uint64_t address) const {
    return {read(channel_, address), static_cast<std::uint16_t>(read(bank_, address)),
            read(row_, address), read(column_, address)};
  }
  [[nodiscard]] std::uint32_t channel_of(std::uint64_t address) const {
    return read(channel_, address);
  }

 private:
  /// Bits that lie together in the address and in the coordinate.
  struct Piece {
    unsigned shift;  ///< within the address
    unsigned up;     ///< within the coordinate
    std::uint64_t mask;
  };
  using Coordinate = std::vector<Piece>;

  static void append(Coordinate& to, Piece const& piece);
  [[nodiscard]] static std::uint32_t read(Coordinate const& coordinate, std::uint64_t address) {
    std::uint64_t value = 0;
    for (auto const& [shift, up, mask] : coordinate) value |= (address >> shift & mask) << up;
    return static_cast<std::uint32_t>(value);
  }

  Coordinate channel_, bank_, row_, column_;
};

/// How many bits number so many things.
[[nodiscard]] unsigned bits_of(std::int64_t count);

/// Where the lowest bit of a kind of fields lies in its coordinate: banks are numbered over pseudo
/// channels, ranks, bank groups and banks.
[[nodiscard]] std::array<unsigned, 8> first_bits(arch::DramOrganization const& organization);

}  // namespace tessera::sim

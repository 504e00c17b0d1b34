// Where an address lies: the address map of a memory, ready for use.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/dram_spec.hpp"

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
  [[nodiscard]] DramAddress operator()(std::uint64_t address) const;

 private:
  using Kind = arch::AddressField::Kind;
  struct Field {
    Kind kind;
    unsigned shift;  ///< of the field within the address
    unsigned up;     ///< of the field within its coordinate
    std::uint64_t mask;
  };

  std::vector<Field> fields_;
  std::uint64_t ranks_, groups_, banks_;
};

}  // namespace tessera::sim

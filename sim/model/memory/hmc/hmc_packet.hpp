// What travels over the links of HMC cubes (specification 2.1, section 6; sizes as in DRAMsim3, src/hmc.cc).
#pragma once

#include <cstdint>

#include "arch/base/quantity.hpp"
#include "sim/model/memory/dram/dram_command.hpp"

namespace tessera::sim {

struct HmcPacket {
  enum class Kind : std::uint8_t {
    request,
    response,
    tokens,  ///< places in the input buffer of a link, given back; rides in other packets' tails
  };

  static constexpr std::int64_t flit = 16;         ///< bytes
  static constexpr std::int64_t most_bytes = 256;  ///< of data
  static constexpr std::int64_t most_flits = 1 + most_bytes / flit;

  std::uint64_t tag = 0;
  std::uint64_t address = 0;
  std::int32_t bytes = 0;   ///< 16 to 256, in steps of 16
  std::int32_t tokens = 0;  ///< FLITs
  std::int32_t hops = 0;    ///< request: how many cubes it passes through; counted down on the way
  Kind kind = Kind::request;
  Access access = Access::read;

  /// One FLIT of header and tail, and the data where it carries them.
  [[nodiscard]] std::int64_t flits() const {
    bool const has_data = (kind == Kind::request) == (access == Access::write);
    return 1 + (has_data ? bytes / flit : 0);
  }
};

}  // namespace tessera::sim

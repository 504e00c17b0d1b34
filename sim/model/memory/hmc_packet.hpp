// What travels over the links of HMC cubes (specification 2.1, section 6; sizes as in DRAMsim3, src/hmc.cc).
#pragma once

#include <cstdint>
#include <tuple>

#include "arch/base/quantity.hpp"
#include "sim/model/memory/dram_command.hpp"

namespace tessera::sim {

struct HmcPacket {
  enum class Kind : std::uint8_t {
    request,
    response,
    tokens,  ///< places in the input buffer of a link, given back; rides in other packets' tails
  };

  Kind kind = Kind::request;
  std::uint64_t tag = 0;
  std::uint64_t address = 0;
  Access access = Access::read;
  std::int64_t bytes = 0;   ///< 16 to 256, in steps of 16
  std::int64_t tokens = 0;  ///< FLITs
  std::int64_t hops = 0;    ///< request: how many cubes it passes through; counted down on the way

  static constexpr std::int64_t flit = 16;

  /// One FLIT of header and tail, and the data where it carries them.
  [[nodiscard]] std::int64_t flits() const {
    bool const has_data = (kind == Kind::request) == (access == Access::write);
    return 1 + (has_data ? bytes / flit : 0);
  }
  [[nodiscard]] auto key() const {
    return std::tuple{kind, tag, address, access, bytes, tokens, hops};
  }
};

}  // namespace tessera::sim

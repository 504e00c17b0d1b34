// A file of requests to a memory, in DRAMsim3's format: one per line,
//
//   0x1A2B40 READ 128           address, READ or WRITE, clock at which it is offered
//
// Blank lines and lines that begin with # are skipped. Strict: an address needs its 0x and lies in the memory, a clock does not
// go back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/memory/memory_traffic.hpp"

namespace tessera::sim {

/// Each request takes `bytes`, and begins at a multiple of them. Throws ConfigError.
[[nodiscard]] std::vector<TimedRequest> read_requests(std::string_view text,
                                                      std::string const& name,
                                                      arch::DramSpec const& spec, Bytes bytes);

}  // namespace tessera::sim

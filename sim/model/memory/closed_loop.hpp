// Drives the channels of a memory with requests, in order, and measures: the loop of the peer measurements in
// sim/validation/references/memory, and of `tessera probe memory`.
//
// Each clock offers the next request and, on acceptance, goes on, up to `width` per clock; it stops at a refusal and tries again in
// the next clock. At most `outstanding` requests are unanswered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/memory/memory_traffic.hpp"

namespace tessera::sim {

struct LoopRule {
  int width = 1;
  std::size_t outstanding = SIZE_MAX;
  /// Writes are answered this many clocks after their acceptance, whatever the DRAM does; without:
  /// when their data are written.
  std::optional<std::int64_t> posted_writes;
};

[[nodiscard]] MemoryRun closed_loop(arch::DramSpec const& spec,
                                    std::vector<TimedRequest> const& requests, LoopRule const& rule,
                                    DramStack::Observer const& observer = {});

}  // namespace tessera::sim

// What a memory did with requests, for people and for scripts.
#pragma once

#include <string>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/memory_traffic.hpp"

namespace tessera::sim {

/// A table.
[[nodiscard]] std::string memory_text(arch::DramSpec const& spec, MemoryRun const& run);
/// `tessera.probe.memory/1`; latencies in clocks of the memory.
[[nodiscard]] std::string memory_json(arch::DramSpec const& spec, MemoryRun const& run);

}  // namespace tessera::sim

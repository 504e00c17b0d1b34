// What accelerators can do at most, and what they did.
#pragma once

#include <vector>

#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

/// By accelerator of the whole array.
[[nodiscard]] std::vector<traces::AcceleratorEntry> accelerator_entries(Outcome const& outcome);

/// The rate that a memory never exceeds. None: it is not known, or unlimited.
[[nodiscard]] std::optional<Bandwidth> peak_of(arch::MemorySpec const& memory);

}  // namespace tessera::sim::outcome

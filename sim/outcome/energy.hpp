// The energy ledger of a run: events counted, times constants. No kernel here.
#pragma once

#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/model/array/resource.hpp"
#include "traces/event.hpp"

namespace tessera::sim::outcome {

/// One entry per component, event and constant, over all accelerators; `end` of the run. Constants
/// are those of each accelerator's core and memory where it has detailed ones, else the array's
/// table.
///
///   processing unit   multiplications and additions (as executed, padding included), and an
///   addition per word
///                     that a transfer adds to what is there; register files and clock of
///                     row-stationary arrays
///   buffer            scratchpads and global buffers
///   memory            local words if the array counts them, or a DRAM's commands, refreshes and
///   background;
///                     a fixed number of accesses per exchanged word (arch::EnergyTable)
///   fabric            words over links
[[nodiscard]] std::vector<traces::EnergyEntry> energy_entries(
    arch::ArraySpec const& array, std::vector<Resource> const& resources, Time end);

}  // namespace tessera::sim::outcome

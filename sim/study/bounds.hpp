// What no plan for an array can beat, whatever it splits and wherever it puts it: the two sides of the roofline of a whole step.
//
//   peak     all products of all phases at the peak rate of all accelerators, none of them ever idle
//   memory   every operand of every product and update read once, and every result written once, at the peak bandwidth of all memories
// Both leave out how products fill an array of PEs, what tiles read twice, what is done to elements between products (a core may do that on
// the way), transfers, and that phases wait for each other.
#pragma once

#include "arch/array/array_spec.hpp"
#include "sim/study/result_parts.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// Of one step.
[[nodiscard]] Bounds bounds_of(workloads::Network const& network, arch::ArraySpec const& array);

}  // namespace tessera::sim

// Random valid plans for property tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::test {

/// Every operator split at every level over a random one of `dims`, whichever it has (every
/// operator has n); priced by no planner.
[[nodiscard]] partition::Plan random_plan(workloads::Network const& network,
                                          arch::ArraySpec const& array, std::mt19937_64& random,
                                          std::vector<workloads::Dim> const& dims = {
                                              workloads::Dim::n, workloads::Dim::c,
                                              workloads::Dim::k});

/// Consecutive operators in one to four stages of one, two or four accelerators each, some of them
/// replicas, in any order of the array's (of schedules that want it, equally many and alike); split
/// at random within a stage. 2 or 8 micro-batches; backward passes in one unit or two; of schedule
/// `explicit`, the orders of another. Requires 16 accelerators, two operators and extents that can
/// be halved 6 times; with 8 accelerators, stages have one or two, and 5 halvings are enough.
[[nodiscard]] partition::Plan random_staged_plan(workloads::Network const& network,
                                                 arch::ArraySpec const& array,
                                                 std::mt19937_64& random, std::string const& named);

}  // namespace tessera::test

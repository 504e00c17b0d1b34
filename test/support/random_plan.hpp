// Random valid plans for property tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "arch/array_spec.hpp"
#include "partition/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::test {

/// Every operator split at every level over a random one of `dims`, whichever it has (every
/// operator has n); priced by no planner.
[[nodiscard]] partition::Plan random_plan(workloads::Network const& network,
                                          arch::ArraySpec const& array, std::mt19937_64& random,
                                          std::vector<workloads::Dim> const& dims = {
                                              workloads::Dim::n, workloads::Dim::c,
                                              workloads::Dim::k});

}  // namespace tessera::test

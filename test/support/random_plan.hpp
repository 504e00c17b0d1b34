// Random valid plans for property tests.
#pragma once

#include <cstdint>
#include <random>

#include "arch/array_spec.hpp"
#include "partition/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::test {

/// Every operator split at every level over a random one of n, c and k, whichever it has; priced by
/// no planner.
[[nodiscard]] partition::Plan random_plan(workloads::Network const& network,
                                          arch::ArraySpec const& array, std::mt19937_64& random);

}  // namespace tessera::test

// The price of a sum in rings, for one of all accelerators that moves along the rings map onto each
// other.
#pragma once

#include "partition/geometry/ring_sum.hpp"
#include "partition/price/exchange_cost.hpp"

namespace tessera::partition {

/// What exchange_cost() says of all rounds of the sum, to the last bit.
[[nodiscard]] ExchangeCost ring_sum_cost(arch::Topology const& topology, Hierarchy const& array,
                                         DeviceMesh const& mesh, Bytes element_size,
                                         RingSum const& sum);

}  // namespace tessera::partition

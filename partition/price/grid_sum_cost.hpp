// The price of a sum along the dimensions of a grid, priced for one of all accelerators that shifts of the grid map onto each other.
#pragma once

#include <optional>

#include "partition/geometry/grid_sum.hpp"
#include "partition/price/exchange_cost.hpp"

namespace tessera::partition {

/// What exchange_cost() says of all rounds of the sum, to the last bit. None where neighbours have
/// no links of their own, one way, all alike, as in a mesh, whose ends are no neighbours.
[[nodiscard]] std::optional<ExchangeCost> grid_sum_cost(arch::Topology const& topology,
                                                        Hierarchy const& array,
                                                        DeviceMesh const& mesh, Bytes element_size,
                                                        GridSum const& sum);

}  // namespace tessera::partition

// Orders of a pipeline as a plan's file has them, for schedule `explicit`: a list of passes for each replica.
//
//   F3      forward of micro-batch 3          F3.1   in chunk 1, where stages have several
//   B3      its backward pass in one unit     F3@2   on the weights after two updates; without it forward on the newest, and
//   D3, W3  or its error and its gradient            all else on those of the forward pass
//   U       an update of the weights
#pragma once

#include "arch/base/config.hpp"
#include "partition/schedule/pipeline_program.hpp"

namespace tessera::partition {

/// Of a list of passes. Throws ConfigError at one that cannot be read.
[[nodiscard]] Order order_from(ConfigNode const& node);
/// Reading it gives the same order.
[[nodiscard]] ConfigNode to_config(Order const& order);

}  // namespace tessera::partition

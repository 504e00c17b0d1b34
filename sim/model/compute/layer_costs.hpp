// A network on one core, operator by operator and phase by phase: what `tessera probe compute` shows and `tessera validate
// tpu-v3` holds against measurements.
#pragma once

#include <string>
#include <vector>

#include "sim/model/compute/compute_cost.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// One phase of a layer on a core.
struct LayerCost {
  std::string layer;
  workloads::Phase phase = workloads::Phase::forward;
  ComputeCost cost;
};

/// Those of `phases` that each operator has.
[[nodiscard]] std::vector<LayerCost> layer_costs(arch::CoreSpec const& core,
                                                 workloads::Network const& network,
                                                 std::vector<workloads::Phase> const& phases,
                                                 ComputeOptions const& options);

[[nodiscard]] ComputeCost total(std::vector<LayerCost> const& layers);

}  // namespace tessera::sim

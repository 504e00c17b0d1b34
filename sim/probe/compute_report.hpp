// What `tessera probe compute` found, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/layer_costs.hpp"

namespace tessera::sim {

struct ComputeProbe {
  std::string title;  ///< "hypar/vgg-a, batch 256"
  arch::CoreSpec core;
  ComputeOptions::Memory memory = ComputeOptions::Memory::ideal;
  std::vector<LayerCost> phases;
};

/// A line per layer and phase, their sum, and the layers whose tiles were late.
[[nodiscard]] std::string as_text(ComputeProbe const& probe);
/// `tessera.probe-compute/1`.
[[nodiscard]] std::string as_json(ComputeProbe const& probe);

}  // namespace tessera::sim

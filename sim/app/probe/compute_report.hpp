// What `tessera probe compute` found, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "arch/core_spec.hpp"
#include "sim/model/compute/compute_cost.hpp"

namespace tessera::sim {

/// One phase of a layer on the core.
struct ProbedPhase {
  std::string layer;
  workloads::Phase phase = workloads::Phase::forward;
  ComputeCost cost;
};

struct ComputeProbe {
  std::string title;  ///< "hypar/vgg-a, batch 256"
  arch::CoreSpec core;
  ComputeOptions::Memory memory = ComputeOptions::Memory::ideal;
  std::vector<ProbedPhase> phases;

  [[nodiscard]] ComputeCost total() const;
};

/// A line per layer and phase, their sum, and the layers whose tiles were late.
[[nodiscard]] std::string as_text(ComputeProbe const& probe);
/// `tessera.probe-compute/1`.
[[nodiscard]] std::string as_json(ComputeProbe const& probe);

}  // namespace tessera::sim

// What is planned: a network on an array.
#pragma once

#include <memory>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

struct PlanningContext;

struct Problem {
  workloads::Network const& network;
  arch::ArraySpec const& array;
  /// What the caller lends to a planner (planners/planning_context.hpp), if anything.
  PlanningContext const* context = nullptr;
  /// What levels of the array take for a byte, once somebody has asked (price/cost_model.hpp).
  std::shared_ptr<std::vector<double>> byte_rates = std::make_shared<std::vector<double>>();
};

}  // namespace tessera::partition

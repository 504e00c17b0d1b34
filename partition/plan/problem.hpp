// What is planned: a network on an array.
#pragma once

#include "arch/array/array_spec.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

struct PlanningContext;

struct Problem {
  workloads::Network const& network;
  arch::ArraySpec const& array;
  /// What the caller lends to a planner (planners/planning_context.hpp), if anything.
  PlanningContext const* context = nullptr;
};

}  // namespace tessera::partition

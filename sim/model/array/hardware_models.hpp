// What an array's file may name with `kind: model`: the tables of contents of memories, processing units and routers.
#pragma once

#include "sim/model/compute/processing_unit.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// A value, so that who adds hardware of their own need not touch the built-in tables.
struct HardwareModels {
  MemoryModels memories = builtin_memory_models();
  UnitModels units = builtin_unit_models();
  NetworkModels networks = builtin_network_models();
};

/// Builds once what the array names, without work for it, so that a plan is refused where a run
/// would be. Throws ConfigError for names that are none of `models` and for keys that are wrong.
void check_models(arch::ArraySpec const& array, HardwareModels const& models);

}  // namespace tessera::sim

// A tile engine with a DRAM of its own, and what was busy when.
#pragma once

#include <functional>
#include <utility>

#include "sim/model/compute/tile_engine.hpp"
#include "sim/model/memory/dram_memory.hpp"

namespace tessera::test {

struct EngineBench {
  using Kernels = arch::ExecutionSpec::Kernels;

  sim::TaskGraph graph{1};
  sim::BusyHistogram of_memory;
  sim::BusyHistogram of_unit;
  sim::DramLibrary drams;
  Clock clock;
  sim::DramMemory memory;
  sim::TileEngine engine;

  EngineBench(arch::CoreSpec const& core, arch::DramSpec const& spec,
              Kernels kernels = Kernels::free,
              std::function<void(Time, sim::DramCommand const&)> commands = {})
      : clock{core.clock},
        memory{spec, {clock, graph, of_memory, drams, std::move(commands), true, kernels}},
        engine{clock, memory, of_unit} {}
};

}  // namespace tessera::test

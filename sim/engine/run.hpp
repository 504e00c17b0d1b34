// engine::run(): the same cores, wires and report as sim/shell's run(), on a plain queue of events. As many runs in one process as one
// likes: what a search needs, which asks for thousands of them. Its fingerprints equal SystemC's (test/sim/engine).
#pragma once

#include "arch/array/array_spec.hpp"
#include "sim/host/report.hpp"
#include "sim/host/run_options.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/sink.hpp"

namespace tessera::sim::engine {

/// As tessera::sim::run(), but that `options.list_modules` is ignored: there are none.
[[nodiscard]] Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
                         RunOptions const& options = {});

}  // namespace tessera::sim::engine

// engine::run(): the same cores, wires and report as sim/shell's run(), on a plain queue of events. As many runs in one process as one
// likes: what a search needs, which asks for thousands of them. Its fingerprints equal SystemC's (test/sim/engine).
#pragma once

#include <optional>

#include "arch/array/array_spec.hpp"
#include "sim/host/report.hpp"
#include "sim/host/run_options.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/sink.hpp"

namespace tessera::sim::engine {

/// As tessera::sim::run(), but that `options.list_modules` is ignored: there are none.
[[nodiscard]] Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
                         RunOptions const& options = {});

/// When the last task ends, without a report; none where that is later than `at_most`, or no task
/// can proceed. A run that is too long is not run to its end.
[[nodiscard]] std::optional<Time> run_time(arch::ArraySpec const& array, TaskGraph const& tasks,
                                           RunOptions const& options, Time at_most);

}  // namespace tessera::sim::engine

// run(): builds the SystemC module tree of an array, runs a task graph on it and reports. One run per process (SystemC elaborates
// once); sim/engine runs the same cores without a kernel, as often as one likes.
#pragma once

#include "arch/array/array_spec.hpp"
#include "sim/host/report.hpp"
#include "sim/host/run_options.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/sink.hpp"

namespace tessera::sim {

/// Simulates the step and hands every finished task to sink.record(), in order of (end, task). The
/// caller begins and ends the sink. Conservation laws are checked before it returns
/// (ContractError): every task ran once, MACs and bytes equal the graph's, what was injected into
/// the fabric left it and went the links' way (check_laws), the breakdown adds up, the time is not
/// below the busiest resource's.
[[nodiscard]] Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
                         RunOptions const& options = {});

}  // namespace tessera::sim

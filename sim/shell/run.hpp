// run(): builds the SystemC module tree of an array, runs a task graph on it and reports. One run per process (SystemC elaborates
// once).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/model/array/hardware_models.hpp"
#include "sim/model/compute/phase_memo.hpp"
#include "sim/shell/module_list.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/event.hpp"
#include "traces/sink.hpp"

namespace tessera::sim {

/// How the kernel is driven. No choice here may change a result; tests run them against each other.
struct RunOptions {
  enum class ModuleOrder { forward, reverse };
  ModuleOrder module_order = ModuleOrder::forward;
  std::uint64_t shuffle_seed =
      0;  ///< not 0: modules that wake at the same time run in a random order
  /// Repeat computations that start as one before did, from its record (PhaseMemo).
  PhaseMemo::Use fast_forward = PhaseMemo::Use::on;
  /// Hand every command of detailed memories to sink.record_command(); nothing is repeated from
  /// records then. The commands of an accelerator's channel stand for those of all its channels.
  bool trace_commands = false;
  /// Fill in Report::modules.
  bool list_modules = false;
  /// What `kind: model` may name in an array's file.
  HardwareModels models;
  /// Activations without one task completing after which a run counts as stuck.
  std::int64_t stall_limit = 50'000'000;
  /// Called now and then with the tasks done so far and the simulated time.
  std::function<void(std::size_t, Time)> progress;
};

/// What a run found out.
struct Report {
  traces::RunSummary
      summary;  ///< complete = false: no task could proceed, though some were not done
  std::vector<std::string> stuck;  ///< then: who waits for whom, one line each; else empty
  /// Of all tiles, those that were worked out one by one; the others repeat them, from records
  /// (PhaseMemo) or on the copies of a folded array's representatives.
  std::int64_t worked_out_tiles = 0;
  std::vector<ModuleEntry> modules;  ///< if they were asked for
};

/// Simulates the step and hands every finished task to sink.record(), in order of (end, task). The
/// caller begins and ends the sink. Conservation laws are checked before it returns
/// (ContractError): every task ran once, MACs and bytes equal the graph's, what was injected into
/// the fabric left it and went the links' way (check_laws), the breakdown adds up, the time is not
/// below the busiest resource's.
[[nodiscard]] Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
                         RunOptions const& options = {});

}  // namespace tessera::sim

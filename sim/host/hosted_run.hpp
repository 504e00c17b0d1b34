// A run without the host: the cores of an array with a task graph to work off, and the report of what they did.
#pragma once

#include "sim/host/report.hpp"
#include "sim/host/run_options.hpp"
#include "sim/host/supervisor.hpp"
#include "sim/model/array/array_cores.hpp"
#include "sim/model/array/wiring.hpp"
#include "traces/sink.hpp"

namespace tessera::sim::host {

/// A host wakes the cores that `wiring` lists at their times and carries their messages until no
/// core wants to wake. Then it asks for the report.
class HostedRun final {
 public:
  /// All arguments must outlive the run.
  HostedRun(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
            RunOptions const& options);

  /// `now`: when no core wanted to wake any more. Checks the conservation laws of a complete run
  /// (ContractError) and hands every finished task to sink.record(), in order of (end, task).
  [[nodiscard]] Report report(Time now);

  /// When the last task ended; none unless all are done.
  [[nodiscard]] std::optional<Time> end() const;

  [[nodiscard]] RunOptions const& options() const { return options_; }
  [[nodiscard]] Blueprint const& blueprint() const { return blueprint_; }
  [[nodiscard]] Wiring const& wiring() const { return wiring_; }
  [[nodiscard]] Supervisor& supervisor() { return supervisor_; }

 private:
  /// Tiles that were not worked out because they repeat others, in all runs that share a memo.
  struct Repeated {
    std::int64_t computations = 0;  ///< whole, from records
    std::int64_t steps = 0;
  };
  [[nodiscard]] static Repeated repeated_in(PhaseMemo const& memo);

  [[nodiscard]] std::vector<std::string> stuck_lines() const;
  void count_tiles(std::vector<Resource> const& resources, Report& report) const;

  RunOptions const& options_;
  traces::Sink& sink_;
  Records records_;
  Blueprint blueprint_;
  KeptWork own_;              ///< of a run that shares with no other
  KeptWork& kept_;            ///< that, or what the options name
  Repeated repeated_before_;  ///< by runs before
  ArrayCores cores_;
  Wiring wiring_;
  Supervisor supervisor_;
};

}  // namespace tessera::sim::host

// One run from task graph to report, on SystemC.
#include "sim/shell/run.hpp"

#include "sim/host/hosted_run.hpp"
#include "sim/shell/kernel.hpp"
#include "sim/shell/machine.hpp"
#include "sim/shell/module_list.hpp"

namespace tessera::sim {

Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
           RunOptions const& options) {
  host::HostedRun run{array, tasks, sink, options};
  shell::expect_fresh_kernel(run.blueprint().has_instant_messages()
                                 ? shell::Resolution::femtosecond
                                 : shell::Resolution::picosecond);
  shell::Machine const machine{"array", run};
  shell::run_until_quiet();
  run.supervisor().rethrow();
  Report report = run.report(shell::current_time());
  if (options.list_modules) report.modules = shell::list_modules(machine);
  return report;
}

}  // namespace tessera::sim

// One run from task graph to report, without a kernel.
#include "sim/engine/run.hpp"

#include "sim/engine/event_loop.hpp"

namespace tessera::sim::engine {

Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
           RunOptions const& options) {
  host::HostedRun run{array, tasks, sink, options};
  EventLoop loop{run};
  auto const end = loop.run_until_quiet();
  return run.report(end);
}

}  // namespace tessera::sim::engine

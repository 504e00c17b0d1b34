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

std::optional<Time> run_time(arch::ArraySpec const& array, TaskGraph const& tasks,
                             RunOptions const& options, Time at_most) {
  traces::NullSink nobody;
  host::HostedRun run{array, tasks, nobody, options};
  EventLoop loop{run};
  static_cast<void>(loop.run_until_quiet(at_most));
  auto const end = run.end();
  return end && *end <= at_most ? end : std::nullopt;
}

}  // namespace tessera::sim::engine

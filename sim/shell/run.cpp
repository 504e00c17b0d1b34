// One run from task graph to report.
#include "sim/shell/run.hpp"

#include "sim/model/array/array_cores.hpp"
#include "sim/shell/kernel.hpp"
#include "sim/shell/machine.hpp"
#include "sim/shell/summary.hpp"
#include "sim/shell/task_events.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t most_stuck_lines = 20;

std::vector<std::string> stuck_lines(ArrayCores const& cores, shell::Supervisor const& supervisor,
                                     RunOptions const& options) {
  std::vector<std::string> lines = cores.waits_for();
  if (lines.size() > most_stuck_lines) {
    std::string const more = "and " + std::to_string(lines.size() - most_stuck_lines) + " more";
    lines.resize(most_stuck_lines);
    lines.push_back(more);
  }
  if (supervisor.stalled()) {
    lines.insert(lines.begin(),
                 "no task completed in " + std::to_string(options.stall_limit) + " activations");
  }
  return lines;
}

}  // namespace

Report run(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
           RunOptions const& options) {
  Blueprint const blueprint{array, tasks};
  shell::expect_fresh_kernel(blueprint.has_instant_messages() ? shell::Resolution::femtosecond
                                                              : shell::Resolution::picosecond);
  Records records{tasks};
  if (options.trace_commands) {
    records.commands = [&sink](AcceleratorId id, Time time, DramCommand const& command) {
      sink.record_command({time, static_cast<std::uint32_t>(id.index()), command.row, command.bank,
                           static_cast<std::uint8_t>(command.kind)});
    };
  }
  auto const memo_use = options.trace_commands ? PhaseMemo::Use::off : options.fast_forward;
  ArrayCores cores{blueprint, records, memo_use, options.models};
  shell::Supervisor supervisor{records.journal, options};
  shell::Machine const machine{"array", cores, supervisor};
  shell::run_until_quiet();
  supervisor.rethrow();

  bool const complete = records.journal.all_done();
  Time const end = complete ? records.journal.end() : shell::current_time();
  cores.close(end);
  shell::Outcome const outcome{blueprint, records, cores.resources(), end};
  Report report;
  report.summary = shell::summarize(outcome);
  auto const tiles = total(outcome.resources, Resource::Kind::processing_unit, "tiles");
  auto const copies = static_cast<std::int64_t>(tasks.folding().copies());
  report.worked_out_tiles = tiles / copies - cores.memo.repeated_tiles();
  if (complete) {
    shell::check_laws(outcome, report.summary);
  } else {
    report.stuck = stuck_lines(cores, supervisor, options);
  }
  shell::record_tasks(outcome, sink);
  if (options.list_modules) report.modules = shell::list_modules(machine);
  return report;
}

}  // namespace tessera::sim

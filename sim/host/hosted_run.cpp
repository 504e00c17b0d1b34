// Building the cores, and what they found out.
#include "sim/host/hosted_run.hpp"

#include "sim/host/stopwatch.hpp"
#include "sim/outcome/explanation.hpp"
#include "sim/outcome/summary.hpp"
#include "sim/outcome/task_events.hpp"

namespace tessera::sim::host {

namespace {

constexpr std::size_t most_stuck_lines = 20;

Records records_of(TaskGraph const& tasks, traces::Sink& sink, RunOptions const& options) {
  Records records{tasks};
  if (options.trace_commands) {
    records.commands = [&sink](AcceleratorId id, Time time, DramCommand const& command) {
      sink.record_command({time, static_cast<std::uint32_t>(id.index()), command.row, command.bank,
                           static_cast<std::uint8_t>(command.kind)});
    };
  }
  return records;
}

PhaseMemo::Use memo_use(RunOptions const& options) {
  return options.trace_commands ? PhaseMemo::Use::off : options.fast_forward;
}

MessageCarriers carriers_for(RunOptions const& options) {
  bool const is_fast = options.fast_forward == PhaseMemo::Use::on;
  return is_fast ? MessageCarriers::one_core : MessageCarriers::each_by_itself;
}

/// Records of others are of no use to a run that repeats none.
KeptWork& kept_for(RunOptions const& options, KeptWork& own) {
  bool const shares = options.kept != nullptr && memo_use(options) == PhaseMemo::Use::on;
  return shares ? *options.kept : own;
}

}  // namespace

HostedRun::Repeated HostedRun::repeated_in(PhaseMemo const& memo) {
  return {memo.repeated_tiles(), memo.repeated_steps()};
}

HostedRun::HostedRun(arch::ArraySpec const& array, TaskGraph const& tasks, traces::Sink& sink,
                     RunOptions const& options)
    : options_{options},
      sink_{sink},
      records_{records_of(tasks, sink, options)},
      blueprint_{array, tasks},
      own_{memo_use(options)},
      kept_{kept_for(options, own_)},
      repeated_before_{repeated_in(kept_.memo)},
      cores_{blueprint_, records_, kept_, carriers_for(options), options.models},
      wiring_{wiring_of(cores_)},
      supervisor_{records_.journal, options} {}

std::vector<std::string> HostedRun::stuck_lines() const {
  std::vector<std::string> lines = cores_.waits_for();
  if (lines.size() > most_stuck_lines) {
    std::string const more = "and " + std::to_string(lines.size() - most_stuck_lines) + " more";
    lines.resize(most_stuck_lines);
    lines.push_back(more);
  }
  if (supervisor_.stalled()) {
    lines.insert(lines.begin(),
                 "no task completed in " + std::to_string(options_.stall_limit) + " activations");
  }
  return lines;
}

/// What was not worked out repeats a record, or belongs to a copy of a folded array's
/// representative.
void HostedRun::count_tiles(std::vector<Resource> const& resources, Report& report) const {
  auto const tiles = total(resources, Resource::Kind::processing_unit, "tiles");
  auto const repeated = repeated_in(kept_.memo);
  report.simulated_tiles = tiles / static_cast<std::int64_t>(blueprint_.folding().copies());
  report.repeated_steps = repeated.steps - repeated_before_.steps;
  report.worked_out_tiles = report.simulated_tiles - report.repeated_steps -
                            (repeated.computations - repeated_before_.computations);
  auto const blocks = cores_.repeated_blocks();
  report.asked_blocks = blocks.asked;
  report.repeated_blocks = blocks.repeated;
}

std::optional<Time> HostedRun::end() const {
  if (!records_.journal.all_done()) return std::nullopt;
  return records_.journal.end();
}

Report HostedRun::report(Time now) {
  bool const complete = records_.journal.all_done();
  Time const end = complete ? records_.journal.end() : now;
  cores_.close(end);
  outcome::Outcome const outcome{blueprint_, records_, cores_.resources(), end, cores_.work()};
  own_.memo.forget();  // what records took is room for the report
  Report report;
  report.summary = outcome::summarize(outcome);
  count_tiles(outcome.resources, report);
  std::optional<outcome::Explanation> why;
  if (complete) {
    if (options_.explain) {
      Stopwatch const watch;
      why.emplace(outcome).complete(report.summary);
      report.explain_wall_s = watch.seconds();
    }
    outcome::check_laws(outcome, report.summary);
  } else {
    report.stuck = stuck_lines();
  }
  if (sink_.keeps_tasks()) outcome::record_tasks(outcome, why, sink_);
  return report;
}

}  // namespace tessera::sim::host

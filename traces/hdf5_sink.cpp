// The layout of schema.md, top to bottom.
#include "traces/hdf5_sink.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "arch/base/contract.hpp"
#include "traces/fingerprint.hpp"
#include "traces/hdf5_explanation.hpp"
#include "traces/hdf5_run_check.hpp"

namespace tessera::traces {

namespace {

constexpr std::size_t chunk_events = 16384;  // about 0.8 MB: compresses well, few calls

using Type = Column::Type;

// The quantities in the structs are their bare numbers in memory.
static_assert(std::is_standard_layout_v<TaskEvent> && std::is_standard_layout_v<CommandEvent> &&
              std::is_standard_layout_v<BreakdownEntry> &&
              std::is_standard_layout_v<TrafficEntry> && std::is_standard_layout_v<StageEntry>);
static_assert(sizeof(Time) == 8 && sizeof(Bytes) == 8 && sizeof(Macs) == 8 && sizeof(Energy) == 8);

}  // namespace

std::vector<Column> task_columns() {
  return {{"task", Type::int64, offsetof(TaskEvent, task), "1"},
          {"kind", Type::uint8, offsetof(TaskEvent, kind), "1"},
          {"phase", Type::uint8, offsetof(TaskEvent, phase), "1"},
          {"level", Type::uint8, offsetof(TaskEvent, level), "1"},
          {"accelerator", Type::uint32, offsetof(TaskEvent, accelerator), "1"},
          {"destination", Type::uint32, offsetof(TaskEvent, destination), "1"},
          {"operator", Type::uint32, offsetof(TaskEvent, op), "1"},
          {"start_ps", Type::int64, offsetof(TaskEvent, start), "ps"},
          {"end_ps", Type::int64, offsetof(TaskEvent, end), "ps"},
          {"bytes", Type::int64, offsetof(TaskEvent, bytes), "B"},
          {"macs", Type::int64, offsetof(TaskEvent, macs), "MAC"},
          {"micro_batch", Type::uint32, offsetof(TaskEvent, micro_batch), "1"},
          {"step", Type::uint32, offsetof(TaskEvent, step), "1"},
          {"version", Type::uint32, offsetof(TaskEvent, version), "1"},
          {"stage", Type::uint32, offsetof(TaskEvent, stage), "1"},
          {"cause", Type::uint8, offsetof(TaskEvent, cause), "1"},
          {"waited_for", Type::int64, offsetof(TaskEvent, waited_for), "1"},
          {"slack_ps", Type::int64, offsetof(TaskEvent, slack), "ps"},
          {"rounds", Type::uint32, offsetof(TaskEvent, rounds), "1"}};
}

namespace {

[[nodiscard]] std::vector<Column> command_columns() {
  return {{"time_ps", Type::int64, offsetof(CommandEvent, time), "ps"},
          {"channel", Type::uint32, offsetof(CommandEvent, channel), "1"},
          {"kind", Type::uint8, offsetof(CommandEvent, kind), "1"},
          {"bank", Type::uint16, offsetof(CommandEvent, bank), "1"},
          {"row", Type::uint32, offsetof(CommandEvent, row), "1"}};
}

void write_provenance(Hdf5File& file, RunDescription const& run, TraceLevel level) {
  file.set("schema", schema_of(level));
  file.set("tessera_version", run.tessera_version);
  file.set("commit", run.commit);
  file.set("command_line", run.command_line);
  file.set("host", run.host);
  file.set("seed", run.seed);
  if (!run.options.empty()) file.set("options", run.options);
}

void write_description(Hdf5File& file, RunDescription const& run) {
  file.set("network", run.network_name);
  file.set("array", run.array_name);
  file.set("planner", run.planner);
  file.set("batch", run.batch);
  file.set("steps", run.steps);
  file.set("accelerators", run.accelerators);
  file.add_group("config");
  file.add_text("config/workload", run.workload);
  file.add_text("config/array", run.array);
  file.add_text("config/plan", run.plan);
  file.add_group("names");
  file.add_texts("names/operators", run.names.operators);
  file.add_texts("names/phases", run.names.phases);
  file.add_texts("names/task_kinds", run.names.task_kinds);
  file.add_texts("names/channels", run.names.channels);
  file.add_texts("names/command_kinds", run.names.command_kinds);
  file.add_texts("names/causes", run.names.causes);
  file.add_texts("names/path_causes", run.names.path_causes);
}

void write_totals(Hdf5File& file, RunSummary const& summary) {
  file.set("complete", std::int64_t{summary.complete});
  file.set("time_ps", summary.time.value());
  file.set("cycles", summary.cycles.value());
  file.set("communication_bytes", summary.communication.value());
  file.set("macs", summary.macs.value());
  file.set("fingerprint", to_hex(summary.fingerprint));
  file.set("predicted_time_s", summary.predicted_time_s);
  file.set("predicted_communication_bytes", summary.predicted_communication_bytes);
  file.set("predicted_energy_j", summary.predicted_energy_j);
}

void write_counters(Hdf5File& file, std::vector<Counter> const& counters) {
  struct Row {
    char const* resource;
    char const* name;
    char const* unit;
    std::int64_t value;
  };
  std::vector<Row> rows;
  rows.reserve(counters.size());
  for (auto const& counter : counters) {
    rows.push_back(
        {counter.resource.c_str(), counter.name.c_str(), counter.unit.c_str(), counter.value});
  }
  file.add_table("counters",
                 {{"resource", Type::text, offsetof(Row, resource), "1"},
                  {"name", Type::text, offsetof(Row, name), "1"},
                  {"unit", Type::text, offsetof(Row, unit), "1"},
                  {"value", Type::int64, offsetof(Row, value), "unit"}},
                 rows);
}

void write_utilisation(Hdf5File& file, std::vector<Utilisation> const& utilisation) {
  std::size_t bins = 0;
  for (auto const& entry : utilisation) bins = std::max(bins, entry.busy.size());
  auto const width = utilisation.empty() ? Time{0} : utilisation.front().width;

  std::vector<std::string> resources;
  std::vector<std::int64_t> busy(utilisation.size() * bins);
  for (auto const& entry : utilisation) {
    EXPECTS(entry.width == width, entry.resource, entry.width, width);
    auto const row = resources.size() * bins;
    for (std::size_t bin = 0; bin < entry.busy.size(); ++bin) {
      busy[row + bin] = entry.busy[bin].value();
    }
    resources.push_back(entry.resource);
  }
  file.add_group("utilisation");
  file.add_texts("utilisation/resource", resources);
  file.add_matrix("utilisation/busy_ps", busy, resources.size(), bins);
  file.set_on("utilisation/busy_ps", "bin_ps", width.value());
}

void write_energy(Hdf5File& file, std::vector<EnergyEntry> const& energy) {
  struct Row {
    char const* component;
    char const* event;
    std::int64_t count;
    double each;
    double total;
  };
  std::vector<Row> rows;
  rows.reserve(energy.size());
  for (auto const& entry : energy) {
    rows.push_back({entry.component.c_str(), entry.event.c_str(), entry.count, entry.each.value(),
                    entry.total().value()});
  }
  file.add_table("energy",
                 {{"component", Type::text, offsetof(Row, component), "1"},
                  {"event", Type::text, offsetof(Row, event), "1"},
                  {"count", Type::int64, offsetof(Row, count), "1"},
                  {"each_j", Type::float64, offsetof(Row, each), "J"},
                  {"total_j", Type::float64, offsetof(Row, total), "J"}},
                 rows);
}

void write_links(Hdf5File& file, std::vector<LinkEntry> const& links) {
  struct Row {
    char const* from;
    char const* to;
    std::uint8_t level;
    std::int64_t lanes;
    std::int64_t lane_bandwidth;
    std::int64_t messages;
    std::int64_t bytes;
    std::int64_t busy;
    double utilisation;
    double energy;
  };
  std::vector<Row> rows;
  rows.reserve(links.size());
  for (auto const& link : links) {
    rows.push_back({link.from.c_str(), link.to.c_str(), static_cast<std::uint8_t>(link.level),
                    link.lanes, link.lane_bandwidth.value(), link.messages, link.bytes.value(),
                    link.busy.value(), link.utilisation, link.energy.value()});
  }
  file.add_table("links",
                 {{"from", Type::text, offsetof(Row, from), "1"},
                  {"to", Type::text, offsetof(Row, to), "1"},
                  {"level", Type::uint8, offsetof(Row, level), "1"},
                  {"lanes", Type::int64, offsetof(Row, lanes), "1"},
                  {"lane_bandwidth", Type::int64, offsetof(Row, lane_bandwidth), "bit/s"},
                  {"messages", Type::int64, offsetof(Row, messages), "1"},
                  {"bytes", Type::int64, offsetof(Row, bytes), "B"},
                  {"busy_ps", Type::int64, offsetof(Row, busy), "ps"},
                  {"utilisation", Type::float64, offsetof(Row, utilisation), "1"},
                  {"energy_j", Type::float64, offsetof(Row, energy), "J"}},
                 rows);
}

void write_traffic(Hdf5File& file, std::vector<TrafficEntry> const& traffic) {
  file.add_table("traffic",
                 {{"source", Type::uint32, offsetof(TrafficEntry, source), "1"},
                  {"destination", Type::uint32, offsetof(TrafficEntry, destination), "1"},
                  {"messages", Type::int64, offsetof(TrafficEntry, messages), "1"},
                  {"bytes", Type::int64, offsetof(TrafficEntry, bytes), "B"}},
                 traffic);
}

void write_breakdown(Hdf5File& file, std::vector<BreakdownEntry> const& breakdown) {
  file.add_table("breakdown",
                 {{"operator", Type::uint32, offsetof(BreakdownEntry, op), "1"},
                  {"phase", Type::uint8, offsetof(BreakdownEntry, phase), "1"},
                  {"compute_ps", Type::int64, offsetof(BreakdownEntry, compute), "ps"},
                  {"memory_ps", Type::int64, offsetof(BreakdownEntry, memory), "ps"},
                  {"communication_ps", Type::int64, offsetof(BreakdownEntry, communication), "ps"},
                  {"idle_ps", Type::int64, offsetof(BreakdownEntry, idle), "ps"},
                  {"macs", Type::int64, offsetof(BreakdownEntry, macs), "MAC"},
                  {"memory_bytes", Type::int64, offsetof(BreakdownEntry, memory_bytes), "B"},
                  {"kernel_starts_ps", Type::int64, offsetof(BreakdownEntry, kernel_starts), "ps"}},
                 breakdown);
}

void write_stages(Hdf5File& file, std::vector<StageEntry> const& stages) {
  file.add_table("stages",
                 {{"stage", Type::uint32, offsetof(StageEntry, stage), "1"},
                  {"accelerator", Type::uint32, offsetof(StageEntry, accelerator), "1"},
                  {"begin_ps", Type::int64, offsetof(StageEntry, begin), "ps"},
                  {"end_ps", Type::int64, offsetof(StageEntry, end), "ps"},
                  {"compute_ps", Type::int64, offsetof(StageEntry, compute), "ps"},
                  {"bubble_ps", Type::int64, offsetof(StageEntry, bubble), "ps"},
                  {"in_flight", Type::int64, offsetof(StageEntry, in_flight), "1"},
                  {"versions", Type::int64, offsetof(StageEntry, weight_versions), "1"}},
                 stages);
}

void write_steps(Hdf5File& file, RunSummary const& summary) {
  auto const steady = summary.steady.value_or(SteadyState{});
  file.set("first_step_ps", summary.first_step.value());
  file.set("period_ps", steady.period.value());
  file.set("period_micro_batches", steady.micro_batches);
  file.set("steady_begin_ps", steady.begin.value());
  file.set("steady_end_ps", steady.end.value());
}

}  // namespace

Hdf5Sink::Hdf5Sink(std::string path, TraceLevel level, Overwrite overwrite)
    : path_{std::move(path)}, level_{level}, overwrite_{overwrite}, file_{path_} {
  if (keeps_tasks()) task_buffer_.reserve(chunk_events);
  if (level >= TraceLevel::commands) command_buffer_.reserve(chunk_events);
}

void Hdf5Sink::begin(RunDescription const& run) {
  EXPECTS(state_ == State::created);
  if (overwrite_ == Overwrite::same) check_same_run(path_, run, level_);
  state_ = State::begun;
  write_provenance(file_, run, level_);
  write_description(file_, run);
  write_places(file_, run.places);
  write_plan(file_, run.plan_costs);
  file_.set("trace", name(level_));
  tasks_ = file_.add_table("tasks", task_columns(), sizeof(TaskEvent), chunk_events);
  commands_ = file_.add_table("commands", command_columns(), sizeof(CommandEvent), chunk_events);
}

void Hdf5Sink::record(TaskEvent const& event) {
  EXPECTS(state_ == State::begun);
  if (!keeps_tasks()) return;
  task_buffer_.push_back(event);
  if (task_buffer_.size() == chunk_events) append_tasks();
}

void Hdf5Sink::record_command(CommandEvent const& event) {
  EXPECTS(state_ == State::begun);
  if (level_ < TraceLevel::commands) return;
  command_buffer_.push_back(event);
  if (command_buffer_.size() == chunk_events) append_commands();
}

void Hdf5Sink::append_tasks() {
  tasks_->append(task_buffer_.data(), task_buffer_.size());
  task_buffer_.clear();
}

void Hdf5Sink::append_commands() {
  commands_->append(command_buffer_.data(), command_buffer_.size());
  command_buffer_.clear();
}

void Hdf5Sink::end(RunSummary const& summary) {
  EXPECTS(state_ == State::begun);
  state_ = State::ended;
  append_tasks();
  append_commands();
  tasks_.reset();
  commands_.reset();
  write_totals(file_, summary);
  write_steps(file_, summary);
  write_counters(file_, summary.counters);
  write_utilisation(file_, summary.utilisation);
  write_energy(file_, summary.energy);
  write_links(file_, summary.links);
  write_traffic(file_, summary.traffic);
  write_breakdown(file_, summary.breakdown);
  write_stages(file_, summary.stages);
  write_accelerators(file_, summary.accelerators);
  if (level_ == TraceLevel::repeats) write_mirrors(file_, summary.accelerators);
  auto const reasons = summary.reasons.value_or(Reasons{});
  write_what_if(file_, reasons.what_if);
  write_path(file_, reasons.critical_path);
  file_.publish();
}

}  // namespace tessera::traces

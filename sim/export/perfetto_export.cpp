#include "sim/export/perfetto_export.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/base/config_error.hpp"
#include "sim/export/folding.hpp"
#include "sim/export/lanes.hpp"
#include "sim/export/names.hpp"
#include "sim/export/perfetto_trace.hpp"

namespace tessera::sim {

namespace {

[[nodiscard]] Folding folding_of(traces::RunFile const& run, PerfettoOptions const& options) {
  if (!options.is_folded) return {};
  Time const period{run.integer("period_ps")};
  if (period <= Time{0}) {
    run.refuse("has no steady state to fold; tessera simulate --steps 3 or more looks for one");
  }
  Folding const folding{Time{run.integer("steady_begin_ps")}, Time{run.integer("steady_end_ps")},
                        period};
  if (folding.periods() < 2) run.refuse("has a steady state of one period, nothing to fold");
  return folding;
}

/// The tracks of one name of a process, as many as overlap.
struct Unit {
  std::string name;
  Lanes lanes;
  std::vector<std::int64_t> tracks;  ///< of each lane
};

/// A process for every accelerator, with its units.
struct AcceleratorTracks {
  std::int64_t process = 0;
  std::vector<Unit> units;  ///< by kind of task, then "receive"
};

class PerfettoExport final {
 public:
  PerfettoExport(traces::RunFile const& run, traces::PendingStream& output,
                 PerfettoOptions const& options)
      : run_{run},
        options_{options},
        names_{run},
        folding_{folding_of(run, options)},
        trace_{output} {}

  void write(TasksDone const& done) {
    add_processes();
    std::size_t count = 0;
    run_.for_each_task([&](traces::TaskEvent const& task) {
      write_task(task);
      done(++count);
    });
    write_utilisation();
    write_counters();
  }
  [[nodiscard]] PerfettoSummary const& summary() const { return summary_; }

  /// A process with what the run was, which tells its trace from another's.
  void write_run() {
    trace_.begin();
    auto const n = run_.integer("accelerators");
    auto const name =
        run_.text("network") + " on " + run_.text("array") + " with " + run_.text("planner");
    auto const unit = options_.shows_picoseconds ? " (1 ns shown is 1 ps simulated)" : "";
    auto const process = trace_.add_process(n + 1, name + unit);
    for (auto const* const key : {"network", "array", "planner", "fingerprint"}) {
      annotations_.add(key, run_.text(key));
    }
    for (auto const* const key : {"batch", "steps", "accelerators"}) {
      annotations_.add(key, run_.content().integer_attribute(key).value_or(1));
    }
    Time const end{run_.integer("time_ps")};
    write_slice(trace_.add_track(process, "run"), Time{0}, shown_end(end), "run");
    if (folding_.periods() == 0) return;
    annotations_.add("periods", folding_.periods());
    write_slice(trace_.add_track(process, "folded"), folding_.shown_begin(), folding_.shown_end(),
                "one period of " + std::to_string(folding_.periods()));
    summary_.folded_periods = folding_.periods();
  }

 private:
  [[nodiscard]] std::int64_t shown(Time time) const {
    constexpr std::int64_t ps_per_ns = 1000;
    return options_.shows_picoseconds ? time.value() : time.value() / ps_per_ns;
  }
  [[nodiscard]] Time shown_end(Time end) const {
    return end - folding_.shift(end).value_or(Time{0});
  }

  /// With what is in annotations_, which is empty then.
  void write_slice(std::int64_t track, Time begin, Time end, std::string const& name) {
    trace_.slice(track, shown(begin), shown(end), trace_.intern(PerfettoNames::events, name),
                 annotations_);
    annotations_.clear();
  }

  void add_processes() {
    auto const n = run_.integer("accelerators");
    fabric_ = trace_.add_process(n + 2, "fabric");
    auto const mirrors = run_.mirrors();
    for (std::int64_t a = 0; a < n; ++a) {
      auto const mirrored = mirrors.find(a);
      auto name = "accelerator " + std::to_string(a);
      if (mirrored != mirrors.end()) name += " (mirrors " + std::to_string(mirrored->second) + ")";
      AcceleratorTracks tracks{trace_.add_process(a + 1, name), {}};
      for (auto const& kind : names_.kinds()) {
        tracks.units.push_back({kind == "transfer" ? "send" : kind, {}, {}});
      }
      tracks.units.push_back({"receive", {}, {}});
      accelerators_.push_back(std::move(tracks));
    }
  }

  [[nodiscard]] AcceleratorTracks& tracks_of(std::size_t accelerator) {
    if (accelerator >= accelerators_.size()) {
      run_.refuse("/tasks has accelerator " + std::to_string(accelerator) + " of " +
                  std::to_string(accelerators_.size()) + "; simulate again");
    }
    return accelerators_[accelerator];
  }

  [[nodiscard]] std::int64_t track_of(AcceleratorTracks& tracks, Unit& unit, std::size_t lane) {
    while (unit.tracks.size() <= lane) {
      unit.tracks.push_back(trace_.add_track(tracks.process, unit.name));
    }
    return unit.tracks[lane];
  }

  void write_task(traces::TaskEvent const& task) {
    auto const shift = folding_.shift(task.start);
    if (!shift) return;
    Time const begin = task.start - *shift;
    Time const end = task.end - *shift;
    describe(task);
    auto& own = tracks_of(task.accelerator);
    static_cast<void>(names_.kind_of(task.kind));  // it has a name, and so a unit
    auto& unit = own.units[task.kind];
    if (!names_.is_transfer(task.kind)) return place(own, unit, begin, end, task, {});
    auto& other = tracks_of(task.destination);
    auto const flow = static_cast<std::uint64_t>(task.task) + 1;
    place(own, unit, begin, end, task, PerfettoFlow{FlowEnd::leaves, flow});
    place(other, other.units.back(), begin, end, task, PerfettoFlow{FlowEnd::arrives, flow});
    ++summary_.flows;
  }

  void place(AcceleratorTracks& tracks, Unit& unit, Time begin, Time end,
             traces::TaskEvent const& task, std::optional<PerfettoFlow> flow) {
    auto const name = name_of(task);
    if (begin == end && !flow) {
      trace_.instant(track_of(tracks, unit, 0), shown(begin), name, annotations_);
      ++summary_.instants;
      return;
    }
    auto const track = track_of(tracks, unit, unit.lanes.take(begin, end));
    trace_.slice(track, shown(begin), shown(end), name, annotations_, flow);
    ++summary_.slices;
  }

  [[nodiscard]] std::int64_t name_of(traces::TaskEvent const& task) {
    auto const key =
        (std::uint64_t{task.op} << 16U) | (std::uint64_t{task.phase} << 8U) | task.kind;
    auto& number = task_names_[key];
    if (number == 0) {
      auto text = names_.operator_of(task.op) + " " + names_.phase_of(task.phase);
      if (names_.kind_of(task.kind) != "compute") text += " " + names_.kind_of(task.kind);
      number = trace_.intern(PerfettoNames::events, text);
    }
    return number;
  }

  void describe(traces::TaskEvent const& task) {
    annotations_.clear();
    auto const add = [&](char const* name, std::int64_t value) {
      annotations_.add(trace_.intern(PerfettoNames::annotations, name), value);
    };
    auto const add_name = [&](char const* name, std::string const& value) {
      annotations_.add_name(trace_.intern(PerfettoNames::annotations, name),
                            trace_.intern(PerfettoNames::values, value));
    };
    add("task", task.task);
    add_name("operator", names_.operator_of(task.op));
    add_name("phase", names_.phase_of(task.phase));
    add("stage", task.stage);
    add("micro_batch", task.micro_batch);
    add("bytes", task.bytes.value());
    if (task.macs > Macs{0}) add("macs", task.macs.value());
    if (names_.is_transfer(task.kind)) {
      add("source", task.accelerator);
      add("destination", task.destination);
      add("rounds", task.rounds);
    }
    if (names_.has_causes()) {
      add_name("waited_for", names_.cause_of(task.cause));
      if (task.waited_for >= 0) add("waited_for_task", task.waited_for);
      add("slack_ps", task.slack.value());
    }
    constexpr std::int64_t ps_per_ns = 1000;
    bool const is_whole = task.start.value() % ps_per_ns == 0 && task.end.value() % ps_per_ns == 0;
    if (is_whole || options_.shows_picoseconds) return;
    add("start_ps", task.start.value());
    add("end_ps", task.end.value());
  }

  /// Of "accelerator-3.memory": 3's process. Links and switches are the fabric's.
  [[nodiscard]] std::pair<std::int64_t, std::string> owner_of(std::string const& resource) {
    auto const [accelerator, part] = split_resource(resource);
    if (!accelerator) return {fabric_, resource};
    return {tracks_of(*accelerator).process, part};
  }

  void write_utilisation() {
    auto const busy = run_.content().matrix("utilisation/busy_ps");
    auto const width = run_.content().integer_on("utilisation/busy_ps", "bin_ps");
    if (!busy || !width || *width <= 0) return;
    auto const resources = run_.texts("utilisation/resource");
    auto const lanes = lanes_of_links(run_);
    for (std::size_t row = 0; row < std::min(busy->rows, resources.size()); ++row) {
      auto const [process, name] = owner_of(resources[row]);
      auto const track = trace_.add_counter(process, name + " busy", "%");
      auto const found = lanes.find(resources[row]);
      auto const whole = static_cast<double>(*width * (found == lanes.end() ? 1 : found->second));
      for (std::size_t bin = 0; bin < busy->columns; ++bin) {
        Time const begin{static_cast<std::int64_t>(bin) * *width};
        auto const shift = folding_.shift(begin);
        if (!shift) continue;
        auto const value = static_cast<double>(busy->values[row * busy->columns + bin]);
        trace_.count(track, shown(begin - *shift), 100 * value / whole);
        ++summary_.counts;
      }
    }
  }

  void write_counters() {
    std::map<std::int64_t, PerfettoAnnotations> totals;  // by process
    auto const counters = run_.rows("counters");
    auto const resource = counters.find("resource"), name = counters.find("name"),
               value = counters.find("value");
    if (!resource || !name || !value) return;
    for (std::size_t row = 0; row < counters.count; ++row) {
      auto const [process, part] = owner_of(std::string{counters.text(row, *resource)});
      totals[process].add(part + "." + std::string{counters.text(row, *name)},
                          counters.integer(row, *value));
    }
    auto const text = trace_.intern(PerfettoNames::events, "counted in the whole run");
    auto const end = shown(shown_end(Time{run_.integer("time_ps")}));
    for (auto const& [process, annotations] : totals) {
      trace_.instant(process, end, text, annotations);
      ++summary_.instants;
    }
  }

  traces::RunFile const& run_;
  PerfettoOptions options_;
  TaskNames names_;
  Folding folding_;
  PerfettoTrace trace_;
  std::int64_t fabric_ = 0;
  std::vector<AcceleratorTracks> accelerators_;
  std::unordered_map<std::uint64_t, std::int64_t> task_names_;
  PerfettoAnnotations annotations_;
  PerfettoSummary summary_;
};

}  // namespace

PerfettoSummary export_perfetto(traces::RunFile const& run, std::string const& path,
                                PerfettoOptions const& options, TasksDone const& done) {
  run.expect_tasks();
  traces::PendingStream output{path};
  PerfettoExport exported{run, output, options};
  exported.write_run();
  traces::check_same_beginning(path, output.unwritten(), options.overwrite);
  exported.write(done);
  output.publish();
  return exported.summary();
}

}  // namespace tessera::sim

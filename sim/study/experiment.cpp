// The pipeline: plan, tasks, simulation, numbers.
#include "sim/study/experiment.hpp"

#include <cmath>
#include <memory>

#include "arch/base/config.hpp"
#include "partition/planners/planning_context.hpp"
#include "partition/planners/search_options.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/price/work.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/bounds.hpp"
#include "sim/study/core_times.hpp"
#include "sim/study/countable_time.hpp"
#include "sim/study/host.hpp"
#include "sim/study/in_flight_law.hpp"
#include "sim/study/measurement.hpp"
#include "sim/study/path_shares.hpp"
#include "sim/study/run_description.hpp"
#include "sim/study/simulated_evaluator.hpp"
#include "sim/study/step_limit.hpp"
#include "sim/terminal/failure.hpp"
#include "sim/terminal/table.hpp"
#include "traces/hdf5_run_check.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// What the run file holds. (150 million tasks of GPT-3 on 1024 chips took a minute, and 219 MB.)
traces::TraceLevel trace_of(Experiment const& experiment, TaskGraph const& tasks) {
  constexpr std::size_t most = 10'000'000;
  auto const all = tasks.size() * tasks.folding().copies();
  return experiment.trace.value_or(all > most ? traces::TraceLevel::repeats
                                              : traces::TraceLevel::tasks);
}

/// That has begun.
std::unique_ptr<traces::Sink> open_sink(Experiment const& experiment, partition::Plan const& plan,
                                        TaskGraph const& tasks) {
  if (!experiment.output) return std::make_unique<traces::NullSink>();
  auto sink = std::make_unique<traces::Hdf5Sink>(*experiment.output, trace_of(experiment, tasks),
                                                 experiment.overwrite);
  sink->begin(describe(experiment, plan));
  return sink;
}

RunOptions with_progress(RunOptions options, Progress& progress) {
  options.progress = [&progress](std::size_t done, Time time) {
    progress.update(done, time_text(seconds(time)) + " simulated");
  };
  return options;
}

/// A listener to commands wants to hear those of every accelerator.
partition::ExplainedFolding symmetry_of(Experiment const& experiment, partition::Plan const& plan,
                                        partition::Step const& step) {
  if (experiment.fold && !experiment.run.trace_commands) {
    return partition::explained_symmetry({experiment.network, experiment.array}, plan, step);
  }
  return {Folding{static_cast<std::size_t>(experiment.array.accelerators)}, {}};
}

/// A run on the host that the experiment names; a time that cannot be counted is the user's fault.
Report counted_run(Experiment const& experiment, partition::Plan const& plan,
                   TaskGraph const& tasks, traces::Sink& sink, Progress& progress) {
  try {
    auto const options = with_progress(experiment.run, progress);
    auto const run_on_host = experiment.host == Host::engine ? engine::run : run;
    return run_on_host(experiment.array, tasks, sink, options);
  } catch (ContractError const& error) {
    if (is_overflow(error)) throw uncountable(experiment, plan, tasks);
    throw;
  }
}

/// Runs the tasks into the experiment's sink; throws when they got stuck.
Report run_tasks(Experiment const& experiment, partition::Plan const& plan,
                 TaskGraph const& tasks) {
  auto const sink = open_sink(experiment, plan, tasks);
  Progress progress{tasks.size(), "tasks", experiment.progress};
  auto report = counted_run(experiment, plan, tasks, *sink, progress);
  auto& summary = report.summary;
  auto const predicted = predicted_of(plan, experiment.steps);
  summary.predicted_time_s = predicted.time_s;
  summary.predicted_communication_bytes = predicted.communication_bytes;
  summary.predicted_energy_j = predicted.energy_j;
  sink->end(summary);
  if (summary.complete) {
    check_in_flight(plan, experiment.steps, tasks, summary);
    return report;
  }
  auto text = "tessera: " + title(experiment) + " cannot make progress after " +
              time_text(seconds(summary.time));
  for (auto const& line : report.stuck) text += "\n  " + line;
  throw FailureError{{ExitCode::no_progress, text}};
}

}  // namespace

Experiment in_full(Experiment experiment) {
  experiment.fold = false;
  experiment.run.fast_forward = PhaseMemo::Use::off;
  return experiment;
}

void check_output(Experiment const& experiment) {
  if (!experiment.output || experiment.overwrite == traces::Overwrite::forced) return;
  auto const run = experiment.plan ? describe(experiment, *experiment.plan) : describe(experiment);
  traces::check_same_run(*experiment.output, run, experiment.trace);
}

std::string title(Experiment const& experiment) {
  auto const& planner = experiment.plan ? experiment.plan->planner : experiment.planner;
  return experiment.network.name() + " on " + experiment.array.name + " with " + planner;
}

namespace {

void show(partition::SearchProgress const& search, Progress& progress) {
  progress.expect(static_cast<std::size_t>(search.at_most));
  progress.update(static_cast<std::size_t>(search.evaluations),
                  search.best ? "best step " + time_text(seconds(*search.best)) : "");
}

/// What planners may ask for. All must outlive it.
partition::PlanningContext context_of(Experiment const& experiment, Stopwatch const& watch,
                                      Progress& progress) {
  partition::PlanningContext context;
  context.simulated = by_simulation(experiment.run.models);
  context.core_times = core_times(experiment.network);
  if (experiment.is_interrupted) context.is_interrupted = experiment.is_interrupted;
  context.seconds = [&watch] { return watch.seconds(); };
  if (experiment.progress == Progress::Wanted::yes) {
    context.progress = [&progress](partition::SearchProgress const& search) {
      show(search, progress);
    };
  }
  return context;
}

Solved solved(Experiment const& experiment) {
  Stopwatch const watch;
  Progress progress{0, "plans", experiment.progress};
  auto const context = context_of(experiment, watch, progress);
  partition::Problem const problem{experiment.network, experiment.array, &context};
  partition::check_times(problem);
  check_models(experiment.array, experiment.run.models);
  auto options = experiment.planner_options.as_map();
  auto plan = experiment.plan
                  ? *experiment.plan
                  : partition::builtin_planners().make(experiment.planner, options)->solve(problem);
  auto const wall_s = watch.seconds();
  partition::check_fit(problem, plan, partition::fit_from(options));
  // A planner has priced its plan; what a file says of one may be of another version.
  if (experiment.plan) plan.predicted = partition::predict(problem, plan);
  EXPECTS(plan.predicted.has_value(), plan.planner);
  return {std::move(plan), wall_s};
}

/// Can the same be planned with another batch?
bool is_solved_with(Experiment experiment, std::int64_t batch) {
  try {
    auto node = read_config_text(experiment.network.source_text(), experiment.network.name());
    node.override_key("batch", std::to_string(batch), "batch");
    experiment.network = workloads::network_from(node);
    static_cast<void>(solved(experiment));
    return true;
  } catch (ConfigError const&) {
    return false;
  }
}

/// "; use 96 or 112": the batches below and above that every plan for the array can split, if the
/// planner finds one for them that also fits.
std::string other_batches(Experiment const& experiment) {
  auto const step = experiment.array.accelerators;
  auto const below = experiment.network.batch() / step * step;
  std::string text;
  for (auto const batch : {below, below + step}) {
    if (batch == 0 || !is_solved_with(experiment, batch)) continue;
    text += (text.empty() ? "; use " : " or ") + std::to_string(batch);
  }
  return text;
}

}  // namespace

Solved solve(Experiment const& experiment) {
  try {
    return solved(experiment);
  } catch (ConfigError const& error) {
    if (error.key_path() != "workload.batch" || experiment.plan) throw;
    throw ConfigError{error.where(), error.key_path(), error.problem() + other_batches(experiment)};
  }
}

std::vector<Level> levels_of(Experiment const& experiment, partition::Plan const& plan) {
  auto const& network = experiment.network;
  EXPECTS(plan.predicted.has_value());
  auto const element_size = static_cast<double>(network.element_size().value());
  std::vector<Level> levels;
  for (std::size_t index = 0; index < static_cast<std::size_t>(plan.levels()); ++index) {
    auto& level = levels.emplace_back();
    level.level = static_cast<int>(index) + 1;
    level.predicted_bytes = std::llround(plan.predicted->level_elements[index] * element_size);
    if (plan.pipeline) continue;  // its operators are split along meshes of their own
    for (auto const op : network.operators().ids()) {
      auto const& split = plan.splits[op][index];
      level.types.emplace_back(network.at(op).name, partition::type_name(split));
      if (split) level.ratio.emplace_back(network.at(op).name, split->first);
    }
  }
  return levels;
}

MemoryUse memory_of(Experiment const& experiment, partition::Step const& step) {
  auto const full = partition::fullest({experiment.network, experiment.array}, step);
  auto const& held = full.footprint;
  auto const working = partition::working_memory(step, full.accelerator);
  return {static_cast<std::int64_t>(full.accelerator),
          (held.total() + working).value(),
          held.weights.value(),
          held.gradients.value(),
          held.activations.value(),
          working.value(),
          full.capacity.value()};
}

Predicted predicted_of(partition::Plan const& plan, std::int64_t steps) {
  EXPECTS(plan.predicted.has_value());
  auto const times = static_cast<double>(steps);
  return {plan.predicted->time_s * times, (plan.predicted->communication * steps).value(),
          plan.predicted->energy_j * times};
}

namespace {

std::optional<std::string> unless_empty(std::string const& text) {
  return text.empty() ? std::nullopt : std::optional{text};
}

std::vector<Module> modules_of(Report const& report) {
  std::vector<Module> modules;
  for (auto const& [name, kind, mirrors, unused, core] : report.modules) {
    modules.push_back(
        {name, kind, unless_empty(mirrors), unless_empty(unused), unless_empty(core)});
  }
  return modules;
}

/// A plan's step and tasks, and why there are not fewer.
struct Lowered {
  partition::Step step;
  TaskGraph tasks;
  partition::UnfoldedReasons unfolded;
};

Lowered lowered(Experiment const& experiment, partition::Plan const& plan) {
  auto step = partition::step_of({experiment.network, experiment.array}, plan);
  auto [folding, unfolded] = symmetry_of(experiment, plan, step);
  auto const tasks = [&, &folding = folding](std::int64_t steps) {
    return lower(experiment.array, plan, step, folding, steps);
  };
  if (experiment.steps > 1) check_steps(experiment, tasks(1), memory_of_machine());
  auto all = tasks(experiment.steps);
  return {std::move(step), std::move(all), std::move(unfolded)};
}

}  // namespace

Point simulate(Experiment const& experiment) {
  auto const [plan, plan_wall_s] = solve(experiment);
  Stopwatch const watch;
  auto const [step, tasks, unfolded] = lowered(experiment, plan);
  check_countable(experiment, plan, tasks);
  auto const report = run_tasks(experiment, plan, tasks);
  auto const& summary = report.summary;

  Point point;
  point.result = {experiment.network.name(),
                  experiment.array.name,
                  experiment.network.batch(),
                  plan.planner,
                  predicted_of(plan, experiment.steps),
                  measured(summary)};
  if (experiment.price_timeline) {
    point.result.timeline = timeline_of(experiment, plan, experiment.steps);
  }
  point.result.use = peak_use_of(summary);
  point.result.bounds = bounds_of(experiment.network, experiment.array);
  point.result.steps = steps_of(summary, plan, experiment.steps);
  if (!experiment.plan) point.result.plan_wall_s = plan_wall_s;
  point.result.explain_wall_s = report.explain_wall_s;
  point.result.simulate_wall_s = watch.seconds() - report.explain_wall_s.value_or(0);
  point.result.peak_rss_bytes = peak_memory();
  auto const memory = memory_of(experiment, step);
  point.details = {
      breakdown_of(summary, experiment.network),
      energy_of(summary),
      links_of(summary, experiment.array),
      levels_of(experiment, plan),
      tiles_of(report),
      blocks_of(report),
      symmetry_of(tasks.folding(), unfolded),
      memory,
      addresses_of(tasks, experiment.array, static_cast<std::size_t>(memory.accelerator)),
      stages_of(summary, plan),
      link_bandwidth_of(experiment.array)};
  point.details.critical_path = path_shares_of(summary, experiment.network, experiment.array);
  point.details.what_if = faster_times_of(summary);
  if (experiment.output) point.details.trace = traces::name(trace_of(experiment, tasks));
  if (experiment.run.list_modules) point.details.modules = modules_of(report);
  point.details.breakdown.bubbles = bubbles_of(summary, plan);
  auto const sent = sent_by_level(summary.traffic, tasks.folding().hierarchy());
  for (auto& level : point.details.levels) {
    level.predicted_bytes *= experiment.steps;
    level.simulated_bytes = sent.at(static_cast<std::size_t>(level.level) - 1).value();
  }
  return point;
}

std::optional<TimelineTimes> timeline_of(Experiment const& experiment, partition::Plan const& plan,
                                         std::int64_t steps) {
  auto options = experiment.planner_options.as_map();
  bool const of_cores =
      partition::times_from(options, partition::TimesOf::peak) == partition::TimesOf::core;
  auto const price = partition::timeline_price(
      {experiment.network, experiment.array}, plan,
      of_cores ? core_times(experiment.network) : partition::peak_rates());
  if (!price) return std::nullopt;
  auto const times = static_cast<double>(steps);
  return TimelineTimes{seconds(price->step) * times, seconds(price->busiest_core) * times,
                       seconds(price->busiest_lane) * times,
                       static_cast<std::int64_t>(price->tasks) * steps};
}

Job job_of(Experiment const& experiment) {
  return {"simulating " + title(experiment),
          [experiment] { return archived(simulate(experiment)); }, experiment.output};
}

}  // namespace tessera::sim

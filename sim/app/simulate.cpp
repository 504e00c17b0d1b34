// `tessera simulate`: one training step of one plan, and where its time and energy went.
#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "sim/app/command.hpp"
#include "sim/app/experiment.hpp"
#include "sim/app/options.hpp"
#include "sim/app/simulate_report.hpp"

namespace tessera::sim {

namespace {

struct SimulateOptions {
  ProblemOptions problem;
  std::optional<std::string> planner;
  std::optional<std::string> plan;
  std::optional<std::string> output;
  std::string trace = "tasks";
  bool no_fast_forward = false;
  bool layers = false;
  KernelOptions kernel;
  ReportOptions report;
};

traces::TraceLevel trace_level(std::string const& name) {
  if (name == "commands") {
    throw ConfigError({"--trace"}, {},
                      "commands is not available for this array: no detailed memories yet; use "
                      "tasks");
  }
  return name == "none" ? traces::TraceLevel::none : traces::TraceLevel::tasks;
}

Experiment experiment_of(SimulateOptions const& options, std::string const& command_line) {
  auto problems = load_problems(options.problem);
  Experiment experiment;
  experiment.network = std::move(problems.networks.front());
  experiment.array = std::move(problems.array);
  experiment.solver_options = problems.solver_options;
  if (options.plan) {
    experiment.plan = partition::load_plan(*options.plan, experiment.network, experiment.array);
  } else {
    check_planner(*options.planner);
    experiment.planner = *options.planner;
  }
  experiment.output = options.output;
  experiment.trace = trace_level(options.trace);
  experiment.run = options.kernel.run_options();
  experiment.command_line = command_line;
  experiment.progress = options.report.progress();
  return experiment;
}

std::string as_json(Point const& point) {
  Json json = {{"schema", "tessera.simulate/1"}};
  json.update(to_json(point.result));
  json.update(to_json(point.details));
  json["skipped"] = Json::object();
  return document(json);
}

Outcome run(SimulateOptions const& options, std::string const& command_line) {
  if (options.planner.has_value() == options.plan.has_value()) {
    throw ConfigError({}, {}, "simulate needs one of --planner and --plan");
  }
  auto const experiment = experiment_of(options, command_line);
  auto const point = point_from(run_jobs({job_of(experiment)}, 1).front());
  auto const layers = options.layers ? ShownLayers::all : ShownLayers::longest;
  return {options.report.json ? as_json(point) : simulate_report(point, layers)};
}

void add_plan_options(CLI::App& parser, SimulateOptions& options) {
  parser.add_option("-p,--planner", options.planner, "Planner (tessera list planners)")
      ->type_name("PLANNER");
  parser.add_option("--plan", options.plan, "A plan that tessera plan wrote, instead of -p")
      ->type_name("FILE");
}

void add_trace_options(CLI::App& parser, SimulateOptions& options) {
  auto* const output =
      parser.add_option("-o,--output", options.output, "Write the run as HDF5")->type_name("FILE");
  parser.add_option("--trace", options.trace, "What the run file holds besides summaries")
      ->check(CLI::IsMember({"none", "tasks", "commands"}).description({}))
      ->needs(output)
      ->capture_default_str()
      ->type_name("none|tasks|commands");
  parser.add_flag("--no-fast-forward", options.no_fast_forward,
                  "Simulate every event (nothing is skipped yet, so this changes nothing)");
}

}  // namespace

Command simulate_command(CLI::App& tessera, std::string const& command_line) {
  auto const options = std::make_shared<SimulateOptions>();
  auto* const parser =
      tessera.add_subcommand("simulate", "Simulate one training step; show where the time went");
  parser->footer("Example:\n  tessera simulate -w hypar/vgg-a -a hypar-paper -p hypar -o run.h5");
  add_problem_options(*parser, options->problem, HowMany::one);
  add_plan_options(*parser, *options);
  add_trace_options(*parser, *options);
  parser->add_flag("--layers", options->layers, "Show all layers, not only the longest");
  add_kernel_options(*parser, options->kernel);
  add_report_options(*parser, options->report);
  return {parser, [options, command_line] { return run(*options, command_line); }};
}

}  // namespace tessera::sim

// `tessera simulate`: one training step of one plan, or several, and where its time and energy went.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/app/simulate_report.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/experiment.hpp"

namespace tessera::sim {

namespace {

struct SimulateOptions {
  ProblemOptions problem;
  std::optional<std::string> planner;
  std::optional<std::string> plan;
  std::optional<std::string> output;
  OverwriteOptions overwrite;
  std::optional<std::string> trace;
  std::int64_t steps = 1;
  bool layers = false;
  bool modules = false;
  KernelOptions kernel;
  ReportOptions report;
};

bool has_detailed_memories(arch::ArraySpec const& array) {
  return std::any_of(array.groups.begin(), array.groups.end(), [](auto const& group) {
    return std::holds_alternative<arch::DramMemorySpec>(group.accelerator.memory);
  });
}

traces::TraceLevel trace_level(std::string const& name, arch::ArraySpec const& array) {
  if (name == "none") return traces::TraceLevel::none;
  if (name == "repeats") return traces::TraceLevel::repeats;
  if (name == "tasks") return traces::TraceLevel::tasks;
  if (!has_detailed_memories(array)) {
    throw ConfigError({"--trace"}, {},
                      array.name +
                          " has no memories with commands (accelerator.memory.kind: dram); "
                          "use tasks, or an array such as hmc-htree-16");
  }
  return traces::TraceLevel::commands;
}

Experiment experiment_of(SimulateOptions const& options, std::string const& command_line) {
  std::vector<std::string> planners;
  if (options.planner) planners.push_back(*options.planner);
  auto problems = load_problems(options.problem, planners);
  Experiment experiment;
  experiment.network = std::move(problems.networks.front());
  experiment.array = std::move(problems.array);
  experiment.planner_options = problems.planner_options;
  if (options.plan) {
    experiment.plan = partition::load_plan(*options.plan, experiment.network, experiment.array);
  } else {
    experiment.planner = *options.planner;
  }
  experiment.steps = options.steps;
  experiment.output = options.output;
  experiment.overwrite = options.overwrite.overwrite();
  if (options.trace) experiment.trace = trace_level(*options.trace, experiment.array);
  experiment.run = options.kernel.run_options();
  experiment.run.list_modules = options.modules;
  experiment.fold = options.kernel.folds();
  experiment.host = options.kernel.chosen_host();
  experiment.run.trace_commands = experiment.trace == traces::TraceLevel::commands;
  experiment.command_line = command_line;
  experiment.progress = options.report.progress();
  return experiment;
}

std::string as_json(Point const& point) {
  Json json = {{"schema", "tessera.simulate/1"}};
  json.update(to_json(point.result));
  json.update(to_json(point.details));
  auto const& symmetry = point.details.symmetry;
  auto const tiles = point.details.tiles.value_or(Tiles{});
  auto const blocks = point.details.blocks.value_or(Blocks{});
  json["skipped"] = {{"repeated_tiles", tiles.repeated},
                     {"mirrored_tiles", tiles.mirrored},
                     {"tiles_repeated_within", tiles.within},
                     {"repeated_blocks", blocks.repeated},
                     {"mirrored_accelerators", symmetry.accelerators - symmetry.simulated}};
  return document(json);
}

Outcome run(SimulateOptions const& options, std::string const& command_line) {
  if (options.planner && options.plan) {
    throw ConfigError({}, {},
                      "simulate takes --planner or --plan, not both (a plan needs no planner); "
                      "leave one out");
  }
  if (!options.planner && !options.plan) {
    throw ConfigError({}, {}, "simulate needs one of --planner and --plan");
  }
  if (options.modules && options.kernel.chosen_host() == Host::engine) {
    throw ConfigError({"--modules"}, {},
                      "the tree of modules is SystemC's; leave out --host engine");
  }
  auto const experiment = experiment_of(options, command_line);
  check_output(experiment);
  auto const point = point_from(run_jobs({job_of(experiment)}, 1).front());
  auto const layers = options.layers ? ShownLayers::all : ShownLayers::longest;
  return {options.report.json ? as_json(point) : simulate_report(point, layers), ExitCode::done,
          remarks_on(experiment.array)};
}

void add_plan_options(Parser& parser, SimulateOptions& options) {
  parser.add_option("-p,--planner", options.planner, "Planner (tessera list planners)")
      ->type_name("PLANNER");
  parser.add_option("--plan", options.plan, "A plan that tessera plan wrote, instead of -p")
      ->type_name("FILE");
}

void add_trace_options(Parser& parser, SimulateOptions& options) {
  auto* const output =
      parser
          .add_option("-o,--output", options.output,
                      "Write the run as HDF5: totals, tasks, links, traffic, energy")
          ->type_name("FILE");
  add_overwrite_options(parser, options.overwrite);
  parser
      .add_option("--trace", options.trace,
                  "What the run file holds besides summaries: every task, those of accelerators "
                  "that were simulated only (repeats: the default of more than 10^7), or DRAM "
                  "commands, too")
      ->one_of({"none", "repeats", "tasks", "commands"})
      ->needs(output)
      ->type_name("none|repeats|tasks|commands");
}

}  // namespace

Command simulate_command(Parser& tessera, std::string const& command_line) {
  auto const options = std::make_shared<SimulateOptions>();
  auto* const parser = tessera.add_subcommand(
      "simulate", "Simulate a training step, or several; show where the time went");
  parser->footer(
      "Example:\n  tessera simulate -w hypar/vgg-a -a hypar-paper -p hypar -o run.h5\n"
      "  communication beside computation, or (overlap=none) in turns:\n"
      "  tessera simulate -w hypar/vgg-a -a hypar-paper -p hypar --set "
      "arch.execution.overlap=communication");
  add_problem_options(*parser, options->problem, HowMany::one);
  add_plan_options(*parser, *options);
  add_trace_options(*parser, *options);
  add_steps_option(*parser, options->steps);
  parser->add_flag("--layers", options->layers, "Show all layers, not only the longest");
  parser->add_flag("--modules", options->modules,
                   "Show the tree of modules, and which were simulated; equal neighbours in one "
                   "line (--json lists all)");
  add_kernel_options(*parser, options->kernel);
  add_report_options(*parser, options->report);
  return {parser, [options, command_line] { return run(*options, command_line); }};
}

}  // namespace tessera::sim

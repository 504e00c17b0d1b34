// `tessera plan`: solve, and show the plan.
#include <memory>
#include <optional>

#include "partition/search/planning.hpp"
#include "sim/app/plan_report.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/experiment.hpp"
#include "sim/study/signal_hold.hpp"
#include "sim/terminal/output.hpp"

namespace tessera::sim {

namespace {

struct PlanOptions {
  ProblemOptions problem;
  std::string planner;
  std::optional<std::string> output;
  OverwriteOptions overwrite;
  ReportOptions report;
};

Outcome run(PlanOptions const& options) {
  auto problems = load_problems(options.problem, {options.planner});
  Experiment experiment;
  experiment.network = std::move(problems.networks.front());
  experiment.array = std::move(problems.array);
  experiment.planner = options.planner;
  experiment.planner_options = problems.planner_options;
  experiment.progress = options.report.progress();
  std::optional<SignalHold> signals;
  if (partition::make_planner(options.planner, experiment.planner_options)->is_anytime()) {
    signals.emplace();
    experiment.is_interrupted = [&signals] { return signals->pending().has_value(); };
  }
  if (options.output) {
    auto const unsolved =
        partition::empty_plan(options.planner, {experiment.network, experiment.array});
    traces::check_heading(*options.output, "tessera.plan", partition::heading_of(unsolved),
                          options.overwrite.overwrite());
  }
  auto const solved = solve(experiment);
  if (options.output) {
    auto const file = write_config(partition::to_config(solved.plan, experiment.network));
    traces::write_text_file(*options.output, file, options.overwrite.overwrite());
  }
  auto const text =
      options.report.json ? plan_json(experiment, solved) : plan_report(experiment, solved);
  auto const signal = signals ? signals->pending() : std::nullopt;
  if (!signal) return {text, ExitCode::done, remarks_on(experiment.array)};
  write_stdout(text);
  throw Interrupted{*signal};
}

}  // namespace

Command plan_command(Parser& tessera) {
  auto const options = std::make_shared<PlanOptions>();
  auto* const parser =
      tessera.add_subcommand("plan", "Solve; show the plan and its predicted cost");
  parser->footer("Example:\n  tessera plan -w hypar/vgg-a -a hypar-paper -p hypar -o plan.yaml");
  add_problem_options(*parser, options->problem, HowMany::one);
  parser->add_option("-p,--planner", options->planner, "Planner (tessera list planners)")
      ->required()
      ->type_name("PLANNER");
  parser->add_option("-o,--output", options->output, "Write the plan as YAML")->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  add_report_options(*parser, options->report);
  return {parser, [options] { return run(*options); }};
}

}  // namespace tessera::sim

// `tessera plan`: solve, and show the plan as a table of layers and levels.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/app/command.hpp"
#include "sim/app/experiment.hpp"
#include "sim/app/layer_table.hpp"
#include "sim/app/options.hpp"
#include "sim/app/simulate_report.hpp"
#include "sim/app/stages_report.hpp"
#include "sim/app/table.hpp"

namespace tessera::sim {

namespace {

struct PlanOptions {
  ProblemOptions problem;
  std::string planner;
  std::optional<std::string> output;
  OverwriteOptions overwrite;
  ReportOptions report;
};

/// Where the planner has not proven its choice optimal: how far from it that can be.
std::string optimality_line(partition::Plan const& plan) {
  if (plan.optimality_gap == 0) return {};
  auto const above = plan.optimality_gap / (1 - plan.optimality_gap);
  if (above >= 1) return "not proven optimal\n";
  return "within " + number_text(100 * above) + " % of the optimum of what " + plan.planner +
         " minimises\n";
}

std::string as_text(Experiment const& experiment, Solved const& solved) {
  auto const& plan = solved.plan;
  auto const predicted = predicted_of(plan);
  return title(experiment) + ", batch " + std::to_string(plan.batch) + ", " +
         std::to_string(plan.accelerators) + " accelerators\n\n" +
         (plan.pipeline ? stages_text(*plan.pipeline, experiment.network) + "\n" : "") +
         layer_table(experiment.network, plan) + "predicted: " + time_text(predicted.time_s) +
         ", " + bytes_text(static_cast<double>(predicted.communication_bytes)) +
         " communication, " + energy_text(predicted.energy_j) + "\n" +
         memory_line(memory_of(experiment, plan)) + optimality_line(plan) + "planned in " +
         time_text(solved.wall_s) + ", " + std::to_string(plan.evaluations) + " evaluations\n";
}

std::string as_json(Experiment const& experiment, Solved const& solved) {
  auto const& plan = solved.plan;
  Json json{{"schema", "tessera.plan-report/1"},
            {"workload", experiment.network.name()},
            {"arch", experiment.array.name},
            {"batch", plan.batch},
            {"accelerators", plan.accelerators},
            {"planner", plan.planner},
            {"levels", to_json(levels_of(experiment, plan))},
            {"predicted", to_json(predicted_of(plan))},
            {"memory", to_json(memory_of(experiment, plan))},
            {"planner_wall_s", solved.wall_s},
            {"evaluations", plan.evaluations}};
  if (plan.pipeline) {
    json["stages"] = stages_json(*plan.pipeline, experiment.network);
    json["schedule"] = schedule_json(*plan.pipeline);
  }
  if (plan.optimality_gap > 0) json["optimality_gap"] = plan.optimality_gap;
  return document(json);
}

Outcome run(PlanOptions const& options) {
  auto problems = load_problems(options.problem, {options.planner});
  Experiment experiment;
  experiment.network = std::move(problems.networks.front());
  experiment.array = std::move(problems.array);
  experiment.planner = options.planner;
  experiment.planner_options = problems.planner_options;
  auto const solved = solve(experiment);
  if (options.output) {
    auto const text = write_config(partition::to_config(solved.plan, experiment.network));
    traces::write_text_file(*options.output, text, options.overwrite.overwrite());
  }
  return {options.report.json ? as_json(experiment, solved) : as_text(experiment, solved)};
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

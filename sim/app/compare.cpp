// `tessera compare`: every planner on every workload, against the first planner and against its own prediction.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "sim/app/command.hpp"
#include "sim/app/comparison.hpp"
#include "sim/app/experiment.hpp"
#include "sim/app/options.hpp"
#include "sim/app/table.hpp"

namespace tessera::sim {

namespace {

struct CompareOptions {
  ProblemOptions problem;
  std::vector<std::string> planners;
  std::optional<std::string> output;
  std::size_t workers = 1;
  KernelOptions kernel;
  ReportOptions report;
};

void reject_duplicates(std::string const& kind, std::vector<std::string> const& names) {
  std::set<std::string> const different{names.begin(), names.end()};
  if (different.size() == names.size()) return;
  auto const twice = *std::find_if(names.begin(), names.end(), [&](std::string const& name) {
    return std::count(names.begin(), names.end(), name) > 1;
  });
  throw ConfigError({}, {}, kind + " '" + twice + "' is named twice; name it once");
}

/// DIR/hypar_vgg-a.hypar-paper.dp.h5
std::string output_file(std::string const& folder, Experiment const& experiment) {
  auto name = experiment.network.name() + "." + experiment.array.name + "." + experiment.planner;
  std::replace(name.begin(), name.end(), '/', '_');
  return (std::filesystem::path{folder} / (name + ".h5")).string();
}

void create_folder(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ConfigError({}, {}, "cannot create " + folder + ": " + error.message());
}

std::vector<Experiment> experiments_of(CompareOptions const& options,
                                       std::string const& command_line) {
  reject_duplicates("planner", options.planners);
  auto const problems = load_problems(options.problem, options.planners);
  std::vector<std::string> names;
  std::vector<Experiment> experiments;
  for (auto const& network : problems.networks) {
    names.push_back(network.name());
    for (auto const& planner : options.planners) {
      auto& experiment = experiments.emplace_back();
      experiment.network = network;
      experiment.array = problems.array;
      experiment.planner = planner;
      experiment.planner_options = problems.planner_options;
      experiment.run = options.kernel.run_options();
      experiment.fold = options.kernel.folds();
      experiment.command_line = command_line;
      if (options.output) experiment.output = output_file(*options.output, experiment);
    }
  }
  reject_duplicates("network", names);
  return experiments;
}

std::string as_json(Comparison const& comparison) {
  auto results = Json::array();
  for (auto const& result : comparison.results) results.push_back(to_json(result));
  auto geomean = Json::array();
  for (auto const& mean : comparison.geomean) {
    geomean.push_back({{"arch", mean.arch},
                       {"planner", mean.planner},
                       {"speedup", mean.speedup},
                       {"energy_efficiency", mean.energy_efficiency}});
  }
  return document({{"schema", "tessera.compare/1"}, {"results", results}, {"geomean", geomean}});
}

std::string as_table(Comparison const& comparison) {
  Table table{{{"workload", Table::Align::left},
               {"planner", Table::Align::left},
               {"time"},
               {"predicted"},
               {"speedup"},
               {"communication"},
               {"predicted"},
               {"energy"},
               {"efficiency"}}};
  for (auto const& result : comparison.results) {
    table.add({result.workload, result.planner, time_text(result.simulated.time_s),
               time_text(result.predicted.time_s), number_text(result.speedup),
               bytes_text(static_cast<double>(result.simulated.communication_bytes)),
               bytes_text(static_cast<double>(result.predicted.communication_bytes)),
               energy_text(result.simulated.energy_j), number_text(result.energy_efficiency)});
  }
  for (auto const& mean : comparison.geomean) {
    table.add({"geomean", mean.planner, "", "", number_text(mean.speedup), "", "", "",
               number_text(mean.energy_efficiency)});
  }
  auto const& first = comparison.results.front();
  return table.text() + "\non " + first.arch + "; speedup and energy efficiency against " +
         first.planner + "\n";
}

Outcome run(CompareOptions const& options, std::string const& command_line) {
  auto const experiments = experiments_of(options, command_line);
  if (options.output) create_folder(*options.output);
  auto const points = simulate_all(experiments, options.workers, options.report.progress());
  auto const comparison = compare(points, options.planners.size());
  return {options.report.json ? as_json(comparison) : as_table(comparison)};
}

}  // namespace

Command compare_command(Parser& tessera, std::string const& command_line) {
  auto const options = std::make_shared<CompareOptions>();
  auto* const parser = tessera.add_subcommand(
      "compare", "Simulate every planner on every workload; predicted against simulated");
  parser->footer(
      "Example:\n"
      "  tessera compare -w hypar/alexnet,hypar/vgg-a -a hypar-paper -p dp,mp,hypar -o runs");
  add_problem_options(*parser, options->problem, HowMany::list);
  parser
      ->add_option("-p,--planner", options->planners,
                   "Planners; the first is what the others are compared with")
      ->required()
      ->one_value_each()
      ->delimiter(',')
      ->type_name("PLANNER,...");
  parser->add_option("-o,--output", options->output, "Write each run as HDF5 into a directory")
      ->type_name("DIR");
  add_jobs_option(*parser, options->workers);
  add_kernel_options(*parser, options->kernel);
  add_report_options(*parser, options->report);
  return {parser, [options, command_line] { return run(*options, command_line); }};
}

}  // namespace tessera::sim

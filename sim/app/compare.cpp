// `tessera compare`: every planner on every workload, against the first planner and against its own prediction.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "sim/app/simulate_report.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/experiment.hpp"
#include "sim/study/measurement.hpp"
#include "sim/terminal/table.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim {

namespace {

struct CompareOptions {
  ProblemOptions problem;
  std::vector<std::string> planners;
  std::optional<std::string> output;
  OverwriteOptions overwrite;
  std::int64_t steps = 1;
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

/// As a part of a file's name, another one for every text: '/' is '_', and what else is no letter,
/// digit or one of `plain` is %XX.
std::string name_part(std::string const& text, std::string_view plain) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string part;
  for (auto const letter : text) {
    auto const code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0 || plain.find(letter) != std::string_view::npos) {
      part += letter;
    } else if (letter == '/') {
      part += '_';
    } else {
      part += std::string{'%'} + digits[code / 16U] + digits[code % 16U];
    }
  }
  return part;
}

/// What --set says, as a part of a file's name; a fingerprint where that would be too long for one.
std::string settings_part(std::vector<std::string> const& settings) {
  constexpr std::size_t longest = 120;  // of the 255 that file systems take
  std::string part;
  for (auto const& setting : settings) part += '.' + name_part(setting, "-+=.");
  if (part.size() <= longest) return part;
  traces::Fingerprint whole;
  whole.add(part);
  return ".set-" + traces::to_hex(whole.value());
}

/// DIR/hypar_vgg-a.hypar-paper.dp.h5, and before .h5 the settings, if there are any, and the steps,
/// if there are several.
std::string output_file(CompareOptions const& options, Experiment const& experiment) {
  auto const name = name_part(experiment.network.name(), "-") + "." +
                    name_part(experiment.array.name, "-") + "." + experiment.planner +
                    settings_part(options.problem.settings) +
                    (options.steps == 1 ? "" : ".steps-" + std::to_string(options.steps)) + ".h5";
  return (std::filesystem::path{*options.output} / name).string();
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
      experiment.steps = options.steps;
      experiment.run = options.kernel.run_options();
      experiment.fold = options.kernel.folds();
      experiment.command_line = command_line;
      if (options.output) experiment.output = output_file(options, experiment);
      experiment.overwrite = options.overwrite.overwrite();
    }
  }
  reject_duplicates("network", names);
  return experiments;
}

/// What was asked for, and why there is no more.
Json failed_json(Entry const& entry) {
  auto const& [result, failure] = entry;
  return {{"workload", result.workload},
          {"arch", result.arch},
          {"batch", result.batch},
          {"planner", result.planner},
          {"failure",
           {{"exit_code", static_cast<int>(failure->code)}, {"text", one_line(failure->text)}}}};
}

std::string as_json(Comparison const& comparison, arch::ArraySpec const& array) {
  auto results = Json::array();
  for (auto const& entry : comparison.entries) {
    results.push_back(entry.failure ? failed_json(entry) : to_json(entry.result));
  }
  auto geomean = Json::array();
  for (auto const& mean : comparison.geomean) {
    geomean.push_back({{"arch", mean.arch},
                       {"planner", mean.planner},
                       {"workloads", comparison.workloads},
                       {"speedup", mean.speedup},
                       {"energy_efficiency", mean.energy_efficiency}});
  }
  Json json{{"schema", "tessera.compare/1"}, {"results", results}, {"geomean", geomean}};
  if (auto const bandwidth = link_bandwidth_of(array)) {
    json["link_bandwidth"] = to_json(*bandwidth);
  }
  return document(json);
}

/// "-" where there is nothing to compare with.
std::string ratio_text(std::optional<double> const& ratio) {
  return ratio ? number_text(*ratio) : "-";
}

/// Samples per second in the steady state.
std::string throughput_text(Result const& result) {
  if (!result.steps || !result.steps->steady) return "not steady";
  return number_text(result.steps->steady->samples_per_s);
}

std::vector<std::string> cells_of(Entry const& entry) {
  auto const& result = entry.result;
  if (entry.failure) return {result.workload, result.planner, "failed", "", "", "", "", "", "", ""};
  return {result.workload,
          result.planner,
          time_text(result.simulated.time_s),
          time_text(result.predicted.time_s),
          throughput_text(result),
          ratio_text(result.speedup),
          bytes_text(static_cast<double>(result.simulated.communication_bytes)),
          bytes_text(static_cast<double>(result.predicted.communication_bytes)),
          energy_text(result.simulated.energy_j),
          ratio_text(result.energy_efficiency)};
}

/// All but the throughput are of one step, too.
template <typename Cell>
std::vector<Cell> shown(std::vector<Cell> cells, std::int64_t steps) {
  if (steps == 1) cells.erase(cells.begin() + 4);
  return cells;
}

std::size_t failures(Comparison const& comparison) {
  auto const& entries = comparison.entries;
  return static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(), [](auto const& entry) { return entry.failure.has_value(); }));
}

/// Why rows failed, and what the means are of then.
std::string failures_text(Comparison const& comparison, std::size_t planners) {
  if (failures(comparison) == 0) return {};
  std::string text;
  for (auto const& [result, failure] : comparison.entries) {
    if (!failure) continue;
    text +=
        result.workload + " with " + result.planner + " failed: " + one_line(failure->text) + "\n";
  }
  return text + "geomean: over the " + std::to_string(comparison.workloads) + " of " +
         std::to_string(comparison.entries.size() / planners) + " workloads that " +
         comparison.entries.front().result.planner +
         " completed; none for a planner that failed on one of them\n";
}

std::string steps_text(std::int64_t steps) {
  if (steps == 1) return {};
  return std::to_string(steps) +
         " steps each; samples per second in the steady state, and speedup of these where both "
         "have one, else of all steps\n";
}

std::string as_table(Comparison const& comparison, CompareOptions const& options,
                     arch::ArraySpec const& array) {
  std::vector<Table::Column> const columns = {{"workload", Table::Align::left},
                                              {"planner", Table::Align::left},
                                              {"time"},
                                              {"predicted"},
                                              {"samples/s"},
                                              {"speedup"},
                                              {"communication"},
                                              {"predicted"},
                                              {"energy"},
                                              {"efficiency"}};
  Table table{shown(columns, options.steps)};
  for (auto const& entry : comparison.entries) table.add(shown(cells_of(entry), options.steps));
  for (auto const& mean : comparison.geomean) {
    std::vector<std::string> const cells = {"geomean", mean.planner,
                                            "",        "",
                                            "",        number_text(mean.speedup),
                                            "",        "",
                                            "",        number_text(mean.energy_efficiency)};
    table.add(shown(cells, options.steps));
  }
  auto const& first = comparison.entries.front().result;
  return table.text() + "\non " + first.arch + "; speedup and energy efficiency against " +
         first.planner + "\n" + links_line(link_bandwidth_of(array)) + steps_text(options.steps) +
         failures_text(comparison, options.planners.size());
}

Outcome run(CompareOptions const& options, std::string const& command_line) {
  auto const experiments = experiments_of(options, command_line);
  for (auto const& experiment : experiments) check_output(experiment);
  if (options.output) create_folder(*options.output);
  auto const planners = options.planners.size();
  auto const comparison =
      compare(try_all(experiments, options.workers, options.report.progress()), planners);
  auto const& array = experiments.front().array;
  return {options.report.json ? as_json(comparison, array) : as_table(comparison, options, array),
          failures(comparison) == 0 ? ExitCode::done : ExitCode::check_failed, remarks_on(array)};
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
  add_overwrite_options(*parser, options->overwrite);
  add_steps_option(*parser, options->steps);
  add_jobs_option(*parser, options->workers);
  add_kernel_options(*parser, options->kernel);
  add_report_options(*parser, options->report);
  return {parser, [options, command_line] { return run(*options, command_line); }};
}

}  // namespace tessera::sim

// `tessera compare`: every planner on every workload, against the first planner and against its own prediction.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "sim/app/compare_report.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/experiment.hpp"
#include "sim/study/settings.hpp"
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
std::string output_file(CompareOptions const& options, std::vector<std::string> const& settings,
                        Experiment const& experiment) {
  auto const name = name_part(experiment.network.name(), "-") + "." +
                    name_part(experiment.array.name, "-") + "." + experiment.planner +
                    settings_part(settings) +
                    (options.steps == 1 ? "" : ".steps-" + std::to_string(options.steps)) + ".h5";
  return (std::filesystem::path{*options.output} / name).string();
}

void create_folder(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ConfigError({}, {}, "cannot create " + folder + ": " + error.message());
}

/// An array with its settings, and what is simulated on it: workload by workload, every planner.
struct Problem {
  ComparedOn on;
  std::vector<Experiment> experiments;
};

Problem problem_of(CompareOptions const& options, std::string const& arch,
                   SettingsChoice const& choice, std::string const& command_line) {
  auto named = options.problem;
  named.arch = arch;
  named.settings = choice.assignments;
  auto const problems = load_problems(named, options.planners);
  Problem problem{{problems.array, choice.varied}, {}};
  std::vector<std::string> names;
  for (auto const& network : problems.networks) {
    names.push_back(network.name());
    for (auto const& planner : options.planners) {
      auto& experiment = problem.experiments.emplace_back();
      experiment.network = network;
      experiment.array = problems.array;
      experiment.planner = planner;
      experiment.planner_options = problems.planner_options;
      experiment.steps = options.steps;
      experiment.run = options.kernel.run_options();
      experiment.run.explain = options.output.has_value();  // no table says why
      experiment.fold = options.kernel.folds();
      experiment.price_timeline = true;
      experiment.host = options.kernel.chosen_host();
      experiment.command_line = command_line;
      if (options.output) experiment.output = output_file(options, choice.assignments, experiment);
      experiment.overwrite = options.overwrite.overwrite();
    }
  }
  reject_duplicates("network", names);
  return problem;
}

/// Of every array, with every choice of settings.
std::vector<Problem> problems_of(CompareOptions const& options, std::string const& command_line) {
  reject_duplicates("planner", options.planners);
  auto const choices = choices_of(options.problem.settings);
  std::vector<std::string> names;
  std::vector<Problem> problems;
  for (auto const& arch : options.problem.archs) {
    for (auto const& choice : choices) {
      problems.push_back(problem_of(options, arch, choice, command_line));
    }
    names.push_back(problems.back().on.array.name);
  }
  reject_duplicates("array", names);
  return problems;
}

std::vector<Experiment> experiments_of(std::vector<Problem> const& problems) {
  std::vector<Experiment> experiments;
  for (auto const& problem : problems) {
    experiments.insert(experiments.end(), problem.experiments.begin(), problem.experiments.end());
  }
  return experiments;
}

std::vector<std::string> remarks_of(std::vector<Problem> const& problems) {
  std::vector<std::string> remarks;
  for (auto const& problem : problems) {
    for (auto const& remark : remarks_on(problem.on.array)) {
      auto const found = std::find(remarks.begin(), remarks.end(), remark);
      if (found == remarks.end()) remarks.push_back(remark);
    }
  }
  return remarks;
}

CompareReport report_of(std::vector<Problem> const& problems, std::vector<Entry> const& entries,
                        CompareOptions const& options) {
  auto const planners = options.planners.size();
  CompareReport report;
  report.steps = options.steps;
  report.planners = planners;
  report.quality = prediction_quality(entries, planners);
  report.timeline_quality = prediction_quality(entries, planners, timeline_time);
  auto next = entries.begin();
  for (auto const& problem : problems) {
    auto const end = next + static_cast<std::ptrdiff_t>(problem.experiments.size());
    report.parts.push_back({problem.on, compare({next, end}, planners)});
    next = end;
  }
  return report;
}

Outcome run(CompareOptions const& options, std::string const& command_line) {
  auto const problems = problems_of(options, command_line);
  auto const experiments = experiments_of(problems);
  for (auto const& experiment : experiments) check_output(experiment);
  if (options.output) create_folder(*options.output);
  auto const entries = try_all(experiments, options.workers, options.report.progress());
  auto const report = report_of(problems, entries, options);
  return {options.report.json ? as_json(report) : as_table(report),
          has_failures(report) ? ExitCode::check_failed : ExitCode::done, remarks_of(problems)};
}

}  // namespace

Command compare_command(Parser& tessera, std::string const& command_line) {
  auto const options = std::make_shared<CompareOptions>();
  auto* const parser = tessera.add_subcommand(
      "compare", "Simulate every planner on every workload; predicted against simulated");
  parser->footer(
      "Example:\n"
      "  tessera compare -w hypar/alexnet,hypar/vgg-a -a hypar-paper -p dp,mp,hypar -o runs\n"
      "  tessera compare -w hypar/vgg-a -a hypar-paper,accpar-paper-128 -p dp,hypar "
      "--set workload.batch=128,256");
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

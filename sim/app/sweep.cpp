// `tessera sweep`: a design space from a file, into a folder, as one table.
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "sim/app/sweep_work.hpp"
#include "sim/sweep/study_hdf5.hpp"
#include "sim/sweep/study_sensitivity.hpp"
#include "sim/sweep/study_table.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

struct SweepOptions {
  std::optional<std::string> file;
  std::optional<std::string> folder;
  std::optional<std::string> other;
  std::optional<std::string> output;
  std::string column = "time_s";
  bool price = false;
  bool host = false;
  WorkOptions work;
};

/// DIR, or what the sweep's file is called without its ending and with .study.
std::string folder_of(SweepOptions const& options) {
  if (options.folder) return *options.folder;
  return std::filesystem::path{*options.file}.replace_extension(".study").string();
}

/// Writes the folder, and says what is in it.
Outcome plan_study(SweepOptions const& options, std::string const& folder) {
  auto const spec = load_sweep(*options.file);
  auto const study = resolved(points_of(spec));
  check_results(spec);
  auto const change = write_study(folder, spec, study);
  auto text = folder + ": " + plural(study.points.size(), "point") + " of " + spec.name;
  if (change.added < study.points.size() || change.dropped > 0) {
    text += " (" + std::to_string(change.added) + " new, " + std::to_string(change.dropped) +
            " no longer wanted)";
  }
  return {text + "\n", ExitCode::done, study.remarks};
}

bool is_hdf5(std::string const& path) {
  auto const extension = std::filesystem::path{path}.extension();
  return extension == ".h5" || extension == ".hdf5";
}

/// A table may take the place of one that was collected before, and of nothing else.
void check_place(std::string const& path) {
  std::ifstream before{path, std::ios::binary};
  if (!before) return;
  std::string start;
  if (is_hdf5(path)) {
    std::ostringstream bytes;
    bytes << before.rdbuf();
    if (bytes.str().find(study_table_schema) != std::string::npos) return;
  } else if (!std::getline(before, start) || start.compare(0, 3, "id,") == 0) {
    return;
  }
  throw ConfigError{{path}, {}, "is there and no table of a sweep; give another name"};
}

void write_csv(StudyTable const& table, std::string const& path) {
  auto const text = csv_text(table);
  traces::PendingFile file{path};
  file.write_at(0, text.data(), text.size());
  file.publish();
}

StudyTable whole_table(SweepOptions const& options) {
  auto const& folder = *options.folder;
  return table_of(read_study_sweep(folder), read_study_points(folder),
                  read_results(folder, options.work.programs()),
                  options.host ? HostColumns::added : HostColumns::left_out);
}

Outcome collect(SweepOptions const& options) {
  auto const table = whole_table(options);
  if (!options.output) return {csv_text(table)};
  check_place(*options.output);
  auto const write = is_hdf5(*options.output) ? write_hdf5 : write_csv;
  write(table, *options.output);
  return {*options.output + ": " + plural(table.rows.size(), "row") + "\n"};
}

Outcome show_sensitivities(SweepOptions const& options) {
  auto const& folder = *options.folder;
  return {csv_text(sensitivities(read_study_sweep(folder), read_study_points(folder),
                                 whole_table(options), options.column))};
}

Outcome compare_studies(SweepOptions const& options) {
  auto const first = read_results(*options.folder, Programs::any);
  auto const second = read_results(*options.other, Programs::any);
  auto const table = differences(first, second);
  if (table.rows.empty()) return {"no point that both have is different\n"};
  return {csv_text(table), ExitCode::check_failed};
}

void add_folder(Parser& parser, SweepOptions& options) {
  parser.add_option("folder", options.folder, "The study's folder")->required()->type_name("DIR");
}

using SharedOptions = std::shared_ptr<SweepOptions>;

Command plan_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand(
      "plan", "Write a study's folder; simulate nothing yet, or a few points to tell the price");
  parser->add_option("file", options->file, "The sweep")->required()->type_name("SWEEP.yaml");
  parser->add_option("folder", options->folder, "The study's folder")->type_name("DIR");
  parser->add_flag("--price", options->price,
                   "Simulate a few points, and say what the others will take");
  add_jobs_option(*parser, options->work.jobs);
  return {parser, [options] {
            auto const folder = folder_of(*options);
            auto const planned = plan_study(*options, folder);
            return options->price ? price_of(options->work, folder, planned) : planned;
          }};
}

/// `work`, `resume` and `retry`.
Command work_subcommand(Parser& sweep, SharedOptions const& options, std::string const& name,
                        std::string const& help, bool retry) {
  auto* const parser = sweep.add_subcommand(name, help);
  add_folder(*parser, *options);
  add_work_options(*parser, options->work);
  add_engine_options(*parser, options->work.engine);
  add_program_option(*parser, options->work);
  add_report_options(*parser, options->work.report);
  return {parser, [options, retry] {
            check_engine_options(options->work.engine);
            return simulate_study(options->work, *options->folder, retry);
          }};
}

Command status_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand("status", "How many points are done, and how");
  add_folder(*parser, *options);
  add_program_option(*parser, options->work);
  add_report_options(*parser, options->work.report);
  return {parser, [options] { return standing(options->work, *options->folder); }};
}

Command script_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand("script", "What an engine would be given to run");
  add_folder(*parser, *options);
  add_work_options(*parser, options->work);
  add_engine_options(*parser, options->work.engine);
  add_program_option(*parser, options->work);
  return {parser, [options] {
            check_engine_options(options->work.engine);
            return job_script(options->work, *options->folder);
          }};
}

Command collect_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser =
      sweep.add_subcommand("collect", "One table of all points, as CSV, or as HDF5 with units");
  add_folder(*parser, *options);
  parser
      ->add_option("-o,--output", options->output,
                   "A file, instead of standard output: FILE.csv or FILE.h5")
      ->type_name("FILE");
  parser->add_flag("--host", options->host, "What each point cost this machine, too");
  add_program_option(*parser, options->work);
  return {parser, [options] { return collect(*options); }};
}

Command sensitivities_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand(
      "sensitivities", "By which factor a column changes with one step of one axis, as CSV");
  add_folder(*parser, *options);
  parser
      ->add_option("--column", options->column,
                   "Of the table: simulated, predicted or the sweep's own")
      ->capture_default_str()
      ->type_name("NAME");
  add_program_option(*parser, options->work);
  return {parser, [options] { return show_sensitivities(*options); }};
}

Command diff_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser =
      sweep.add_subcommand("diff", "Points that two studies have, with different results");
  add_folder(*parser, *options);
  parser->add_option("other", options->other, "The other study")->required()->type_name("DIR");
  return {parser, [options] { return compare_studies(*options); }};
}

std::vector<Command> add_subcommands(Parser& sweep, SharedOptions const& options) {
  return {
      plan_subcommand(sweep, options),
      work_subcommand(sweep, options, "work", "Simulate points that have no result", false),
      work_subcommand(sweep, options, "resume", "The same", false),
      work_subcommand(sweep, options, "retry",
                      "Simulate points that failed, timed out or were out of memory, too", true),
      status_subcommand(sweep, options),
      script_subcommand(sweep, options),
      collect_subcommand(sweep, options),
      sensitivities_subcommand(sweep, options),
      diff_subcommand(sweep, options)};
}

/// A word that is no file was to be a subcommand.
void check_is_file(Parser const& parser, std::string const& file) {
  auto const is_word = file.find_first_of("./") == std::string::npos;
  if (is_word && !std::filesystem::exists(file)) parser.refuse_argument(file);
}

Outcome run(Parser const& parser, SweepOptions const& options,
            std::vector<Command> const& subcommands) {
  if (!options.file) return run_chosen(parser, subcommands);
  check_is_file(parser, *options.file);
  check_engine_options(options.work.engine);
  auto const folder = folder_of(options);
  return simulate_study(options.work, folder, false, plan_study(options, folder));
}

}  // namespace

Command sweep_command(Parser& tessera) {
  auto const options = std::make_shared<SweepOptions>();
  auto* const parser =
      tessera.add_subcommand("sweep", "Simulate a design space, and show it as one table");
  auto const subcommands = add_subcommands(*parser, options);
  parser->add_option("file", options->file, "The sweep: options, axes, conditions, results")
      ->type_name("SWEEP.yaml");
  parser->add_option("folder", options->folder, "The study's folder (SWEEP.study)")
      ->type_name("DIR");
  add_work_options(*parser, options->work);
  add_engine_options(*parser, options->work.engine);
  add_report_options(*parser, options->work.report);
  parser->footer(
      "Example:\n"
      "  tessera sweep links.yaml links.study && tessera sweep collect links.study -o links.csv");
  return {parser, [parser, options, subcommands] {
            for (auto const& command : subcommands) {
              if (command.parser->parsed()) return command.run();
            }
            return run(*parser, *options, subcommands);
          }};
}

}  // namespace tessera::sim

// `tessera sweep`: a design space from a file, into a folder, as one table.
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/sweep/study_table.hpp"
#include "sim/sweep/study_work.hpp"
#include "sim/terminal/output.hpp"
#include "sim/terminal/table.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

/// Which of `tessera sweep`'s subcommands simulate, and on what.
struct WorkOptions {
  std::size_t jobs = 1;
  std::string slice = "0/1";
  std::int64_t seconds = 0;  ///< 0: no limit
  std::string memory;
};

struct SweepOptions {
  std::optional<std::string> file;
  std::optional<std::string> folder;
  std::optional<std::string> other;
  std::optional<std::string> output;
  bool host = false;
  bool any_program = false;
  WorkOptions work;
  ReportOptions report;
};

/// "2/8": every eighth point from the third on.
std::pair<std::size_t, std::size_t> slice_of(std::string const& text) {
  auto const slash = text.find('/');
  try {
    auto const node = ConfigNode::scalar(text.substr(0, slash)).as<std::int64_t>();
    auto const count = slash == std::string::npos
                           ? 0
                           : ConfigNode::scalar(text.substr(slash + 1)).as<std::int64_t>();
    if (node >= 0 && node < count) {
      return {static_cast<std::size_t>(node), static_cast<std::size_t>(count)};
    }
  } catch (ConfigError const&) {  // said below
  }
  throw ConfigError{
      {"--slice"}, {}, in_quotes(text) + " is no slice; write K/N with K from 0 to N - 1"};
}

StudyWork work_of(SweepOptions const& options, bool retry) {
  StudyWork work;
  work.workers = options.work.jobs;
  std::tie(work.slice, work.slices) = slice_of(options.work.slice);
  work.retry = retry;
  work.programs = options.any_program ? Programs::any : Programs::this_one;
  if (options.work.seconds > 0) work.most_seconds = options.work.seconds;
  if (!options.work.memory.empty()) {
    auto node = ConfigNode::scalar(options.work.memory);
    node.set_origin({"--point-memory"});
    work.most_memory = node.as<Bytes>();
  }
  work.progress = options.report.progress();
  return work;
}

/// DIR, or what the sweep's file is called without its ending and with .study.
std::string folder_of(SweepOptions const& options) {
  if (options.folder) return *options.folder;
  return std::filesystem::path{*options.file}.replace_extension(".study").string();
}

std::string plural(std::size_t count, std::string const& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Writes the folder, and says what is in it.
Outcome plan_study(SweepOptions const& options, std::string const& folder) {
  auto const spec = load_sweep(*options.file);
  auto const study = resolved(points_of(spec));
  auto const change = write_study(folder, spec, study);
  auto text = folder + ": " + plural(study.points.size(), "point") + " of " + spec.name;
  if (change.added < study.points.size() || change.dropped > 0) {
    text += " (" + std::to_string(change.added) + " new, " + std::to_string(change.dropped) +
            " no longer wanted)";
  }
  return {text + "\n", ExitCode::done, study.remarks};
}

Json as_json(StudyTally const& tally) {
  return {{"schema", "tessera.study/1"},    {"points", tally.points}, {"done", tally.done},
          {"infeasible", tally.infeasible}, {"failed", tally.failed}, {"left", tally.left()},
          {"torn_lines", tally.torn_lines}, {"stale", tally.stale}};
}

std::string as_text(StudyTally const& tally) {
  auto text = std::to_string(tally.done) + " done, " + std::to_string(tally.infeasible) +
              " infeasible, " + std::to_string(tally.failed) + " failed, " +
              std::to_string(tally.left()) + " left of " + plural(tally.points, "point") + "\n";
  if (tally.stale > 0) {
    text += plural(tally.stale, "point") +
            " only another version of tessera has results of; --any-program takes them\n";
  }
  if (tally.torn_lines > 0) {
    text += plural(tally.torn_lines, "line") + " of results end in the middle and do not count\n";
  }
  return text;
}

/// How a study stands; where points failed, that is how the program ends.
Outcome standing(SweepOptions const& options, std::string const& folder,
                 Outcome const& planned = {}) {
  auto const programs = options.any_program ? Programs::any : Programs::this_one;
  auto const tally = tally_of(read_study_points(folder), read_results(folder, programs));
  auto const text = options.report.json ? document(as_json(tally)) : planned.text + as_text(tally);
  return {text, tally.failed > 0 ? ExitCode::check_failed : ExitCode::done, planned.remarks};
}

Outcome simulate_study(SweepOptions const& options, std::string const& folder, bool retry,
                       Outcome const& planned = {}) {
  try {
    work_on(folder, work_of(options, retry));
  } catch (Interrupted const&) {
    write_stderr("interrupted; go on with: tessera sweep resume " + folder + "\n");
    throw;
  }
  return standing(options, folder, planned);
}

/// In the place of a table that was collected before, and of nothing else.
void write_table(std::string const& path, std::string const& text) {
  std::string first_line;
  std::ifstream before{path};
  if (std::getline(before, first_line) && first_line.compare(0, 3, "id,") != 0) {
    throw ConfigError{{path}, {}, "is there and no table of a sweep; give another name"};
  }
  traces::PendingFile file{path};
  file.write_at(0, text.data(), text.size());
  file.publish();
}

Outcome collect(SweepOptions const& options) {
  auto const& folder = *options.folder;
  auto const programs = options.any_program ? Programs::any : Programs::this_one;
  auto const table =
      table_of(read_study_sweep(folder), read_study_points(folder), read_results(folder, programs),
               options.host ? HostColumns::added : HostColumns::left_out);
  auto const text = csv_text(table);
  if (!options.output) return {text};
  write_table(*options.output, text);
  return {*options.output + ": " + plural(table.rows.size(), "row") + "\n"};
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

void add_work_options(Parser& parser, SweepOptions& options) {
  add_jobs_option(parser, options.work.jobs);
  parser
      .add_option("--slice", options.work.slice,
                  "Every N-th point from the K-th on (from 0): for one of N workers of a folder")
      ->capture_default_str()
      ->type_name("K/N");
  parser
      .add_option("--point-seconds", options.work.seconds,
                  "A point that takes longer is stopped and timed out")
      ->within(std::int64_t{1}, std::int64_t{1} << 30U)
      ->type_name("N");
  parser
      .add_option("--point-memory", options.work.memory,
                  "A point that needs more is stopped and out of memory")
      ->type_name("SIZE");
}

void add_program_option(Parser& parser, SweepOptions& options) {
  parser.add_flag("--any-program", options.any_program,
                  "Results of other versions of tessera count, too");
}

using SharedOptions = std::shared_ptr<SweepOptions>;

Command plan_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser =
      sweep.add_subcommand("plan", "Write a study's folder, and simulate nothing yet");
  parser->add_option("file", options->file, "The sweep")->required()->type_name("SWEEP.yaml");
  parser->add_option("folder", options->folder, "The study's folder")->type_name("DIR");
  return {parser, [options] { return plan_study(*options, folder_of(*options)); }};
}

/// `work`, `resume` and `retry`.
Command work_subcommand(Parser& sweep, SharedOptions const& options, std::string const& name,
                        std::string const& help, bool retry) {
  auto* const parser = sweep.add_subcommand(name, help);
  add_folder(*parser, *options);
  add_work_options(*parser, *options);
  add_program_option(*parser, *options);
  add_report_options(*parser, options->report);
  return {parser, [options, retry] { return simulate_study(*options, *options->folder, retry); }};
}

Command status_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand("status", "How many points are done, and how");
  add_folder(*parser, *options);
  add_program_option(*parser, *options);
  add_report_options(*parser, options->report);
  return {parser, [options] { return standing(*options, *options->folder); }};
}

Command collect_subcommand(Parser& sweep, SharedOptions const& options) {
  auto* const parser = sweep.add_subcommand("collect", "One table of all points, as CSV");
  add_folder(*parser, *options);
  parser->add_option("-o,--output", options->output, "A file, instead of standard output")
      ->type_name("FILE");
  parser->add_flag("--host", options->host, "What each point cost this machine, too");
  add_program_option(*parser, *options);
  return {parser, [options] { return collect(*options); }};
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
      collect_subcommand(sweep, options),
      diff_subcommand(sweep, options)};
}

Outcome run(Parser const& parser, SweepOptions const& options,
            std::vector<Command> const& subcommands) {
  if (!options.file) return run_chosen(parser, subcommands);
  auto const folder = folder_of(options);
  return simulate_study(options, folder, false, plan_study(options, folder));
}

}  // namespace

Command sweep_command(Parser& tessera) {
  auto const options = std::make_shared<SweepOptions>();
  auto* const parser =
      tessera.add_subcommand("sweep", "Simulate a design space, and show it as one table");
  auto const subcommands = add_subcommands(*parser, options);
  parser->add_option("file", options->file, "The sweep (sim/sweep/sweep_spec.hpp has its keys)")
      ->type_name("SWEEP.yaml");
  parser->add_option("folder", options->folder, "The study's folder (SWEEP.study)")
      ->type_name("DIR");
  add_work_options(*parser, *options);
  add_report_options(*parser, options->report);
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

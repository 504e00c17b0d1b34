// `tessera export`: a run file for other programs: a trace for ui.perfetto.dev, or tables of text.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/export/csv_export.hpp"
#include "sim/export/perfetto_export.hpp"
#include "sim/study/result.hpp"

namespace tessera::sim {

namespace {

struct ExportOptions {
  std::string run;
  std::optional<std::string> perfetto;
  std::optional<std::string> csv;
  std::string time_unit = "ns";
  bool is_folded = false;
  OverwriteOptions overwrite;
  ReportOptions report;
};

[[nodiscard]] std::string folded_text(std::int64_t periods) {
  if (periods == 0) return {};
  return "; 1 period of " + std::to_string(periods) + " stands for all of the steady state";
}

[[nodiscard]] Outcome to_perfetto(traces::RunFile const& run, ExportOptions const& options) {
  Progress progress{run.tasks(), "tasks", options.report.progress()};
  PerfettoOptions const wanted{options.time_unit == "ps", options.is_folded,
                               options.overwrite.overwrite()};
  auto const summary = export_perfetto(run, *options.perfetto, wanted,
                                       [&](std::size_t done) { progress.update(done); });
  if (options.report.json) {
    return {document({{"schema", "tessera.export/1"},
                      {"files", {*options.perfetto}},
                      {"slices", summary.slices},
                      {"instants", summary.instants},
                      {"flows", summary.flows},
                      {"counter_values", summary.counts},
                      {"folded_periods", summary.folded_periods}})};
  }
  return {*options.perfetto + ": " + std::to_string(summary.slices) + " slices, " +
          std::to_string(summary.flows) + " transfers as arrows, " +
          std::to_string(summary.counts) + " values of counters" +
          folded_text(summary.folded_periods) + "; open it in https://ui.perfetto.dev\n"};
}

[[nodiscard]] Outcome to_tables(traces::RunFile const& run, ExportOptions const& options) {
  Progress progress{run.tasks(), "tasks", options.report.progress()};
  auto const files = export_csv(run, *options.csv, options.overwrite.overwrite(),
                                [&](std::size_t done) { progress.update(done); });
  if (options.report.json) {
    return {document({{"schema", "tessera.export/1"}, {"files", files}})};
  }
  return {*options.csv + ": " + std::to_string(files.size()) + " tables of the run, " +
          std::to_string(run.tasks()) + " tasks\n"};
}

[[nodiscard]] Outcome export_run(ExportOptions const& options) {
  if (options.perfetto.has_value() == options.csv.has_value()) {
    throw ConfigError({}, {}, "tessera export writes one kind of file; give --perfetto or --csv");
  }
  traces::RunFile const run{options.run};
  if (options.perfetto) return to_perfetto(run, options);
  return to_tables(run, options);
}

}  // namespace

Command export_command(Parser& tessera) {
  auto const options = std::make_shared<ExportOptions>();
  auto* const parser = tessera.add_subcommand(
      "export", "A run file as a trace for ui.perfetto.dev, or as tables of text");
  parser->footer(
      "Example:\n  tessera export run.h5 --perfetto run.pftrace\n"
      "  tessera export run.h5 --perfetto period.pftrace --fold\n"
      "  tessera export run.h5 --csv run-tables\n"
      "(tessera simulate -o run.h5 writes a run file)");
  parser->add_option("run", options->run, "A run file")->required()->type_name("RUN.h5");
  auto* const perfetto =
      parser->add_option("--perfetto", options->perfetto, "Write a trace")->type_name("FILE");
  auto* const csv =
      parser
          ->add_option("--csv", options->csv,
                       "Write every table, and the attributes, as FILE.csv in a folder")
          ->type_name("DIR")
          ->excludes(perfetto);
  parser
      ->add_option("--time-unit", options->time_unit,
                   "Of a trace, whose times are whole: ns rounds down (beside what is rounded "
                   "stands what it was); ps shows a picosecond as a nanosecond")
      ->one_of({"ns", "ps"})
      ->capture_default_str()
      ->excludes(csv);
  parser
      ->add_flag(
          "--fold", options->is_folded,
          "Of a trace: show the steady state of a run of several steps as one of its periods")
      ->excludes(csv);
  add_overwrite_options(*parser, options->overwrite);
  add_report_options(*parser, options->report);
  return {parser, [options] { return export_run(*options); }};
}

}  // namespace tessera::sim

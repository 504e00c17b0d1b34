// `tessera report`: a run, or two side by side, as one page to read, to keep and to send.
#include <memory>

#include <nlohmann/json.hpp>

#include "sim/app/report_data.hpp"
#include "sim/app/report_page.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/terminal/table.hpp"
#include "traces/pending_stream.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t most_runs = 2;

struct PageOptions {
  std::vector<std::string> runs;
  std::string output;
  OverwriteOptions overwrite;
  ReportOptions report;
};

[[nodiscard]] std::vector<traces::RunFile> opened(PageOptions const& options) {
  if (options.runs.size() > most_runs) {
    throw ConfigError({}, {},
                      "a report shows one run, or two side by side; " +
                          std::to_string(options.runs.size()) + " are given");
  }
  std::vector<traces::RunFile> runs;
  for (auto const& path : options.runs) {
    runs.emplace_back(path);
    runs.back().expect_tasks();
  }
  return runs;
}

[[nodiscard]] Outcome write_report(PageOptions const& options) {
  auto const runs = opened(options);
  std::vector<std::string> fingerprints;
  std::size_t tasks = 0;
  for (auto const& run : runs) {
    fingerprints.push_back(run.text("fingerprint"));
    tasks += run.tasks();
  }
  traces::PendingStream output{options.output};
  traces::check_same_beginning(options.output, report_beginning(fingerprints),
                               options.overwrite.overwrite());
  Progress progress{tasks, "tasks", options.report.progress()};
  std::vector<Json> data;
  std::size_t before = 0;
  for (auto const& run : runs) {
    data.push_back(report_data(run, [&](std::size_t done) { progress.update(before + done); }));
    before += run.tasks();
  }
  auto const page = report_page(fingerprints, data);
  output.write(page);
  output.publish();
  if (options.report.json) {
    return {document({{"schema", "tessera.report-file/1"},
                      {"file", options.output},
                      {"bytes", page.size()},
                      {"tasks", tasks}})};
  }
  return {options.output + ": " + std::to_string(tasks) + " tasks, " +
          bytes_text(static_cast<double>(page.size())) + "; open it in a browser\n"};
}

}  // namespace

Command report_command(Parser& tessera) {
  auto const options = std::make_shared<PageOptions>();
  auto* const parser = tessera.add_subcommand(
      "report", "A run file as one page for the browser: what took how long, and why");
  parser->footer(
      "Example:\n  tessera report run.h5 -o report.html\n"
      "  tessera report dp.h5 hypar.h5 -o report.html\n"
      "(tessera simulate -o run.h5 writes a run file)");
  parser->add_option("runs", options->runs, "A run file, or two to be seen side by side")
      ->required()
      ->type_name("RUN.h5...");
  parser->add_option("-o,--output", options->output, "Write the page: one file that needs no other")
      ->required()
      ->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  add_report_options(*parser, options->report);
  return {parser, [options] { return write_report(*options); }};
}

}  // namespace tessera::sim

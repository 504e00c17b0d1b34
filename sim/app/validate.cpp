// `tessera validate`: rerun the shipped validation and judge it.
#include <algorithm>
#include <memory>

#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/validation/suite.hpp"

namespace tessera::sim {

namespace {

struct ValidateOptions {
  std::vector<std::string> suites;
  std::size_t workers = 1;
  ReportOptions report;
};

Outcome run(ValidateOptions const& options) {
  std::vector<std::unique_ptr<Suite>> suites;
  for (auto const& name : options.suites.empty() ? builtin_suites().names() : options.suites) {
    auto suite = make_suite(name);
    if (options.suites.empty() && suite->takes_long()) continue;
    suites.push_back(std::move(suite));
  }
  std::vector<Row> rows;
  for (auto const& suite : suites) {
    auto const found = suite->run({options.workers, options.report.progress()});
    rows.insert(rows.end(), found.begin(), found.end());
  }
  auto const pass = std::all_of(rows.begin(), rows.end(), [](Row const& row) { return row.pass; });
  return {options.report.json ? as_json(rows) : as_text(rows),
          pass ? ExitCode::done : ExitCode::check_failed};
}

std::string help_footer() {
  std::string text = "Suites:";
  auto const registry = builtin_suites();
  for (auto const& suite : registry.entries()) {
    text += "\n  " + suite.name + ": " + suite.description;
  }
  return text + "\nExample:\n  tessera validate hypar";
}

}  // namespace

Command validate_command(Parser& tessera) {
  auto const options = std::make_shared<ValidateOptions>();
  auto* const parser = tessera.add_subcommand(
      "validate", "Compute published results again; exit code 3 when one is missed");
  parser->footer(help_footer);
  parser
      ->add_option("suites", options->suites,
                   "Which suites, by name or path of a reference file; none: all that take seconds")
      ->type_name("SUITE...");
  add_jobs_option(*parser, options->workers);
  add_report_options(*parser, options->report);
  return {parser, [options] { return run(*options); }};
}

}  // namespace tessera::sim

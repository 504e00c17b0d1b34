// `tessera validate`: rerun the shipped validation and judge it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "sim/app/command.hpp"
#include "sim/app/options.hpp"
#include "sim/app/table.hpp"
#include "sim/app/validation.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;

struct ValidateOptions {
  std::vector<std::string> suites;
  std::size_t workers = 1;
  ReportOptions report;
};

std::string tolerance_text(Tolerance const& tolerance) {
  switch (tolerance.kind) {
    case Kind::exact:
      return "exact";
    case Kind::relative:
      return percent_text(tolerance.limit);
    case Kind::absolute:
      return number_text(tolerance.limit, 1);
    case Kind::at_least:
      return "at least";
  }
  return "?";
}

std::string error_text(Row const& row) {
  switch (row.reference.tolerance.kind) {
    case Kind::exact:
      return number_text(row.error, 1) + " cells";
    case Kind::absolute:
      return number_text(row.error, 2);
    case Kind::relative:
    case Kind::at_least:
      return percent_text(row.error, 2);
  }
  return "?";
}

/// Choices are too long for a table, which counts them instead: "76 cells", "75 equal".
std::int64_t cells(Row const& row) {
  auto const& text = row.reference.value;
  return static_cast<std::int64_t>(text.size()) - std::count(text.begin(), text.end(), ' ');
}

std::string reference_text(Row const& row) {
  auto const& reference = row.reference;
  if (reference.metric != Metric::choices) return reference.value;
  return std::to_string(cells(row)) + " cells";
}

std::string value_text(Row const& row) {
  if (row.reference.metric != Metric::choices) return row.value_text;
  return std::to_string(cells(row) - std::llround(row.error)) + " equal";
}

std::string verdict(Row const& row) {
  auto const& deviation = row.reference.deviation;
  if (!deviation) return row.pass ? "pass" : "FAIL";
  return row.pass ? "known deviation " + *deviation
                  : "FAIL: deviation " + *deviation + " has disappeared";
}

char const* measure_name(Kind kind) {
  switch (kind) {
    case Kind::exact:
      return "cells";
    case Kind::absolute:
      return "absolute";
    case Kind::relative:
      return "relative";
    case Kind::at_least:
      return "at least";
  }
  return "?";
}

Json to_json(Row const& row) {
  auto const& reference = row.reference;
  auto const is_text = reference.metric == Metric::choices;
  Json json = {{"suite", row.suite}, {"case", reference.title}, {"metric", name(reference.metric)}};
  json["reference"] = is_text ? Json(reference.value) : Json(std::stod(reference.value));
  json["value"] = is_text ? Json(row.value_text) : Json(row.value);
  json["error"] = row.error;
  json["tolerance"] = reference.tolerance.limit;
  json["measure"] = measure_name(reference.tolerance.kind);
  json["pass"] = row.pass;
  json["source"] = reference.source;
  json["note"] = reference.note;
  json["deviation"] = reference.deviation ? Json(*reference.deviation) : Json(nullptr);
  return json;
}

std::string as_json(std::vector<Row> const& rows) {
  auto json = Json::array();
  for (auto const& row : rows) json.push_back(to_json(row));
  return document({{"schema", "tessera.validate/1"}, {"rows", json}});
}

std::string as_table(std::vector<Row> const& rows) {
  Table table{{{"suite", Table::Align::left},
               {"source", Table::Align::left},
               {"case", Table::Align::left},
               {"metric", Table::Align::left},
               {"reference"},
               {"value"},
               {"error"},
               {"tolerance"},
               {"", Table::Align::left}}};
  for (auto const& row : rows) {
    auto const& reference = row.reference;
    table.add({row.suite, reference.source, reference.title, name(reference.metric),
               reference_text(row), value_text(row), error_text(row),
               tolerance_text(reference.tolerance), verdict(row)});
  }
  return table.text();
}

std::string summary(std::vector<Row> const& rows) {
  auto const count = [&](auto const& condition) {
    return std::to_string(std::count_if(rows.begin(), rows.end(), condition));
  };
  return "\n" + count([](Row const&) { return true; }) +
         " rows: " + count([](Row const& row) { return row.pass && row.within; }) +
         " within tolerance, " + count([](Row const& row) { return row.pass && !row.within; }) +
         " known deviations (test/validation/DEVIATIONS.md), " +
         count([](Row const& row) { return !row.pass; }) + " failed\n";
}

Outcome run(ValidateOptions const& options) {
  std::vector<std::unique_ptr<Suite>> suites;
  for (auto const& name : options.suites.empty() ? builtin_suites().names() : options.suites) {
    suites.push_back(make_suite(name));
  }
  std::vector<Row> rows;
  for (auto const& suite : suites) {
    auto const found = suite->run({options.workers, options.report.progress()});
    rows.insert(rows.end(), found.begin(), found.end());
  }
  auto const pass = std::all_of(rows.begin(), rows.end(), [](Row const& row) { return row.pass; });
  return {options.report.json ? as_json(rows) : as_table(rows) + summary(rows),
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

Command validate_command(CLI::App& tessera) {
  auto const options = std::make_shared<ValidateOptions>();
  auto* const parser = tessera.add_subcommand(
      "validate", "Rerun published results by simulation; exit code 3 when one is missed");
  parser->footer(help_footer);
  parser
      ->add_option("suites", options->suites,
                   "Which suites, by name or path of a reference file; none: all")
      ->type_name("SUITE...");
  add_jobs_option(*parser, options->workers);
  add_report_options(*parser, options->report);
  return {parser, [options] { return run(*options); }};
}

}  // namespace tessera::sim

// Rows as a table for people and as a document for scripts.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"
#include "sim/validation/row.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;

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
    case Kind::at_most:
      return "at most";
  }
  return "?";
}

std::string error_text(Row const& row) {
  if (row.is_text()) return number_text(row.error, 1) + " cells";
  switch (row.tolerance.kind) {
    case Kind::exact:
      return std::to_string(std::llround(row.error));
    case Kind::absolute:
      return number_text(row.error, 2);
    case Kind::relative:
    case Kind::at_least:
    case Kind::at_most:
      return percent_text(row.error, 2);
  }
  return "?";
}

/// Texts are too long for a table, which counts their cells instead: "76 cells", "75 equal".
std::int64_t cells(std::string const& text) {
  return static_cast<std::int64_t>(text.size()) - std::count(text.begin(), text.end(), ' ');
}

std::string with_unit(std::string const& text, Row const& row) {
  return row.unit.empty() ? text : text + ' ' + row.unit;
}

std::string reference_text(Row const& row) {
  if (row.is_text()) return std::to_string(cells(row.reference.text)) + " cells";
  return with_unit(row.reference.text, row);
}

std::string value_text(Row const& row) {
  if (!row.is_text()) return with_unit(row.value.text, row);
  return std::to_string(cells(row.reference.text) - std::llround(row.error)) + " equal";
}

std::string verdict(Row const& row) {
  if (!row.deviation) return row.pass ? "pass" : "FAIL";
  return row.pass ? "known deviation " + *row.deviation
                  : "FAIL: deviation " + *row.deviation + " has disappeared";
}

char const* measure_name(Row const& row) {
  switch (row.tolerance.kind) {
    case Kind::exact:
      return row.is_text() ? "cells" : "exact";
    case Kind::absolute:
      return "absolute";
    case Kind::relative:
      return "relative";
    case Kind::at_least:
      return "at least";
    case Kind::at_most:
      return "at most";
  }
  return "?";
}

Json to_json(Figure const& figure) {
  return figure.number ? Json(*figure.number) : Json(figure.text);
}

Json to_json(Row const& row) {
  return {{"suite", row.suite},
          {"case", row.title},
          {"metric", row.metric},
          {"unit", row.unit},
          {"reference", to_json(row.reference)},
          {"value", to_json(row.value)},
          {"error", row.error},
          {"tolerance", row.tolerance.limit},
          {"measure", measure_name(row)},
          {"pass", row.pass},
          {"source", row.source},
          {"note", row.note},
          {"deviation", row.deviation ? Json(*row.deviation) : Json(nullptr)}};
}

std::string table_of(std::vector<Row> const& rows) {
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
    table.add({row.suite, row.source, row.title, row.metric, reference_text(row), value_text(row),
               error_text(row), tolerance_text(row.tolerance), verdict(row)});
  }
  return table.text();
}

std::string summary(std::string const& name, std::vector<Row> const& rows) {
  auto const count = [&](auto const& condition) {
    return std::to_string(std::count_if(rows.begin(), rows.end(), condition));
  };
  return name + std::to_string(rows.size()) +
         " rows: " + count([](Row const& row) { return row.pass && row.within; }) +
         " within tolerance, " + count([](Row const& row) { return row.pass && !row.within; }) +
         " known deviations (test/validation/DEVIATIONS.md), " +
         count([](Row const& row) { return !row.pass; }) + " failed\n";
}

/// The rows suite by suite; those of a suite follow one another.
std::vector<std::vector<Row>> by_suite(std::vector<Row> const& rows) {
  std::vector<std::vector<Row>> suites;
  for (auto const& row : rows) {
    if (suites.empty() || suites.back().front().suite != row.suite) suites.emplace_back();
    suites.back().push_back(row);
  }
  return suites;
}

}  // namespace

std::string as_json(std::vector<Row> const& rows) {
  auto json = Json::array();
  for (auto const& row : rows) json.push_back(to_json(row));
  return document({{"schema", "tessera.validate/1"}, {"rows", json}});
}

std::string as_text(std::vector<Row> const& rows) {
  std::string text;
  std::string summaries = "\n";
  auto const suites = by_suite(rows);
  for (auto const& suite : suites) {
    text += (text.empty() ? "" : "\n") + table_of(suite);
    if (suites.size() > 1) summaries += summary(suite.front().suite + ": ", suite);
  }
  return text + summaries + summary("", rows);
}

}  // namespace tessera::sim

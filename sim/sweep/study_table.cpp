// Joins points and their records.
#include "sim/sweep/study_table.hpp"

#include <algorithm>

#include "sim/terminal/csv.hpp"

namespace tessera::sim {

namespace {

/// Columns in the order in which they first appear.
class ColumnIndex final {
 public:
  std::size_t operator()(std::string const& name) {
    auto const [entry, is_new] = index_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return entry->second;
  }
  [[nodiscard]] std::vector<std::string> const& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> names_;
};

using Cells = std::vector<std::pair<std::string, std::string>>;

void append(Cells const& cells, Cells& row) { row.insert(row.end(), cells.begin(), cells.end()); }

std::optional<SweepValue> value_in(Cells const& row, std::string const& name) {
  auto const found =
      std::find_if(row.begin(), row.end(), [&](auto const& cell) { return cell.first == name; });
  return found == row.end() ? std::nullopt : std::optional{sweep_value(found->second)};
}

/// Of the sweep's own, made of the point's keys and columns; where the point has not all of them,
/// or they cannot be computed with, there is none. Returns why not.
std::string add_results(SweepSpec const& spec, Cells& row) {
  std::string problems;
  for (auto const& [key, expression] : spec.results) {
    auto const names = expression.names();
    bool const has_all = std::all_of(names.begin(), names.end(), [&](auto const& name) {
      return value_in(row, name).has_value();
    });
    if (!has_all) continue;
    try {
      auto value = expression.evaluate([&](auto const& name) { return value_in(row, name); });
      row.emplace_back(key, to_text(value));
    } catch (ConfigError const& error) {
      problems += (problems.empty() ? "" : "; ") + ("no " + key) + ": " + error.problem();
    }
  }
  return problems;
}

Cells row_of(SweepSpec const& spec, StudyPoint const& point, StudyResults const& results,
             HostColumns host) {
  Cells row = {{"id", point.id}};
  append(point.keys, row);
  auto const found = results.records.find(point.id);
  if (found == results.records.end()) {
    row.emplace_back("state", "left");
    return row;
  }
  auto const& record = found->second;
  row.emplace_back("state", name_of(record.state));
  append(record.columns, row);
  auto reason = record.reason;
  if (record.state == PointState::done) reason = add_results(spec, row);
  if (host == HostColumns::added) append(record.host, row);
  if (!reason.empty()) row.emplace_back("reason", reason);
  row.emplace_back("program", record.program);
  return row;
}

StudyTable table_of_rows(std::vector<Cells> const& rows) {
  ColumnIndex index;
  for (auto const& row : rows) {
    for (auto const& cell : row) static_cast<void>(index(cell.first));
  }
  StudyTable table{index.names(), {}};
  for (auto const& row : rows) {
    auto& cells = table.rows.emplace_back(table.columns.size());
    for (auto const& [name, text] : row) cells[index(name)] = text;
  }
  return table;
}

std::string csv_line(std::vector<std::string> const& cells) {
  std::string line;
  for (auto const& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

}  // namespace

StudyTable table_of(SweepSpec const& spec, std::vector<StudyPoint> const& points,
                    StudyResults const& results, HostColumns host) {
  std::vector<Cells> rows;
  rows.reserve(points.size());
  for (auto const& point : points) rows.push_back(row_of(spec, point, results, host));
  return table_of_rows(rows);
}

std::string csv_text(StudyTable const& table) {
  auto text = csv_line(table.columns);
  for (auto const& row : table.rows) text += csv_line(row);
  return text;
}

StudyTable differences(StudyResults const& first, StudyResults const& second) {
  StudyTable table{{"id", "first_fingerprint", "second_fingerprint", "time_change"}, {}};
  for (auto const& [id, before] : first.records) {
    auto const found = second.records.find(id);
    if (found == second.records.end()) continue;
    auto const& after = found->second;
    if (before.state != PointState::done || after.state != PointState::done) continue;
    if (*before.column("fingerprint") == *after.column("fingerprint")) continue;
    auto const ratio = std::stod(*after.column("time_s")) / std::stod(*before.column("time_s"));
    table.rows.push_back({id, *before.column("fingerprint"), *after.column("fingerprint"),
                          to_text(SweepValue{ratio - 1})});
  }
  return table;
}

}  // namespace tessera::sim

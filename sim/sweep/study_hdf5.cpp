// Rows of eight bytes a cell: an integer, a number or the address of a text.
#include "sim/sweep/study_hdf5.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "sim/study/result.hpp"
#include "traces/hdf5_file.hpp"

namespace tessera::sim {

namespace {

using traces::Column;

Column::Type type_of(std::string const& cell) {
  auto const json = Json::parse(cell, nullptr, false);
  if (json.is_number_integer() && !json.is_number_unsigned()) return Column::Type::int64;
  if (json.is_number_unsigned()) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return json.get<std::uint64_t>() <= most ? Column::Type::int64 : Column::Type::float64;
  }
  return json.is_number() ? Column::Type::float64 : Column::Type::text;
}

/// Of all cells of a column: the narrowest that takes each.
Column::Type type_of(StudyTable const& table, std::size_t column) {
  bool has_gaps = false;
  bool has_numbers = false;
  auto type = Column::Type::int64;
  for (auto const& row : table.rows) {
    auto const& cell = row[column];
    has_gaps = has_gaps || cell.empty();
    if (cell.empty()) continue;
    auto const its = type_of(cell);
    if (its == Column::Type::text) return its;
    has_numbers = true;
    if (its == Column::Type::float64) type = its;
  }
  if (!has_numbers) return Column::Type::text;
  return has_gaps ? Column::Type::float64 : type;
}

std::vector<Column> columns_of(StudyTable const& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    auto const& name = table.columns[i];
    columns.push_back({name.c_str(), type_of(table, i), i * sizeof(double), unit_of(name)});
  }
  return columns;
}

template <typename Value>
void put(Value value, char* target) {
  static_assert(sizeof value == sizeof(double));
  std::memcpy(target, &value, sizeof value);
}

void put_cell(std::string const& cell, Column::Type type, char* target) {
  if (type == Column::Type::text) return put(cell.c_str(), target);
  if (cell.empty()) return put(std::numeric_limits<double>::quiet_NaN(), target);
  auto const json = Json::parse(cell);
  if (type == Column::Type::int64) return put(json.get<std::int64_t>(), target);
  put(json.get<double>(), target);
}

bool ends_with(std::string const& text, std::string const& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

char const* unit_of(std::string const& column) {
  static constexpr std::array<std::pair<char const*, char const*>, 4> units = {
      {{"_per_s", "1/s"}, {"_s", "s"}, {"_j", "J"}, {"_bytes", "B"}}};
  auto const found = std::find_if(units.begin(), units.end(),
                                  [&](auto const& unit) { return ends_with(column, unit.first); });
  return found == units.end() ? "1" : found->second;
}

void write_hdf5(StudyTable const& table, std::string const& path) {
  auto const columns = columns_of(table);
  auto const row_size = columns.size() * sizeof(double);
  std::vector<char> rows(row_size * table.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      put_cell(table.rows[row][i], columns[i].type,
               rows.data() + row * row_size + columns[i].offset);
    }
  }
  traces::Hdf5File file{path};
  file.set("schema", study_table_schema);
  file.add_table("points", traces::pack(columns, rows.data(), row_size, table.rows.size()));
  file.publish();
}

}  // namespace tessera::sim

// Lines into cells, and cells under the names of their columns.
#include "arch/base/csv.hpp"

#include <algorithm>

#include "arch/base/config_source.hpp"

namespace tessera {

namespace {

constexpr std::string_view blanks = " \t\r";

/// Takes what stands before the first `separator` off the front of `rest`; all of it without one.
[[nodiscard]] std::string_view take_until(char separator, std::string_view& rest) {
  auto const end = std::min(rest.find(separator), rest.size());
  auto const taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

[[nodiscard]] bool is_skipped(std::string_view line) {
  auto const first = line.find_first_not_of(blanks);
  return first == std::string_view::npos || line[first] == '#';
}

/// The cell in `text`, which begins at `where`.
[[nodiscard]] ConfigNode cell_of(std::string_view text, SourceLocation where) {
  auto const first = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  where.column += static_cast<int>(first);
  if (text.find('"') != std::string_view::npos) {
    throw ConfigError(where, {}, "a quote (a cell is what stands between two commas); remove it");
  }
  auto cell = ConfigNode::scalar(std::string{text});
  cell.set_origin(where);
  return cell;
}

/// Takes a quoted cell, which `rest` begins with, and the comma behind it.
[[nodiscard]] ConfigNode take_quoted(std::string_view& rest, SourceLocation const& where) {
  std::string text;
  rest.remove_prefix(1);
  while (true) {
    auto const end = rest.find('"');
    if (end == std::string_view::npos) throw ConfigError(where, {}, "a quote that is not closed");
    text += rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (rest.substr(0, 1) != "\"") break;
    text += '"';
    rest.remove_prefix(1);
  }
  auto const behind = take_until(',', rest);
  if (behind.find_first_not_of(blanks) != std::string_view::npos) {
    throw ConfigError(where, {}, "a quoted cell with something behind its quotes");
  }
  auto cell = ConfigNode::scalar(text);
  cell.set_origin(where);
  return cell;
}

[[nodiscard]] CsvLine cells_of(std::string_view line, SourceLocation const& where, Quotes quotes) {
  CsvLine cells;
  auto const* const start = line.data();
  bool more = true;
  while (more) {
    auto cell_where = where;
    cell_where.column = static_cast<int>(line.data() - start) + 1;
    auto const all = line;
    bool const is_quoted = quotes == Quotes::read && line.substr(0, 1) == "\"";
    cells.push_back(is_quoted ? take_quoted(line, cell_where)
                              : cell_of(take_until(',', line), cell_where));
    auto const taken = all.substr(0, all.size() - line.size());
    more = !taken.empty() && taken.back() == ',';
  }
  return cells;
}

void check_columns(CsvLine const& columns) {
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (column->text().empty()) throw column->error("a column without a name");
    auto const is_same = [&](auto const& other) { return other.text() == column->text(); };
    if (std::any_of(columns.begin(), column, is_same)) {
      throw column->error("a second column " + in_quotes(column->text()));
    }
  }
}

[[nodiscard]] ConfigNode row_of(CsvLine const& columns, CsvLine const& cells) {
  if (cells.size() != columns.size()) {
    throw cells.back().error(std::to_string(cells.size()) + " cells (there are " +
                             std::to_string(columns.size()) + " columns)");
  }
  auto row = ConfigNode::map();
  row.set_origin(cells.front().where());
  for (std::size_t index = 0; index < cells.size(); ++index) {
    row.add(columns[index].text(), cells[index]);
  }
  return row;
}

}  // namespace

std::vector<CsvLine> read_csv_lines(std::string_view text, std::string const& name, Quotes quotes) {
  detail::check_text(text, name);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) {
    text.remove_prefix(byte_order_mark.size());
  }
  std::vector<CsvLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    auto const line = take_until('\n', text);
    if (!is_skipped(line)) lines.push_back(cells_of(line, {name, number}, quotes));
  }
  return lines;
}

std::vector<CsvLine> read_csv_lines(std::string const& path) {
  return read_csv_lines(detail::read_text_file(path), path);
}

std::vector<ConfigNode> read_csv_table(std::string_view text, std::string const& name,
                                       Quotes quotes) {
  auto const lines = read_csv_lines(text, name, quotes);
  if (lines.empty()) throw ConfigError({name}, {}, "is empty (there is no line of columns in it)");
  check_columns(lines.front());
  std::vector<ConfigNode> rows;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    rows.push_back(row_of(lines.front(), *line));
  }
  return rows;
}

}  // namespace tessera

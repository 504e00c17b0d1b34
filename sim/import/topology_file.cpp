// Columns by their names, and lines as convolutions or products.
#include "sim/import/topology_file.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>

#include "arch/base/csv.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

namespace {

enum class Column {
  layer,
  ifmap_height,
  ifmap_width,
  filter_height,
  filter_width,
  channels,
  filters,
  strides,
  stride_height,
  stride_width,
  m,
  n,
  k,
};

using Columns = std::vector<std::pair<std::string, Column>>;

/// As SCALE-Sim writes them.
Columns const known_columns = {{"Layer name", Column::layer},
                               {"Layer", Column::layer},
                               {"IFMAP Height", Column::ifmap_height},
                               {"IFMAP Width", Column::ifmap_width},
                               {"Filter Height", Column::filter_height},
                               {"Filter Width", Column::filter_width},
                               {"Channels", Column::channels},
                               {"Num Filter", Column::filters},
                               {"Strides", Column::strides},
                               {"Stride Height", Column::stride_height},
                               {"Stride Width", Column::stride_width},
                               {"M", Column::m},
                               {"N", Column::n},
                               {"K", Column::k}};

std::string name_of(Column column) {
  auto const found = std::find_if(known_columns.begin(), known_columns.end(),
                                  [&](auto const& known) { return known.second == column; });
  return found->first;
}

/// Without blanks and in lower case.
std::string plain(std::string const& text) {
  std::string letters;
  for (auto const letter : text) {
    if (letter == ' ') continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return letters;
}

Column column_of(ConfigNode const& cell) {
  std::vector<std::string> names;
  for (auto const& [name, column] : known_columns) {
    if (plain(name) == plain(cell.text())) return column;
    names.push_back(name);
  }
  throw cell.error(unknown_name("column", cell.text(), names));
}

/// The first line: which column stands where.
class Header final {
 public:
  explicit Header(CsvLine const& line) : where_{line.front()} {
    for (auto const& cell : line) {
      auto const column = column_of(cell);
      if (places_.count(column) > 0) throw cell.error("a second column '" + cell.text() + "'");
      auto const place = places_.size();
      places_[column] = place;
    }
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool has(Column column) const { return places_.count(column) > 0; }
  [[nodiscard]] bool is_gemm() const { return has(Column::m); }

  /// Exactly these, and no more.
  void expect(std::vector<Column> const& columns) const {
    for (auto const column : columns) {
      if (!has(column)) throw where_.error("no column '" + name_of(column) + "'");
    }
    for (auto const& [column, place] : places_) {
      if (std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
      throw where_.error("a column '" + name_of(column) + "' beside '" + name_of(columns.back()) +
                         "' (a line is a convolution or a product)");
    }
  }

  [[nodiscard]] ConfigNode const& cell(CsvLine const& line, Column column) const {
    return line[places_.at(column)];
  }
  [[nodiscard]] std::int64_t extent(CsvLine const& line, Column column) const {
    auto const& found = cell(line, column);
    auto const value = found.as<std::int64_t>();
    if (value >= 1 && value <= largest_extent) return value;
    throw found.error(name_of(column) + " must be from 1 to " + std::to_string(largest_extent));
  }

 private:
  ConfigNode where_;
  std::map<Column, std::size_t> places_;
};

/// A line may end in a comma.
CsvLine without_end(CsvLine line) {
  if (line.size() > 1 && line.back().text().empty()) line.pop_back();
  return line;
}

ConvSide side_of(ConfigNode const& ifmap, std::int64_t input, std::int64_t taps,
                 std::int64_t stride) {
  if (taps > input) {
    throw ifmap.error("the filter (" + std::to_string(taps) + ") is larger than the input");
  }
  ConvSide side;
  side.taps = taps;
  side.stride = stride;
  side.output = ceil_divide(input - taps, stride) + 1;
  side.input = std::max(input, (side.output - 1) * stride + taps);
  return side;
}

ConvShape conv_of(Header const& header, CsvLine const& line) {
  auto const extent = [&](Column column) { return header.extent(line, column); };
  auto const side = [&](Column ifmap, Column filter, Column stride) {
    return side_of(header.cell(line, ifmap), extent(ifmap), extent(filter),
                   extent(header.has(stride) ? stride : Column::strides));
  };
  ConvShape conv;
  conv.filters = extent(Column::filters);
  conv.channels = extent(Column::channels);
  conv.rows = side(Column::ifmap_height, Column::filter_height, Column::stride_height);
  conv.columns = side(Column::ifmap_width, Column::filter_width, Column::stride_width);
  return conv;
}

/// The product of positive factors, or something above most_macs where that is less.
std::int64_t saturated(std::initializer_list<std::int64_t> factors) {
  std::int64_t product = 1;
  for (auto const factor : factors) {
    product = product > most_macs / factor ? most_macs + 1 : product * factor;
  }
  return product;
}

/// Are all counts of a layer within the limits?
bool is_countable(ConvShape const& conv) {
  Gemm const product{1, saturated({conv.samples, conv.rows.output, conv.columns.output}),
                     conv.filters, saturated({conv.channels, conv.rows.taps, conv.columns.taps})};
  auto const inputs = saturated({conv.samples, conv.channels, conv.rows.input, conv.columns.input});
  return is_countable(product) && inputs <= most_macs;
}

NamedShape layer_of(Header const& header, CsvLine const& line) {
  auto const& name = header.cell(line, Column::layer);
  if (name.text().empty()) throw name.error("a layer without a name");
  auto const extent = [&](Column column) { return header.extent(line, column); };
  auto const shape = header.is_gemm()
                         ? linear_shape(extent(Column::m), extent(Column::n), extent(Column::k))
                         : conv_of(header, line);
  if (is_countable(shape)) return {name.text(), shape};
  throw name.error("layer " + in_quotes(name.text()) + " is too large (at most 10^15 MACs, and " +
                   "10^9 along each side of its product)");
}

void check_header(Header const& header) {
  if (header.is_gemm()) return header.expect({Column::layer, Column::m, Column::n, Column::k});
  std::vector<Column> columns = {Column::layer,         Column::ifmap_height, Column::ifmap_width,
                                 Column::filter_height, Column::filter_width, Column::channels,
                                 Column::filters};
  if (header.has(Column::stride_height) || header.has(Column::stride_width)) {
    columns.insert(columns.end(), {Column::stride_height, Column::stride_width});
  } else {
    columns.push_back(Column::strides);
  }
  header.expect(columns);
}

std::vector<NamedShape> layers_of(std::vector<CsvLine> const& lines, std::string const& name) {
  if (lines.empty()) throw ConfigError({name}, {}, "is empty (the first line names the columns)");
  Header const header{without_end(lines.front())};
  check_header(header);
  std::vector<NamedShape> layers;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    auto const cells = without_end(*line);
    if (cells.size() != header.size()) {
      throw cells.back().error(std::to_string(cells.size()) + " cells (there are " +
                               std::to_string(header.size()) + " columns)");
    }
    layers.push_back(layer_of(header, cells));
  }
  if (layers.empty()) throw ConfigError({name}, {}, "has no layer below its line of columns");
  return layers;
}

}  // namespace

ConvShape linear_shape(std::int64_t m, std::int64_t n, std::int64_t k) {
  ConvShape shape;
  shape.samples = m;
  shape.filters = n;
  shape.channels = k;
  return shape;
}

bool is_countable(Gemm const& gemm) {
  auto const is_extent = [](std::int64_t value) { return value >= 1 && value <= largest_extent; };
  return is_extent(gemm.m) && is_extent(gemm.n) && is_extent(gemm.k) &&
         saturated({gemm.m, gemm.n, gemm.k}) <= most_macs;
}

std::vector<NamedShape> topology_from(std::string_view text, std::string const& name) {
  return layers_of(read_csv_lines(text, name), name);
}

std::vector<NamedShape> read_topology(std::string const& path) {
  return layers_of(read_csv_lines(path), path);
}

}  // namespace tessera::sim

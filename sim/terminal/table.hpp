// Plain tables for people: aligned columns, units in the cells.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::sim {

class Table final {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_{std::move(columns)} {}

  /// Appends a row; requires a cell per column.
  Table& add(std::vector<std::string> cells);

  /// The titles and the rows, each line ended by a newline.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Numbers as people write them: four significant digits and a decimal prefix.
[[nodiscard]] std::string time_text(double seconds);                        ///< "1.234 ms"
[[nodiscard]] std::string bytes_text(double bytes);                         ///< "17.24 GB"
[[nodiscard]] std::string bandwidth_text(double bits_per_s);                ///< "656.0 Gb/s"
[[nodiscard]] std::string energy_text(double joules);                       ///< "3.700 J"
[[nodiscard]] std::string percent_text(double fraction, int decimals = 1);  ///< "12.3 %"
/// `digits` significant digits, never an exponent.
[[nodiscard]] std::string number_text(double value, int digits = 4);

}  // namespace tessera::sim

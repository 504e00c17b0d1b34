// Layout of tables and numbers.
#include "sim/terminal/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t gap = 2;  // blanks between columns

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  auto const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, std::max(decimals, 0));
  return {text.data(), end.ptr};
}

/// The power of ten of the first digit of `value` once it is rounded to `digits` digits.
int leading_power(double value, int digits) {
  auto const power = static_cast<int>(std::floor(std::log10(value)));
  auto const unit = std::pow(10.0, power - digits + 1);
  return std::round(value / unit) * unit >= std::pow(10.0, power + 1) ? power + 1 : power;
}

struct Prefix {
  int power;
  char const* letter;
};
constexpr std::array<Prefix, 11> prefixes = {{{-15, "f"},
                                              {-12, "p"},
                                              {-9, "n"},
                                              {-6, "u"},
                                              {-3, "m"},
                                              {0, ""},
                                              {3, "k"},
                                              {6, "M"},
                                              {9, "G"},
                                              {12, "T"},
                                              {15, "P"}}};

std::string with_prefix(double value, std::string const& unit) {
  if (value == 0 || !std::isfinite(value)) return number_text(value) + " " + unit;
  auto const power = leading_power(std::fabs(value), 4);
  auto const* chosen = prefixes.begin();
  for (auto const* prefix = prefixes.begin(); prefix != prefixes.end(); ++prefix) {
    if (prefix->power <= power) chosen = prefix;
  }
  return number_text(value / std::pow(10.0, chosen->power)) + " " + chosen->letter + unit;
}

void put(std::string& line, std::string const& cell, std::size_t width, Table::Align align) {
  std::string const blanks(width - cell.size(), ' ');
  line += align == Table::Align::left ? cell + blanks : blanks + cell;
}

}  // namespace

std::string number_text(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return std::isnan(value) ? "-" : "inf";
  return fixed(value, digits - 1 - leading_power(std::fabs(value), digits));
}

std::string time_text(double seconds) {
  return seconds < 1 ? with_prefix(seconds, "s") : number_text(seconds) + " s";  // no "ks"
}
std::string bytes_text(double bytes) {
  return bytes < 1000 ? fixed(bytes, 0) + " B" : with_prefix(bytes, "B");
}
std::string bandwidth_text(double bits_per_s) { return with_prefix(bits_per_s, "b/s"); }
std::string energy_text(double joules) { return with_prefix(joules, "J"); }
std::string percent_text(double fraction, int decimals) {
  auto text = fixed(fraction * 100, decimals);
  if (text == "-" + fixed(0, decimals)) text.erase(0, 1);  // no "-0.0 %"
  return text + " %";
}

Table& Table::add(std::vector<std::string> cells) {
  EXPECTS(cells.size() == columns_.size(), cells.size(), columns_.size());
  rows_.push_back(std::move(cells));
  return *this;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    auto width = columns_[column].title.size();
    for (auto const& row : rows_) width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  return widths;
}

std::string Table::text() const {
  auto const width = widths();
  std::string text;
  auto const put_line = [&](auto const& cell_at) {
    std::string line;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column > 0) line += std::string(gap, ' ');
      put(line, cell_at(column), width[column], columns_[column].align);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  put_line([&](std::size_t column) { return columns_[column].title; });
  for (auto const& row : rows_) put_line([&](std::size_t column) { return row[column]; });
  return text;
}

}  // namespace tessera::sim

// Judging a row.
#include "sim/validation/row.hpp"

#include <algorithm>
#include <cmath>

#include "arch/base/contract.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;

/// Characters that differ, at least one where the lengths do.
double differing_cells(std::string const& a, std::string const& b) {
  auto const common = std::min(a.size(), b.size());
  auto cells = std::max(a.size(), b.size()) - common;
  for (std::size_t index = 0; index < common; ++index) cells += a[index] != b[index] ? 1 : 0;
  return static_cast<double>(cells);
}

double error_of(Row const& row) {
  if (row.is_text()) return differing_cells(row.value.text, row.reference.text);
  auto const value = *row.value.number;
  auto const reference = *row.reference.number;
  auto const kind = row.tolerance.kind;
  bool const is_difference = kind == Kind::exact || kind == Kind::absolute;
  return is_difference ? value - reference : value / reference - 1;
}

bool is_within(Row const& row) {
  switch (row.tolerance.kind) {
    case Kind::exact:
      return row.error == 0;
    case Kind::relative:
    case Kind::absolute:
      return std::fabs(row.error) <= row.tolerance.limit;
    case Kind::at_least:
      return row.error >= 0;
    case Kind::at_most:
      return row.error <= 0;
  }
  return false;
}

}  // namespace

Figure Figure::of(double number) { return {number_text(number, 5), number}; }

Figure Figure::of_count(std::int64_t count) {
  return {std::to_string(count), static_cast<double>(count)};
}

Figure Figure::written(std::string const& number) { return {number, std::stod(number)}; }

Row judged(Row row) {
  EXPECTS(row.reference.number.has_value() == row.value.number.has_value(), row.suite, row.title,
          row.metric);
  row.error = error_of(row);
  row.within = is_within(row);
  row.pass = row.within != row.deviation.has_value();
  return row;
}

}  // namespace tessera::sim

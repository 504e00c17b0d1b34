#include "traces/table_rows.hpp"

#include <algorithm>
#include <cstring>

#include "arch/base/contract.hpp"

namespace tessera::traces {

namespace {

template <typename Value>
[[nodiscard]] Value value_at(char const* bytes) {
  Value value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::optional<std::size_t> TableRows::find(std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == column) return i;
  }
  return std::nullopt;
}

std::int64_t TableRows::integer(std::size_t row, std::size_t column) const {
  EXPECTS(row < count && column < columns.size(), row, column);
  auto const* const at = bytes.data() + row * row_size + columns[column].offset;
  switch (columns[column].type) {
    case Column::Type::uint8:
      return value_at<std::uint8_t>(at);
    case Column::Type::uint16:
      return value_at<std::uint16_t>(at);
    case Column::Type::uint32:
      return value_at<std::uint32_t>(at);
    case Column::Type::uint64:
    case Column::Type::int64:
      break;
    case Column::Type::float64:
    case Column::Type::text:
      EXPECTS(false, columns[column].name);
  }
  return value_at<std::int64_t>(at);
}

double TableRows::real(std::size_t row, std::size_t column) const {
  EXPECTS(row < count && column < columns.size(), row, column);
  EXPECTS(columns[column].type == Column::Type::float64, columns[column].name);
  return value_at<double>(bytes.data() + row * row_size + columns[column].offset);
}

std::string_view TableRows::text(std::size_t row, std::size_t column) const {
  EXPECTS(row < count && column < columns.size(), row, column);
  EXPECTS(columns[column].type == Column::Type::text, columns[column].name);
  auto const* const at = bytes.data() + row * row_size + columns[column].offset;
  auto const* const end = std::find(at, at + columns[column].width, '\0');
  return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace tessera::traces

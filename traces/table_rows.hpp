// Rows that were read from a table, whatever its columns are: what a table is exported from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/hdf5_types.hpp"

namespace tessera::traces {

/// A column as a file has it, in rows without padding. Integers with a sign are int64 here.
struct TableColumn {
  std::string name;
  Column::Type type = Column::Type::int64;
  std::size_t offset = 0;
  std::size_t width = 0;  ///< text: its bytes
};

/// Some rows of a table.
struct TableRows {
  std::vector<TableColumn> columns;
  std::size_t row_size = 0;
  std::size_t count = 0;
  std::vector<char> bytes;

  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;
  // Of a column of that type; integers of any width.
  [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;
  [[nodiscard]] double real(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const;
};

}  // namespace tessera::traces

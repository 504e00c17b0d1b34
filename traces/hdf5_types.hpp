// What the columns of a table are, in memory and in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/hdf5_handle.hpp"

namespace tessera::traces {

/// A column of a table: the member of the row struct at `offset`.
struct Column {
  enum class Type : std::uint8_t { uint8, uint16, uint32, uint64, int64, float64, text };

  char const* name = "";
  Type type = Type::int64;
  std::size_t offset = 0;
  char const* unit = "1";  ///< "ps", "B", "J"; "1" for ids, counts and names
  /// text only: its bytes, which stand in the row itself; 0 = the row has a char const* to it.
  std::size_t width = 0;
};

/// As it is in this machine's memory, or as every file has it: little endian, rows without padding.
enum class Place : std::uint8_t { memory, file };

/// The type of one value. A text without a width is of any length.
[[nodiscard]] Hdf5Handle value_type(Column::Type type, Place place, std::size_t width = 0);
[[nodiscard]] Hdf5Handle row_type(std::vector<Column> const& columns, Place place,
                                  std::size_t row_size);

/// Rows whose texts stand in the rows themselves, as wide as the longest of their column needs:
/// they compress, which texts of any length do not.
struct PackedRows {
  std::vector<Column> columns;
  std::size_t row_size = 0;
  std::size_t count = 0;
  std::vector<char> bytes;
};
[[nodiscard]] PackedRows pack(std::vector<Column> const& columns, void const* rows,
                              std::size_t row_size, std::size_t count);

}  // namespace tessera::traces

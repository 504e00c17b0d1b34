// HDF5's type descriptions, and the packing of rows with texts.
#include "traces/hdf5_types.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <hdf5.h>

namespace tessera::traces {

namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

[[nodiscard]] Hdf5Handle copy_type(hid_t type) { return {H5Tcopy(type), H5Tclose, "H5Tcopy"}; }

/// UTF-8.
[[nodiscard]] Hdf5Handle text_type(std::size_t width) {
  auto type = copy_type(H5T_C_S1);
  require(H5Tset_size(type.id(), width == 0 ? H5T_VARIABLE : width), "H5Tset_size");
  require(H5Tset_cset(type.id(), H5T_CSET_UTF8), "H5Tset_cset");
  if (width > 0) require(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "H5Tset_strpad");
  return type;
}

[[nodiscard]] char const* text_at(char const* row, Column const& column) {
  char const* text = nullptr;
  std::memcpy(&text, row + column.offset, sizeof text);
  return text;
}

[[nodiscard]] std::size_t value_size(Column const& column) {
  switch (column.type) {
    case Column::Type::uint8:
      return 1;
    case Column::Type::uint16:
      return 2;
    case Column::Type::uint32:
      return 4;
    case Column::Type::uint64:
    case Column::Type::int64:
    case Column::Type::float64:
      return 8;
    case Column::Type::text:
      break;
  }
  return column.width;
}

/// The columns without padding between them, each text as wide as its longest value.
[[nodiscard]] std::vector<Column> packed_columns(std::vector<Column> columns, char const* rows,
                                                 std::size_t row_size, std::size_t count) {
  std::size_t next = 0;
  for (auto& column : columns) {
    if (column.type == Column::Type::text) {
      column.width = 1;  // HDF5 has no empty type
      for (std::size_t row = 0; row < count; ++row) {
        auto const length = std::strlen(text_at(rows + row * row_size, column));
        column.width = std::max(column.width, length);
      }
    }
    column.offset = next;
    next += value_size(column);
  }
  return columns;
}

void copy_value(Column const& from, char const* source, Column const& to, char* target) {
  if (from.type == Column::Type::text) {
    auto const* const text = text_at(source, from);
    std::copy(text, text + std::strlen(text), target + to.offset);
  } else {
    std::memcpy(target + to.offset, source + from.offset, value_size(to));
  }
}

}  // namespace

Hdf5Handle value_type(Column::Type type, Place place, std::size_t width) {
  bool const memory = place == Place::memory;
  switch (type) {
    case Column::Type::uint8:
      return copy_type(memory ? H5T_NATIVE_UINT8 : H5T_STD_U8LE);
    case Column::Type::uint16:
      return copy_type(memory ? H5T_NATIVE_UINT16 : H5T_STD_U16LE);
    case Column::Type::uint32:
      return copy_type(memory ? H5T_NATIVE_UINT32 : H5T_STD_U32LE);
    case Column::Type::uint64:
      return copy_type(memory ? H5T_NATIVE_UINT64 : H5T_STD_U64LE);
    case Column::Type::int64:
      return copy_type(memory ? H5T_NATIVE_INT64 : H5T_STD_I64LE);
    case Column::Type::float64:
      return copy_type(memory ? H5T_NATIVE_DOUBLE : H5T_IEEE_F64LE);
    case Column::Type::text:
      break;
  }
  return text_type(width);
}

Hdf5Handle row_type(std::vector<Column> const& columns, Place place, std::size_t row_size) {
  Hdf5Handle row{H5Tcreate(H5T_COMPOUND, row_size), H5Tclose, "H5Tcreate"};
  for (auto const& column : columns) {
    EXPECTS(column.type != Column::Type::text || column.width > 0, column.name);
    auto const type = value_type(column.type, place, column.width);
    require(H5Tinsert(row.id(), column.name, column.offset, type.id()), "H5Tinsert");
  }
  if (place == Place::file) require(H5Tpack(row.id()), "H5Tpack");
  return row;
}

PackedRows pack(std::vector<Column> const& columns, void const* rows, std::size_t row_size,
                std::size_t count) {
  auto const* const first = static_cast<char const*>(rows);
  PackedRows packed;
  packed.columns = packed_columns(columns, first, row_size, count);
  packed.row_size = packed.columns.back().offset + value_size(packed.columns.back());
  packed.count = count;
  packed.bytes.resize(packed.row_size * count);
  for (std::size_t row = 0; row < count; ++row) {
    auto* const target = packed.bytes.data() + row * packed.row_size;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      copy_value(columns[i], first + row * row_size, packed.columns[i], target);
    }
  }
  return packed;
}

}  // namespace tessera::traces

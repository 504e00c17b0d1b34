// HDF5's C interface, every return code looked at.
#include "traces/hdf5_input.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"

namespace tessera::traces {

namespace {

/// What HDF5 allocated for a text of variable length.
struct FreeText {
  void operator()(char* text) const { H5free_memory(text); }
};

[[nodiscard]] std::string taken(char* text) {
  std::unique_ptr<char, FreeText> const owned{text};
  return owned ? owned.get() : "";
}

[[noreturn]] void damaged(std::string const& place) {
  expect_memory();
  throw ConfigError({}, {}, place + " is damaged (HDF5 cannot read it); simulate again");
}

/// None of what is not there; unless there was no memory to see it.
[[nodiscard]] std::nullopt_t nothing() {
  expect_memory();
  return std::nullopt;
}

[[nodiscard]] Hdf5Handle type_of(Hdf5Handle const& dataset) {
  return {H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type"};
}

[[nodiscard]] std::vector<hsize_t> extents_of(Hdf5Handle const& dataset) {
  Hdf5Handle const space{H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space"};
  int const rank = H5Sget_simple_extent_ndims(space.id());
  require(rank, "H5Sget_simple_extent_ndims");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  require(H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr),
          "H5Sget_simple_extent_dims");
  return extents;
}

[[nodiscard]] std::size_t size_of(TableColumn const& column) {
  switch (column.type) {
    case Column::Type::uint8:
      return 1;
    case Column::Type::uint16:
      return 2;
    case Column::Type::uint32:
      return 4;
    case Column::Type::text:
      return column.width;
    case Column::Type::uint64:
    case Column::Type::int64:
    case Column::Type::float64:
      break;
  }
  return 8;
}

[[nodiscard]] Column::Type unsigned_type(std::size_t size) {
  if (size == 1) return Column::Type::uint8;
  if (size == 2) return Column::Type::uint16;
  return size == 4 ? Column::Type::uint32 : Column::Type::uint64;
}

/// How a value of a file's type is read; none: not at all.
[[nodiscard]] std::optional<TableColumn> column_of(Hdf5Handle const& type, std::string name) {
  auto const size = H5Tget_size(type.id());
  switch (H5Tget_class(type.id())) {
    case H5T_INTEGER:
      if (H5Tget_sign(type.id()) == H5T_SGN_NONE) {
        return TableColumn{std::move(name), unsigned_type(size), 0, 0};
      }
      return TableColumn{std::move(name), Column::Type::int64, 0, 0};
    case H5T_FLOAT:
      return TableColumn{std::move(name), Column::Type::float64, 0, 0};
    case H5T_STRING:
      if (H5Tis_variable_str(type.id()) > 0) return std::nullopt;
      return TableColumn{std::move(name), Column::Type::text, 0, size};
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::vector<TableColumn> columns_of(Hdf5Handle const& row_type) {
  std::vector<TableColumn> columns;
  std::size_t next = 0;
  int const count = H5Tget_nmembers(row_type.id());
  for (unsigned i = 0; static_cast<int>(i) < count; ++i) {
    Hdf5Handle const type{H5Tget_member_type(row_type.id(), i), H5Tclose, "H5Tget_member_type"};
    auto column = column_of(type, taken(H5Tget_member_name(row_type.id(), i)));
    if (!column) continue;
    column->offset = next;
    next += size_of(*column);
    columns.push_back(std::move(*column));
  }
  return columns;
}

[[nodiscard]] std::size_t row_size_of(std::vector<TableColumn> const& columns) {
  return columns.empty() ? 0 : columns.back().offset + size_of(columns.back());
}

/// A number of eight bytes: a double, or an integer with the bits that it has in the file.
template <typename Value>
[[nodiscard]] std::optional<Value> number_attribute(Hdf5Handle const& object, char const* name) {
  static_assert(sizeof(Value) == 8);
  if (H5Aexists(object.id(), name) <= 0) return std::nullopt;
  Hdf5Handle const attribute{H5Aopen(object.id(), name, H5P_DEFAULT), H5Aclose, "H5Aopen"};
  Hdf5Handle const type{H5Aget_type(attribute.id()), H5Tclose, "H5Aget_type"};
  Hdf5Handle const space{H5Aget_space(attribute.id()), H5Sclose, "H5Aget_space"};
  constexpr auto wanted = std::is_integral_v<Value> ? H5T_INTEGER : H5T_FLOAT;
  bool const is_one = H5Sget_simple_extent_npoints(space.id()) == 1;
  if (H5Tget_class(type.id()) != wanted || !is_one) return std::nullopt;
  bool const has_sign = wanted == H5T_FLOAT || H5Tget_sign(type.id()) != H5T_SGN_NONE;
  auto const memory = value_type(wanted == H5T_FLOAT ? Column::Type::float64
                                 : has_sign          ? Column::Type::int64
                                                     : Column::Type::uint64,
                                 Place::memory);
  Value value{};
  if (H5Aread(attribute.id(), memory.id(), &value) < 0) return nothing();
  return value;
}

[[nodiscard]] std::string_view until_zero(char const* text, std::size_t width) {
  auto const* const end = std::find(text, text + width, '\0');
  return {text, static_cast<std::size_t>(end - text)};
}

}  // namespace

TableInput::TableInput(Hdf5Handle dataset, std::string place)
    : dataset_{std::move(dataset)},
      place_{std::move(place)},
      rows_{extents_of(dataset_).front()},
      columns_{columns_of(type_of(dataset_))} {}

bool TableInput::has(std::string_view column) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [&](TableColumn const& own) { return own.name == column; });
}

void TableInput::read_as(Hdf5Handle const& row_type, void* rows, std::uint64_t first,
                         std::size_t count) const {
  EXPECTS(first + count <= rows_, first, count, rows_);
  if (count == 0) return;
  hsize_t const start = first;
  hsize_t const extent = count;
  Hdf5Handle const source{H5Dget_space(dataset_.id()), H5Sclose, "H5Dget_space"};
  require(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr),
          "H5Sselect_hyperslab");
  Hdf5Handle const target{H5Screate_simple(1, &extent, nullptr), H5Sclose, "H5Screate_simple"};
  if (H5Dread(dataset_.id(), row_type.id(), target.id(), source.id(), H5P_DEFAULT, rows) < 0) {
    damaged(place_);
  }
}

TableRows TableInput::read(std::uint64_t first, std::size_t count) const {
  std::vector<Column> columns;
  for (auto const& own : columns_) {
    columns.push_back({own.name.c_str(), own.type, own.offset, "1", own.width});
  }
  TableRows rows{columns_, row_size_of(columns_), count, {}};
  rows.bytes.resize(rows.row_size * count);
  read_into(rows.bytes.data(), columns, rows.row_size, first, count);
  return rows;
}

void TableInput::read_into(void* rows, std::vector<Column> const& columns, std::size_t row_size,
                           std::uint64_t first, std::size_t count) const {
  std::vector<Column> there;
  for (auto const& column : columns) {
    if (has(column.name)) there.push_back(column);
  }
  if (there.empty()) return;
  read_as(row_type(there, Place::memory, row_size), rows, first, count);
}

Hdf5Input::Hdf5Input(Hdf5Handle file, std::string path)
    : file_{std::move(file)}, path_{std::move(path)} {}

std::optional<Hdf5Input> Hdf5Input::open(std::string const& path) {
  reserve_memory();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it may be no HDF5, which the caller says
  auto const id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return nothing();
  return Hdf5Input{{id, H5Fclose, "H5Fopen"}, path};
}

std::vector<std::string> Hdf5Input::attributes() const {
  std::vector<std::string> names;
  std::array<char, 256> name{};
  for (hsize_t i = 0;; ++i) {
    auto const length = H5Aget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                           name.data(), name.size(), H5P_DEFAULT);
    if (length < 0) break;
    names.emplace_back(name.data());
  }
  expect_memory();
  return names;
}

std::optional<std::string> Hdf5Input::text_attribute(char const* name) const {
  if (H5Aexists(file_.id(), name) <= 0) return std::nullopt;
  Hdf5Handle const opened{H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose, "H5Aopen"};
  Hdf5Handle const type{H5Aget_type(opened.id()), H5Tclose, "H5Aget_type"};
  if (H5Tis_variable_str(type.id()) <= 0) return std::nullopt;
  char* text = nullptr;
  if (H5Aread(opened.id(), type.id(), &text) < 0) return nothing();
  return taken(text);
}

std::optional<std::int64_t> Hdf5Input::integer_attribute(char const* name) const {
  return number_attribute<std::int64_t>(file_, name);
}

std::optional<double> Hdf5Input::real_attribute(char const* name) const {
  return number_attribute<double>(file_, name);
}

std::optional<std::int64_t> Hdf5Input::integer_on(char const* object, char const* name) const {
  auto const opened = dataset(object);
  if (!opened) return std::nullopt;
  return number_attribute<std::int64_t>(*opened, name);
}

std::optional<Hdf5Handle> Hdf5Input::dataset(char const* name) const {
  auto const id = H5Dopen2(file_.id(), name, H5P_DEFAULT);
  if (id < 0) return nothing();
  return Hdf5Handle{id, H5Dclose, "H5Dopen2"};
}

bool Hdf5Input::has(char const* object) const { return dataset(object).has_value(); }

std::optional<std::string> Hdf5Input::text(char const* name) const {
  auto const opened = dataset(name);
  if (!opened) return std::nullopt;
  auto const type = type_of(*opened);
  if (H5Tis_variable_str(type.id()) <= 0) return std::nullopt;
  char* text = nullptr;
  if (H5Dread(opened->id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0) return nothing();
  return taken(text);
}

std::optional<std::vector<std::string>> Hdf5Input::texts(char const* name) const {
  auto const opened = dataset(name);
  if (!opened) return std::nullopt;
  auto const extents = extents_of(*opened);
  auto const column = column_of(type_of(*opened), name);
  if (extents.size() != 1 || !column || column->type != Column::Type::text) return std::nullopt;
  std::vector<char> bytes(extents.front() * column->width);
  auto const type = value_type(Column::Type::text, Place::memory, column->width);
  bool const is_empty = bytes.empty();
  if (!is_empty &&
      H5Dread(opened->id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    damaged(path_ + ": /" + name);
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < bytes.size(); i += column->width) {
    texts.emplace_back(until_zero(bytes.data() + i, column->width));
  }
  return texts;
}

std::optional<Matrix> Hdf5Input::matrix(char const* name) const {
  auto const opened = dataset(name);
  if (!opened) return std::nullopt;
  auto const extents = extents_of(*opened);
  if (extents.size() != 2 || H5Tget_class(type_of(*opened).id()) != H5T_INTEGER) {
    return std::nullopt;
  }
  Matrix matrix{extents[0], extents[1], std::vector<std::int64_t>(extents[0] * extents[1])};
  bool const is_empty = matrix.values.empty();
  if (!is_empty && H5Dread(opened->id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                           matrix.values.data()) < 0) {
    damaged(path_ + ": /" + name);
  }
  return matrix;
}

std::vector<std::string> Hdf5Input::tables() const {
  std::vector<std::string> names;
  std::array<char, 256> name{};
  for (hsize_t i = 0;; ++i) {
    auto const length = H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                           name.data(), name.size(), H5P_DEFAULT);
    if (length < 0) break;
    if (table(name.data())) names.emplace_back(name.data());
  }
  expect_memory();
  return names;
}

std::optional<TableInput> Hdf5Input::table(char const* name) const {
  auto opened = dataset(name);
  if (!opened || H5Tget_class(type_of(*opened).id()) != H5T_COMPOUND) return std::nullopt;
  if (extents_of(*opened).size() != 1) return std::nullopt;
  return TableInput{std::move(*opened), path_ + ": /" + name};
}

}  // namespace tessera::traces

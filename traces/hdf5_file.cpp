// HDF5's C interface, every return code looked at.
#include "traces/hdf5_file.hpp"

#include <algorithm>
#include <utility>

#include <hdf5.h>

#include "arch/base/contract.hpp"
#include "traces/hdf5_driver.hpp"

namespace tessera::traces {

namespace {

/// Properties of a class, without time stamps where objects have them.
[[nodiscard]] Hdf5Handle properties(hid_t property_class) {
  return {H5Pcreate(property_class), H5Pclose, "H5Pcreate"};
}

[[nodiscard]] Hdf5Handle timeless_properties(hid_t property_class) {
  auto made = properties(property_class);
  require(H5Pset_obj_track_times(made.id(), false), "H5Pset_obj_track_times");
  return made;
}

[[nodiscard]] Hdf5Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"}; }

[[nodiscard]] Hdf5Handle simple_space(std::vector<hsize_t> const& extents,
                                      std::vector<hsize_t> const& limits) {
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), limits.data()),
          H5Sclose, "H5Screate_simple"};
}

/// Chunked, shuffled and deflated: what compresses traces well and is cheap.
[[nodiscard]] Hdf5Handle compressed(std::vector<hsize_t> const& chunk) {
  auto made = timeless_properties(H5P_DATASET_CREATE);
  require(H5Pset_chunk(made.id(), static_cast<int>(chunk.size()), chunk.data()), "H5Pset_chunk");
  require(H5Pset_shuffle(made.id()), "H5Pset_shuffle");
  require(H5Pset_deflate(made.id(), 1), "H5Pset_deflate");
  return made;
}

/// Without HDF5's chunk cache: we write every chunk once.
[[nodiscard]] Hdf5Handle uncached() {
  auto made = properties(H5P_DATASET_ACCESS);
  require(H5Pset_chunk_cache(made.id(), 1, 0, 1.0), "H5Pset_chunk_cache");
  return made;
}

[[nodiscard]] Hdf5Handle create_dataset(Hdf5Handle const& file, char const* name,
                                        Hdf5Handle const& type, Hdf5Handle const& space,
                                        Hdf5Handle const& creation) {
  return {H5Dcreate2(file.id(), name, type.id(), space.id(), H5P_DEFAULT, creation.id(),
                     uncached().id()),
          H5Dclose, "H5Dcreate2"};
}

void write_attribute(Hdf5Handle const& object, char const* name, Hdf5Handle const& space,
                     Column::Type type, void const* values) {
  Hdf5Handle const attribute{H5Acreate2(object.id(), name, value_type(type, Place::file).id(),
                                        space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, "H5Acreate2"};
  require(H5Awrite(attribute.id(), value_type(type, Place::memory).id(), values), "H5Awrite");
}

void write_all(Hdf5Handle const& dataset, Hdf5Handle const& memory_type, void const* values) {
  require(H5Dwrite(dataset.id(), memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
          "H5Dwrite");
}

/// Values of one type; `width` of a text. HDF5 cannot compress what is empty.
void write_array(Hdf5Handle const& file, char const* name, Column::Type type, std::size_t width,
                 std::vector<hsize_t> const& extents, void const* values) {
  bool const empty = std::find(extents.begin(), extents.end(), hsize_t{0}) != extents.end();
  auto const creation = empty ? timeless_properties(H5P_DATASET_CREATE) : compressed(extents);
  auto const dataset = create_dataset(file, name, value_type(type, Place::file, width),
                                      simple_space(extents, extents), creation);
  if (!empty) write_all(dataset, value_type(type, Place::memory, width), values);
}

[[nodiscard]] Hdf5Handle create_file(std::string const& path, PendingFile& pending) {
  reserve_memory();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // we report errors; HDF5 need not print them too
  auto const access = properties(H5P_FILE_ACCESS);
  require(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18),
          "H5Pset_libver_bounds");
  write_through(access.id(), pending);
  auto const creation = timeless_properties(H5P_FILE_CREATE);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose,
          "H5Fcreate"};
}

/// HDF5's texts end at their first zero byte.
[[nodiscard]] char const* c_text(std::string const& text) {
  EXPECTS(text.find('\0') == std::string::npos, text);
  return text.c_str();
}

}  // namespace

Hdf5Table::Hdf5Table(Hdf5Handle dataset, Hdf5Handle row_type, PendingFile const& file)
    : dataset_{std::move(dataset)}, row_type_{std::move(row_type)}, file_{&file} {}

void Hdf5Table::append(void const* rows, std::size_t count) {
  if (count == 0) return;
  hsize_t const start = size_;
  hsize_t const added = count;
  size_ += added;
  hsize_t const extent = size_;
  require(H5Dset_extent(dataset_.id(), &extent), "H5Dset_extent");
  Hdf5Handle const target{H5Dget_space(dataset_.id()), H5Sclose, "H5Dget_space"};
  require(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, &start, nullptr, &added, nullptr),
          "H5Sselect_hyperslab");
  auto const source = simple_space({added}, {added});
  require(H5Dwrite(dataset_.id(), row_type_.id(), source.id(), target.id(), H5P_DEFAULT, rows),
          "H5Dwrite");
  file_->check();
}

Hdf5File::Hdf5File(std::string const& path) : pending_{path}, file_{create_file(path, pending_)} {
  pending_.check();
}

void Hdf5File::set(char const* name, std::string const& value) {
  auto const* const text = c_text(value);
  write_attribute(file_, name, scalar_space(), Column::Type::text, &text);
}

void Hdf5File::set(char const* name, std::int64_t value) {
  write_attribute(file_, name, scalar_space(), Column::Type::int64, &value);
}

void Hdf5File::set(char const* name, std::uint64_t value) {
  write_attribute(file_, name, scalar_space(), Column::Type::uint64, &value);
}

void Hdf5File::set(char const* name, double value) {
  write_attribute(file_, name, scalar_space(), Column::Type::float64, &value);
}

void Hdf5File::set_on(char const* object, char const* name, std::int64_t value) {
  Hdf5Handle const opened{H5Oopen(file_.id(), object, H5P_DEFAULT), H5Oclose, "H5Oopen"};
  write_attribute(opened, name, scalar_space(), Column::Type::int64, &value);
}

void Hdf5File::add_group(char const* name) {
  auto const creation = timeless_properties(H5P_GROUP_CREATE);
  Hdf5Handle const group{H5Gcreate2(file_.id(), name, H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                         H5Gclose, "H5Gcreate2"};
}

void Hdf5File::add_text(char const* name, std::string const& text) {
  auto const creation = timeless_properties(H5P_DATASET_CREATE);
  auto const dataset = create_dataset(file_, name, value_type(Column::Type::text, Place::file),
                                      scalar_space(), creation);
  auto const* const value = c_text(text);
  write_all(dataset, value_type(Column::Type::text, Place::file), &value);
}

void Hdf5File::add_texts(char const* name, std::vector<std::string> const& texts) {
  std::vector<char const*> values;
  values.reserve(texts.size());
  for (auto const& text : texts) values.push_back(c_text(text));
  Column const column{"text", Column::Type::text, 0, "1"};
  auto const packed = pack({column}, values.data(), sizeof(char const*), values.size());
  write_array(file_, name, Column::Type::text, packed.row_size, {values.size()},
              packed.bytes.data());
}

Hdf5Table Hdf5File::add_table(char const* name, std::vector<Column> const& columns,
                              std::size_t row_size, std::size_t chunk_rows) {
  EXPECTS(!columns.empty() && chunk_rows > 0, name);
  auto const file_row = row_type(columns, Place::file, row_size);
  auto dataset = create_dataset(file_, name, file_row, simple_space({0}, {H5S_UNLIMITED}),
                                compressed({chunk_rows}));
  std::vector<char const*> units;
  units.reserve(columns.size());
  for (auto const& column : columns) units.push_back(column.unit);
  write_attribute(dataset, "units", simple_space({units.size()}, {units.size()}),
                  Column::Type::text, units.data());
  return {std::move(dataset), row_type(columns, Place::memory, row_size), pending_};
}

void Hdf5File::add_table(char const* name, PackedRows const& rows) {
  add_table(name, rows.columns, rows.row_size, std::max<std::size_t>(rows.count, 1))
      .append(rows.bytes.data(), rows.count);
}

void Hdf5File::add_matrix(char const* name, std::vector<std::int64_t> const& values,
                          std::size_t rows, std::size_t columns) {
  EXPECTS(values.size() == rows * columns, values.size(), rows, columns);
  write_array(file_, name, Column::Type::int64, 0, {rows, columns}, values.data());
}

void Hdf5File::publish() {
  EXPECTS(H5Fget_obj_count(file_.id(), H5F_OBJ_ALL) == 1);
  require(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "H5Fflush");
  file_.close();
  pending_.publish();
}

}  // namespace tessera::traces

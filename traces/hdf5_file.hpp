// An HDF5 file being written: attributes, texts, tables and matrices, nothing more. Keeps HDF5's
// header to itself.
//
// Equal contents give equal bytes: no time stamps, one fixed file format (1.8, which every reader
// knows). What HDF5 reports as an error is a ContractError, except that the file could not be
// written, which is a ConfigError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/hdf5_handle.hpp"
#include "traces/hdf5_types.hpp"
#include "traces/pending_file.hpp"

namespace tessera::traces {

/// A table to which rows can be appended.
class Hdf5Table final {
 public:
  /// `rows` points to `count` row structs of the size that the table was created with.
  void append(void const* rows, std::size_t count);

 private:
  friend class Hdf5File;
  Hdf5Table(Hdf5Handle dataset, Hdf5Handle row_type, PendingFile const& file);

  Hdf5Handle dataset_;
  Hdf5Handle row_type_;
  PendingFile const* file_;
  std::uint64_t size_ = 0;
};

class Hdf5File final {
 public:
  /// Throws ConfigError at once when `path` cannot be written; it appears in publish().
  explicit Hdf5File(std::string const& path);

  // Attributes of the file.
  void set(char const* name, std::string const& value);
  void set(char const* name, std::int64_t value);
  void set(char const* name, std::uint64_t value);
  void set(char const* name, double value);

  void add_group(char const* name);
  void add_text(char const* name, std::string const& text);
  void add_texts(char const* name, std::vector<std::string> const& texts);
  [[nodiscard]] Hdf5Table add_table(char const* name, std::vector<Column> const& columns,
                                    std::size_t row_size, std::size_t chunk_rows);

  /// A whole table at once. Its texts are char const* in the rows.
  template <typename Row>
  void add_table(char const* name, std::vector<Column> const& columns,
                 std::vector<Row> const& rows) {
    add_table(name, pack(columns, rows.data(), sizeof(Row), rows.size()));
  }
  void add_table(char const* name, PackedRows const& rows);

  /// A matrix, row by row. Requires values.size() == rows * columns.
  void add_matrix(char const* name, std::vector<std::int64_t> const& values, std::size_t rows,
                  std::size_t columns);
  /// An attribute of an object of the file.
  void set_on(char const* object, char const* name, std::int64_t value);

  /// Writes everything and makes the file appear. Nothing may be added afterwards, and no table may
  /// still be open.
  void publish();

 private:
  PendingFile pending_;  // before the file that goes to it
  Hdf5Handle file_;
};

}  // namespace tessera::traces

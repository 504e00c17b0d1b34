// An HDF5 file being read: attributes, texts, matrices, and tables a piece at a time. What is not there, or is of another type than
// asked for, is absent; what is there and cannot be read is a ConfigError that names the file. Keeps HDF5's header to itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/hdf5_handle.hpp"
#include "traces/hdf5_types.hpp"
#include "traces/table_rows.hpp"

namespace tessera::traces {

/// A table of a file, which must not be closed before it.
class TableInput final {
 public:
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::vector<TableColumn> const& columns() const { return columns_; }
  [[nodiscard]] bool has(std::string_view column) const;

  [[nodiscard]] TableRows read(std::uint64_t first, std::size_t count) const;
  /// Into structs of `row_size`; columns that the file lacks are left as they are.
  void read_into(void* rows, std::vector<Column> const& columns, std::size_t row_size,
                 std::uint64_t first, std::size_t count) const;

 private:
  friend class Hdf5Input;
  TableInput(Hdf5Handle dataset, std::string place);

  void read_as(Hdf5Handle const& row_type, void* rows, std::uint64_t first,
               std::size_t count) const;

  Hdf5Handle dataset_;
  std::string place_;  ///< for errors: "run.h5: /tasks"
  std::uint64_t rows_ = 0;
  std::vector<TableColumn> columns_;
};

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> values;  ///< row by row
};

class Hdf5Input final {
 public:
  /// None where `path` is no HDF5 file, or one that cannot be opened.
  [[nodiscard]] static std::optional<Hdf5Input> open(std::string const& path);

  /// The names of the file's attributes, sorted.
  [[nodiscard]] std::vector<std::string> attributes() const;
  [[nodiscard]] std::optional<std::string> text_attribute(char const* name) const;
  [[nodiscard]] std::optional<std::int64_t> integer_attribute(char const* name) const;
  [[nodiscard]] std::optional<double> real_attribute(char const* name) const;
  /// An attribute of an object of the file.
  [[nodiscard]] std::optional<std::int64_t> integer_on(char const* object, char const* name) const;

  [[nodiscard]] bool has(char const* object) const;
  [[nodiscard]] std::optional<std::string> text(char const* name) const;
  [[nodiscard]] std::optional<std::vector<std::string>> texts(char const* name) const;
  [[nodiscard]] std::optional<Matrix> matrix(char const* name) const;
  /// The names of the tables at the file's root, sorted.
  [[nodiscard]] std::vector<std::string> tables() const;
  [[nodiscard]] std::optional<TableInput> table(char const* name) const;

 private:
  Hdf5Input(Hdf5Handle file, std::string path);
  [[nodiscard]] std::optional<Hdf5Handle> dataset(char const* name) const;

  Hdf5Handle file_;
  std::string path_;
};

}  // namespace tessera::traces

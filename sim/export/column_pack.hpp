// Columns of numbers for a page that opens them in a browser: one compressed stream of bytes, in which every column has its place.
//
// An integer takes seven bits a byte, the lowest first, and its sign is the lowest bit of all, so that small numbers of either sign take
// one byte. A column that grows slowly is kept as differences. The stream is deflated (RFC 1950), which browsers undo, and written in
// base64. Leaves out reading: the page does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::sim {

/// Where a column is in the stream.
struct PackedColumn {
  enum class Form : std::uint8_t { integers, differences, reals };

  Form form = Form::integers;
  std::size_t offset = 0;  ///< in bytes
  std::size_t count = 0;   ///< of numbers
};
[[nodiscard]] char const* name(PackedColumn::Form form);

class ColumnPack final {
 public:
  [[nodiscard]] PackedColumn add(std::vector<std::int64_t> const& values);
  [[nodiscard]] PackedColumn add_differences(std::vector<std::int64_t> const& values);
  [[nodiscard]] PackedColumn add(std::vector<double> const& values);

  /// All columns, compressed.
  [[nodiscard]] std::string base64() const;

 private:
  void append(std::int64_t value);

  std::string bytes_;
};

}  // namespace tessera::sim

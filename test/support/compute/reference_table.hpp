// A published or recorded table of test/validation/references: lines "# where from", a line of column names, rows.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::sim {

class ReferenceTable final {
 public:
  class Row final {
   public:
    Row(std::vector<std::string> const& columns, std::string line)
        : columns_{&columns}, line_{std::move(line)} {
      std::istringstream text{line_};
      for (std::string cell; std::getline(text, cell, ',');) cells_.push_back(cell);
      cells_.resize(columns.size());
    }

    [[nodiscard]] std::string const& text(std::string const& column) const {
      auto const found = std::find(columns_->begin(), columns_->end(), column);
      if (found == columns_->end()) throw std::out_of_range("no column " + column);
      return cells_[static_cast<std::size_t>(found - columns_->begin())];
    }
    [[nodiscard]] std::int64_t count(std::string const& column) const {
      return std::stoll(text(column));
    }
    [[nodiscard]] double number(std::string const& column) const { return std::stod(text(column)); }
    [[nodiscard]] std::string const& line() const { return line_; }

   private:
    std::vector<std::string> const* columns_;
    std::string line_;
    std::vector<std::string> cells_;
  };

  /// `name` is the path below test/validation/references.
  explicit ReferenceTable(std::string const& name) {
    auto const test = std::filesystem::path{__FILE__}.parent_path().parent_path().parent_path();
    std::ifstream file{test / "validation" / "references" / name};
    if (!file) throw std::runtime_error("no table " + name);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line.front() == '#') continue;
      if (columns_.empty()) {
        std::istringstream text{line};
        for (std::string column; std::getline(text, column, ',');) columns_.push_back(column);
      } else {
        rows_.emplace_back(columns_, line);
      }
    }
  }
  ReferenceTable(ReferenceTable const&) = delete;  // rows point at the columns
  ReferenceTable& operator=(ReferenceTable const&) = delete;

  [[nodiscard]] std::vector<Row> const& rows() const { return rows_; }

 private:
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace tessera::sim

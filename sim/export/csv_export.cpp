#include "sim/export/csv_export.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include "arch/base/config_error.hpp"
#include "sim/terminal/csv.hpp"
#include "traces/pending_stream.hpp"

namespace tessera::sim {

namespace {

using Names = std::vector<std::string>;

constexpr std::uint64_t piece = 16384;  // rows in memory

/// What the numbers in a column stand for: where their names are.
[[nodiscard]] std::string names_of(std::string const& table, std::string const& column) {
  if (column == "operator") return "names/operators";
  if (column == "phase") return "names/phases";
  if (column == "channel") return "names/channels";
  if (column == "cause") return table == "critical_path" ? "names/path_causes" : "names/causes";
  if (column != "kind") return {};
  return table == "commands" ? "names/command_kinds" : "names/task_kinds";
}

/// The attributes of the file, which tell one run from another.
[[nodiscard]] std::string attributes_text(traces::RunFile const& run) {
  auto const& content = run.content();
  std::string text = "name,value\n";
  for (auto const& name : content.attributes()) {
    text += csv_cell(name) + ',';
    if (auto const value = content.text_attribute(name.c_str())) {
      text += csv_cell(*value);
    } else if (auto const integer = content.integer_attribute(name.c_str())) {
      text += std::to_string(*integer);
    } else if (auto const real = content.real_attribute(name.c_str())) {
      text += csv_cell(*real);
    }
    text += '\n';
  }
  return text;
}

/// Is what lies in the folder of the same run?
[[nodiscard]] bool holds_same_run(std::string const& path, traces::RunFile const& run) {
  std::ifstream file{path, std::ios::binary};
  std::string const text{std::istreambuf_iterator<char>{file}, {}};
  auto const line = [&](char const* key) {
    return text.find('\n' + std::string{key} + ',' + csv_cell(run.text(key)) + '\n') !=
           std::string::npos;
  };
  return line("array") && line("fingerprint") && line("network") && line("planner");
}

class CsvExport final {
 public:
  CsvExport(traces::RunFile const& run, std::string const& folder, traces::Overwrite overwrite)
      : run_{run}, folder_{folder} {
    auto const about = path_of("run");
    bool const is_same = !traces::holds_nothing(about) && holds_same_run(about, run);
    bool const may_replace = is_same || overwrite == traces::Overwrite::forced;
    auto names = run.content().tables();
    names.insert(names.end(), {"utilisation", "run"});
    for (auto const& name : names) {
      if (may_replace || traces::holds_nothing(path_of(name))) continue;
      traces::refuse_to_replace(path_of(name), "it is no such export of this run");
    }
  }

  void write_text(std::string const& name, std::string const& text) {
    traces::PendingStream output{path_of(name)};
    output.write(text);
    output.publish();
    written_.push_back(path_of(name));
  }

  void write_table(std::string const& name, TasksDone const& done) {
    auto const table = run_.table(name.c_str());
    traces::PendingStream output{path_of(name)};
    auto const names = names_of_columns(name, table.columns());
    output.write(heading(table.columns()));
    std::string line;
    for (std::uint64_t first = 0; first < table.rows(); first += piece) {
      auto const rows = table.read(first, std::min(piece, table.rows() - first));
      for (std::size_t row = 0; row < rows.count; ++row) {
        line.clear();
        append_row(line, rows, row, names);
        output.write(line);
      }
      done(first + rows.count);
    }
    output.publish();
    written_.push_back(path_of(name));
  }

  void write_utilisation() {
    auto const busy = run_.content().matrix("utilisation/busy_ps");
    auto const width = run_.content().integer_on("utilisation/busy_ps", "bin_ps");
    if (!busy || !width) return;
    auto const resources = run_.texts("utilisation/resource");
    std::string text = "resource,begin_ps,busy_ps\n";
    for (std::size_t row = 0; row < std::min(busy->rows, resources.size()); ++row) {
      auto const name = csv_cell(resources[row]);
      for (std::size_t bin = 0; bin < busy->columns; ++bin) {
        auto const begin = static_cast<std::int64_t>(bin) * *width;
        auto const value = busy->values[row * busy->columns + bin];
        text += name + ',' + std::to_string(begin) + ',' + std::to_string(value) + '\n';
      }
    }
    write_text("utilisation", text);
  }

  [[nodiscard]] std::vector<std::string> const& written() const { return written_; }

 private:
  [[nodiscard]] std::string path_of(std::string const& name) const {
    return (std::filesystem::path{folder_} / (name + ".csv")).string();
  }
  [[nodiscard]] std::vector<Names> names_of_columns(
      std::string const& table, std::vector<traces::TableColumn> const& columns) const {
    std::vector<Names> all;
    for (auto const& column : columns) {
      auto const place = names_of(table, column.name);
      auto names = place.empty() ? std::nullopt : run_.content().texts(place.c_str());
      all.push_back(names.value_or(Names{}));
    }
    return all;
  }

  [[nodiscard]] static std::string heading(std::vector<traces::TableColumn> const& columns) {
    std::string line;
    for (auto const& column : columns) line += (line.empty() ? "" : ",") + column.name;
    return line + '\n';
  }

  static void append_row(std::string& line, traces::TableRows const& rows, std::size_t row,
                         std::vector<Names> const& names) {
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      if (i > 0) line += ',';
      auto const type = rows.columns[i].type;
      if (type == traces::Column::Type::text) {
        line += csv_cell(rows.text(row, i));
      } else if (type == traces::Column::Type::float64) {
        line += csv_cell(rows.real(row, i));
      } else {
        auto const value = rows.integer(row, i);
        bool const is_named = value >= 0 && static_cast<std::size_t>(value) < names[i].size();
        line +=
            is_named ? csv_cell(names[i][static_cast<std::size_t>(value)]) : std::to_string(value);
      }
    }
    line += '\n';
  }

  traces::RunFile const& run_;
  std::string folder_;
  std::vector<std::string> written_;
};

void make_folder(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw ConfigError({"--csv"}, {}, "cannot make the folder " + folder + ": " + error.message());
}

}  // namespace

std::vector<std::string> export_csv(traces::RunFile const& run, std::string const& folder,
                                    traces::Overwrite overwrite, TasksDone const& done) {
  make_folder(folder);
  CsvExport exported{run, folder, overwrite};
  for (auto const& table : run.content().tables()) {
    exported.write_table(
        table, table == "tasks" ? done : [](std::size_t) {});
  }
  exported.write_utilisation();
  exported.write_text("run", attributes_text(run));  // last: where it is, all are
  return exported.written();
}

}  // namespace tessera::sim
